// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>

#include "archive/writer.h"
#include "base/base64.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/client/sandbox_files.h"
#include "cli/mcp/tools.h"

namespace sbx::cli::mcp {
namespace {

constexpr std::int64_t kUsualRead = 256 << 10;
constexpr std::int64_t kMostRead = 1 << 20;
constexpr std::size_t kMostEntries = 1000;
constexpr unsigned kUsualMode = 0644;

enum class Encoding { kText, kBase64 };
constexpr auto choices(Encoding) {
  return std::to_array<Choice<Encoding>>({{Encoding::kText, "utf-8"}, {Encoding::kBase64, "base64"}});
}

struct FsRead {
  std::string name;
  std::string path;
  std::int64_t offset = 0;
  std::int64_t max_bytes = kUsualRead;
};
void describe(Members& members, FsRead& read) {
  members.required("name", read.name);
  members.required("path", read.path);
  members.optional("offset", read.offset);
  members.optional("max_bytes", read.max_bytes);
  members.check(read.offset >= 0, "\"offset\" must not be negative");
  members.check(read.max_bytes > 0 && read.max_bytes <= kMostRead, "\"max_bytes\" must be 1 to 1048576");
}

struct FsWrite {
  std::string name;
  std::string path;
  std::string content;
  Encoding encoding = Encoding::kText;
};
void describe(Members& members, FsWrite& write) {
  members.required("name", write.name);
  members.required("path", write.path);
  members.required("content", write.content);
  members.optional("encoding", write.encoding);
}

struct FsList {
  std::string name;
  std::string path;
};
void describe(Members& members, FsList& list) {
  members.required("name", list.name);
  members.required("path", list.path);
}

constexpr ArgumentNote kFileNotes[] = {
    {"name", "Name of the sandbox; a stopped one is started"},
    {"path", "Absolute path in the sandbox"},
    {"offset", "First byte. Default 0"},
    {"max_bytes", "Default 262144, at most 1048576"},
    {"content", "All that the file is to contain"},
    {"encoding", "Of content. Default utf-8"},
};

Result<> check_path(const std::string& path) {
  if (path.starts_with('/')) return Ok{};
  return fail(Code::kInvalid, "\"path\" must be absolute: " + printable(path));
}

bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto character = first_character(bytes);
    if (!character || character->code == 0) return false;
    bytes.remove_prefix(character->size);
  }
  return true;
}

// A piece of a text may end in the middle of a character, which is not the file's fault. Where one begins is the
// caller's choice: next_offset is never in the middle of one.
std::string_view whole_characters(std::string_view bytes, bool is_cut) {
  if (!is_cut) return bytes;
  for (std::size_t tail = 1; tail <= 3 && tail <= bytes.size(); ++tail)
    if (is_cut_character(bytes.substr(bytes.size() - tail))) return bytes.substr(0, bytes.size() - tail);
  return bytes;
}

Result<Json> read_file_of(Call& call, const FsRead& arguments) {
  TRY(check_path(arguments.path));
  TRY(allowed_sandbox(call, arguments.name));
  const SandboxFiles files(call.session.client, arguments.name);
  TRY_ASSIGN(const SandboxFiles::Part part, files.read(arguments.path, arguments.offset, arguments.max_bytes));
  const bool is_cut = arguments.offset + static_cast<std::int64_t>(part.bytes.size()) < part.size;
  const std::string_view text = whole_characters(part.bytes, is_cut);
  const bool as_text = is_text(text);
  const std::string_view shown = as_text ? text : std::string_view(part.bytes);
  Json result = {{"content", as_text ? std::string(shown) : base64(shown)},
                 {"encoding", word_of(as_text ? Encoding::kText : Encoding::kBase64)},
                 {"size", part.size}};
  const std::int64_t next = arguments.offset + static_cast<std::int64_t>(shown.size());
  if (next < part.size) result["next_offset"] = next;
  return result;
}

Result<std::string> bytes_of(const FsWrite& arguments) {
  if (arguments.encoding == Encoding::kText) return arguments.content;
  auto bytes = from_base64(arguments.content);
  if (!bytes) return fail(Code::kInvalid, "\"content\" is no base64");
  return std::move(*bytes);
}

Result<Json> write_file_of(Call& call, const FsWrite& arguments) {
  TRY(check_path(arguments.path));
  TRY_ASSIGN(const std::string bytes, bytes_of(arguments));
  TRY(allowed_sandbox(call, arguments.name));
  const SandboxFiles files(call.session.client, arguments.name);
  TRY_ASSIGN(const FileInfo there, files.look(arguments.path, false));
  if (there.exists && there.type != "file")
    return fail(Code::kConflict, printable(arguments.path) + " is no file, but a " + there.type);
  const auto slash = arguments.path.find_last_of('/');
  archive::Member file;
  file.name = arguments.path.substr(slash + 1);
  file.mode = there.exists ? there.mode : kUsualMode;
  file.size = static_cast<std::int64_t>(bytes.size());
  file.mtime = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (file.name.empty()) return fail(Code::kInvalid, "\"path\" must name a file");
  const auto send_it = [&](const archive::Sink& sink) -> Result<> {
    archive::ArchiveWriter archive(sink);
    TRY(archive.add(file));
    TRY(archive.content(bytes));
    return archive.finish();
  };
  TRY(files.receive(slash == 0 ? "/" : arguments.path.substr(0, slash), send_it));
  return Json{{"written", bytes.size()}};
}

Result<Json> list_files_of(Call& call, const FsList& arguments) {
  TRY(check_path(arguments.path));
  TRY(allowed_sandbox(call, arguments.name));
  TRY_ASSIGN(auto entries, SandboxFiles(call.session.client, arguments.name).list(arguments.path));
  const std::size_t all = entries.size();
  entries.resize(std::min(all, kMostEntries));
  Json shown = Json::array();
  for (const FileInfo& entry : entries) {
    Json json = json_of(entry);
    json.erase("exists");
    shown.push_back(std::move(json));
  }
  return Json{{"entries", std::move(shown)}, {"total", all}};
}

const Tool kFileTools[] = {
    {.name = "fs_read",
     .title = "Read file",
     .description = "Read a file in a sandbox, or a part of it; base64 if it is no text.",
     .notes = kFileNotes,
     .reads_only = true,
     .schema = schema_of_arguments<FsRead>,
     .run = run_tool<FsRead, read_file_of>},
    {.name = "fs_write",
     .title = "Write file",
     .description = "Write a file in a sandbox, replacing one that is there. Its directory has to be there.",
     .notes = kFileNotes,
     .schema = schema_of_arguments<FsWrite>,
     .run = run_tool<FsWrite, write_file_of>},
    {.name = "fs_list",
     .title = "List directory",
     .description = "Names, types, sizes and modes of what is in a directory of a sandbox; the first 1000.",
     .notes = kFileNotes,
     .reads_only = true,
     .schema = schema_of_arguments<FsList>,
     .run = run_tool<FsList, list_files_of>},
};

}  // namespace

std::span<const Tool> file_tools() { return kFileTools; }

}  // namespace sbx::cli::mcp
