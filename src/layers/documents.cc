// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/documents.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "base/fd.h"
#include "base/format.h"
#include "layers/entry_path.h"

namespace sbx::layers {
namespace {

constexpr std::size_t kLargestFile = 1u << 20;
constexpr std::size_t kRoomForConfigs = 2u << 20;

struct FreeArchive {
  void operator()(struct archive* reader) const { ::archive_read_free(reader); }
};

Result<std::span<const char>> bounded_read(TarStream& stream, std::int64_t most) {
  TRY_ASSIGN(const auto part, stream.read());
  if (stream.bytes() > most)
    return fail(Code::kInvalid, sbx::format("the archive is larger than {} bytes, uncompressed", most));
  return part;
}

class DocumentReader {
 public:
  DocumentReader(TarStream& stream, std::int64_t most) : stream_(stream), most_(most), reader_(::archive_read_new()) {}

  Result<Documents> run() {
    TRY(open());
    for (;;) {
      struct archive_entry* entry = nullptr;
      const int status = ::archive_read_next_header(reader_.get(), &entry);
      if (failed_) return fail(std::move(*failed_));
      if (status == ARCHIVE_EOF) return documents_;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return archive_failure(reader_.get(), "read the archive");
      TRY(look_at(entry));
    }
  }

 private:
  Result<> open() {
    struct archive* const reader = reader_.get();
    ::archive_read_support_format_tar(reader);
    ::archive_read_support_format_empty(reader);
    ::archive_read_set_options(reader, "hdrcharset=BINARY");
    ::archive_read_set_callback_data(reader, this);
    ::archive_read_set_read_callback(reader, &DocumentReader::next_bytes);
    ::archive_read_set_skip_callback(reader, &DocumentReader::skip_bytes);
    const int opened = ::archive_read_open1(reader);
    if (failed_) return fail(std::move(*failed_));
    if (opened != ARCHIVE_OK) return archive_failure(reader, "read the archive");
    return Ok{};
  }

  static la_ssize_t next_bytes(struct archive* reader, void* self, const void** bytes) {
    auto& documents = *static_cast<DocumentReader*>(self);
    auto part = bounded_read(documents.stream_, documents.most_);
    if (!part) {
      documents.failed_ = std::move(part).error();
      ::archive_set_error(reader, EIO, "the archive cannot be read");
      return ARCHIVE_FATAL;
    }
    *bytes = part->data();
    return static_cast<la_ssize_t>(part->size());
  }

  static la_int64_t skip_bytes(struct archive* /*reader*/, void* self, la_int64_t bytes) {
    return static_cast<DocumentReader*>(self)->stream_.skip(bytes);
  }

  Result<> look_at(struct archive_entry* entry) {
    documents_.has_entries = true;
    const char* name = ::archive_entry_pathname(entry);
    const auto path = relative_path(name == nullptr ? "" : name);
    if (!path || ::archive_entry_filetype(entry) != AE_IFREG) return Ok{};
    if (*path == "manifest.json") return read(*path, documents_.manifest);
    if (*path == "oci-layout") return read(*path, documents_.layout);
    if (*path == "index.json") return read(*path, documents_.index);
    if (!digest_in_name(*path).empty()) return read_config(*path, ::archive_entry_size(entry));
    return Ok{};
  }

  Result<> read_config(const std::string& name, std::int64_t size) {
    if (size <= 0 || static_cast<std::size_t>(size) > std::min(kLargestFile, room_for_configs_)) return Ok{};
    std::string text;
    TRY(read(name, text));
    if (!text.starts_with('{')) return Ok{};
    room_for_configs_ -= text.size();
    documents_.configs.push_back(std::move(text));
    return Ok{};
  }

  Result<> read(const std::string& name, std::string& into) {
    into.clear();
    std::array<char, 16384> buffer;
    for (;;) {
      const la_ssize_t n = ::archive_read_data(reader_.get(), buffer.data(), buffer.size());
      if (failed_) return fail(std::move(*failed_));
      if (n < 0) return archive_failure(reader_.get(), "read the archive");
      if (n == 0) return Ok{};
      into.append(buffer.data(), static_cast<std::size_t>(n));
      if (into.size() > kLargestFile) return fail(Code::kTooLarge, sbx::format("{} is larger than 1 MiB", name));
    }
  }

  TarStream& stream_;
  std::int64_t most_;
  std::unique_ptr<struct archive, FreeArchive> reader_;
  std::optional<Error> failed_;  // of the stream, while libarchive was reading from it
  std::size_t room_for_configs_ = kRoomForConfigs;
  Documents documents_;
};

}  // namespace

std::string_view digest_in_name(std::string_view path) {
  constexpr std::string_view kFolder = "blobs/sha256/";
  constexpr std::string_view kEnding = ".json";
  if (path.starts_with(kFolder))
    path.remove_prefix(kFolder.size());
  else if (path.ends_with(kEnding))
    path.remove_suffix(kEnding.size());
  else
    return {};
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return path.size() == 64 && std::ranges::all_of(path, is_digit) ? path : std::string_view();
}

void describe(Members& members, Documents& documents) {
  members.optional("manifest", documents.manifest);
  members.optional("layout", documents.layout);
  members.optional("index", documents.index);
  members.optional("configs", documents.configs);
  members.optional("has_entries", documents.has_entries);
  members.optional("is_compressed", documents.is_compressed);
}

Result<Documents> documents_in(TarStream& stream, std::int64_t most) {
  TRY_ASSIGN(Documents documents, DocumentReader(stream, most).run());
  documents.is_compressed = stream.is_compressed();
  return documents;
}

void describe(Members& members, Plain& plain) { members.required("bytes", plain.bytes); }

Result<Plain> write_plain(TarStream& stream, std::int64_t most) {
  TRY_ASSIGN(const Fd file, open_path(kPlainName, O_WRONLY | O_CREAT | O_EXCL, 0644));
  for (;;) {
    TRY_ASSIGN(const auto part, bounded_read(stream, most));
    if (part.empty()) return Plain{stream.bytes()};
    TRY(write_all(file, {part.data(), part.size()}));
  }
}

}  // namespace sbx::layers
