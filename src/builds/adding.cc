// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/adding.h"

#include <fcntl.h>

#include <algorithm>

#include "archive/reader.h"
#include "base/fd.h"
#include "base/text.h"

namespace sbx::builds {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kTarMagicAt = 257;
constexpr std::size_t kHexOfSha256 = 64;
constexpr std::size_t kLongestSum = 4096;  // what sha256sum prints: the digest and a name

// The content of the member that the reader is at, as a file: all of it.
Result<> receive(archive::ArchiveReader& reader, std::string_view beginning, images::Incoming& into) {
  TRY(into.write(beginning));
  for (;;) {
    TRY_ASSIGN(const std::string_view bytes, reader.content());
    if (bytes.empty()) return Ok{};
    TRY(into.write(bytes));
  }
}

// Enough of the content to tell what it is.
Result<std::string> beginning_of(archive::ArchiveReader& reader) {
  std::string beginning;
  while (beginning.size() < kTarMagicAt + 5) {
    TRY_ASSIGN(const std::string_view bytes, reader.content());
    if (bytes.empty()) break;
    beginning += bytes;
  }
  return beginning;
}

// What was compressed need not be an archive: then it is a file like any other.
bool is_tar(const std::string& file) {
  const auto fd = open_path(file, O_RDONLY);
  if (!fd) return false;
  archive::ArchiveReader reader(archive::source_of(*fd));
  const auto first = reader.next();
  return first.has_value() && first->has_value();
}

}  // namespace

bool is_address(std::string_view source) { return source.starts_with("http://") || source.starts_with("https://"); }

Result<std::string> name_in_address(std::string_view address) {
  const std::string_view behind = address.substr(address.find("://") + 3);
  const std::string_view path = behind.substr(0, behind.find_first_of("?#"));
  const auto slash = path.find_last_of('/');
  const std::string_view name = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  if (name.empty() || name == "." || name == "..")
    return fail(Code::kInvalid, "the address has no file name", "RUN curl -fsSL -o FILE ADDRESS");
  return std::string(name);
}

std::vector<std::string> fetch_command(const std::string& address, const std::string& file) {
  return {"curl", "-fsSLR", "--proto", "=http,https", "--create-dirs", "-o", file, "--", address};
}

Result<> check_sum(Workbench& bench, const std::string& file, const std::string& sum) {
  constexpr std::string_view kKind = "sha256:";
  if (!sum.starts_with(kKind)) return fail(Code::kInvalid, "--checksum=" + printable(sum) + ": sha256:<hex>");
  wire::ExecRequest request;
  request.command = {"sha256sum", "--", file};
  request.user = "root";
  request.directory = "/";
  TRY_ASSIGN(exchange::ExecStream stream, bench.start(std::move(request)));
  TRY_ASSIGN(const std::string said, stream.read_all(kLongestSum));
  TRY(stream.finish());
  const std::string found = said.substr(0, kHexOfSha256);
  if (found == sum.substr(kKind.size())) return Ok{};
  return fail(Code::kInvalid, "its digest is sha256:" + printable(found) + " instead of " + printable(sum));
}

bool looks_like_archive(std::string_view beginning) {
  constexpr std::string_view kBeginnings[] = {"\x1f\x8b"sv, "BZh"sv,
                                              "\xfd"
                                              "7zXZ\0"sv,
                                              "\x28\xb5\x2f\xfd"sv};
  return std::ranges::any_of(kBeginnings, [&](std::string_view one) { return beginning.starts_with(one); }) ||
         (beginning.size() > kTarMagicAt && beginning.substr(kTarMagicAt).starts_with("ustar"));
}

Result<std::vector<AddedArchive>> archives_in(const std::string& context, const CopyRule& rule,
                                              images::Templates& store) {
  std::vector<AddedArchive> found;
  if (context.empty()) return found;
  TRY_ASSIGN(const Fd file, open_path(context, O_RDONLY));
  archive::ArchiveReader reader(archive::source_of(file));
  for (;;) {
    TRY_ASSIGN(const auto member, reader.next());
    if (!member) return found;
    const std::string path = plain_path(member->name);
    if (member->type != archive::Type::kFile || !rule.names(path)) continue;
    TRY_ASSIGN(const std::string beginning, beginning_of(reader));
    if (!looks_like_archive(beginning)) continue;
    TRY_ASSIGN(images::Incoming kept, store.receive());
    TRY(receive(reader, beginning, kept));
    auto plain = store.layers().plain(kept);
    if (!plain) return fail(std::move(plain).error().within(printable(path)));
    if (is_tar(*plain)) found.push_back({path, *plain, std::move(kept)});
  }
}

}  // namespace sbx::builds
