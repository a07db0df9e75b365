// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/writer.h"

#include <cassert>

#include "archive/extended.h"
#include "base/format.h"
#include "base/utf8.h"

namespace sbx::archive {
namespace {

constexpr std::size_t kWriteSize = 256u << 10;

char letter_of(Type type) {
  switch (type) {
    case Type::kDirectory:
      return '5';
    case Type::kSymlink:
      return '2';
    case Type::kHardLink:
      return '1';
    case Type::kFifo:
      return '6';
    default:
      return '0';
  }
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = first_character(text);
    if (!character) return false;
    text.remove_prefix(character->size);
  }
  return true;
}

// Fractions of a negative time are read in different ways: it is cut to a second.
std::string time_text(const Member& entry) {
  if (entry.mtime < 0 || entry.mtime_ns == 0) return std::to_string(entry.mtime);
  return sbx::format("{}.{:09}", entry.mtime, entry.mtime_ns);
}

std::string records_of(const Member& entry) {
  std::string records;
  const bool long_name = entry.name.size() > kLongestHeaderName;
  const bool long_link = entry.link.size() > kLongestHeaderName;
  // Names are bytes; records are UTF-8 unless they say otherwise.
  if ((long_name && !is_utf8(entry.name)) || (long_link && !is_utf8(entry.link)))
    records += record("hdrcharset", "BINARY");
  if (long_name) records += record("path", entry.name);
  if (long_link) records += record("linkpath", entry.link);
  if (entry.size > kLargestOctal) records += record("size", std::to_string(entry.size));
  if (entry.mtime < 0 || entry.mtime > kLargestOctal || entry.mtime_ns != 0)
    records += record("mtime", time_text(entry));
  if (entry.uid > kLargestId) records += record("uid", std::to_string(entry.uid));
  if (entry.gid > kLargestId) records += record("gid", std::to_string(entry.gid));
  for (const Attribute& attribute : entry.attributes)
    records += record("SCHILY.xattr." + attribute.name, attribute.value);
  return records;
}

}  // namespace

Result<> ArchiveWriter::put(std::string_view bytes) {
  buffer_.append(bytes);
  return buffer_.size() >= kWriteSize ? flush() : Ok{};
}

Result<> ArchiveWriter::flush() {
  auto written = sink_(buffer_);
  buffer_.clear();
  return written;
}

Result<> ArchiveWriter::extend(const Member& entry) {
  const std::string records = records_of(entry);
  if (records.empty()) return Ok{};
  const auto size = static_cast<std::int64_t>(records.size());
  TRY(put(encode(BlockHeader{"././@PaxHeader", "", 'x', 0644, size, 0, 0, 0})));
  TRY(put(records));
  return put(std::string(padding_after(size), '\0'));
}

Result<> ArchiveWriter::add(const Member& entry) {
  assert(left_ == 0);
  TRY(extend(entry));
  left_ = entry.type == Type::kFile ? entry.size : 0;
  padding_ = padding_after(left_);
  return put(encode(BlockHeader{entry.name, entry.link, letter_of(entry.type), entry.mode, left_, entry.mtime,
                                entry.uid, entry.gid}));
}

Result<> ArchiveWriter::content(std::string_view bytes) {
  assert(static_cast<std::int64_t>(bytes.size()) <= left_);
  left_ -= static_cast<std::int64_t>(bytes.size());
  TRY(put(bytes));
  return left_ == 0 ? put(std::string(padding_, '\0')) : Ok{};
}

Result<> ArchiveWriter::finish() {
  TRY(put(std::string(2 * kBlockSize, '\0')));
  return flush();
}

}  // namespace sbx::archive
