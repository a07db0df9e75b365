// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/reader.h"

#include <algorithm>

namespace sbx::archive {
namespace {

constexpr int kMostExtensions = 8;               // in front of one entry
constexpr std::size_t kMostTrailing = 1u << 20;  // tar pads its last record with zeros

struct Meaning {
  char letter;
  Type type;
};
constexpr Meaning kTypes[] = {
    {'0', Type::kFile},      {'\0', Type::kFile}, {'7', Type::kFile},  {'1', Type::kHardLink}, {'2', Type::kSymlink},
    {'5', Type::kDirectory}, {'3', Type::kOther}, {'4', Type::kOther}, {'6', Type::kOther},
};

std::optional<Type> type_of(char letter) {
  for (const auto& meaning : kTypes)
    if (meaning.letter == letter) return meaning.type;
  return std::nullopt;
}

bool is_extension(char letter) { return letter == 'x' || letter == 'g' || letter == 'L' || letter == 'K'; }

}  // namespace

Result<std::string_view> ArchiveReader::content() {
  if (left_ == 0) return std::string_view();
  const auto most = static_cast<std::size_t>(std::min<std::int64_t>(left_, 1 << 20));
  TRY_ASSIGN(const std::string_view bytes, input_.some(most));
  if (bytes.empty()) return fail(Code::kInvalid, "the archive is cut off");
  left_ -= static_cast<std::int64_t>(bytes.size());
  return bytes;
}

Result<> ArchiveReader::skip_content() {
  while (left_ > 0) TRY(content());
  Block rest;
  TRY(input_.exactly(std::span(rest).first(padding_)));
  padding_ = 0;
  return Ok{};
}

Result<std::string> ArchiveReader::extension_text(const BlockHeader& header) {
  if (header.size > kLargestExtension) return fail(Code::kTooLarge, "the archive has an oversized extended header");
  std::string text(static_cast<std::size_t>(header.size), '\0');
  TRY(input_.exactly(text));
  Block rest;
  TRY(input_.exactly(std::span(rest).first(padding_after(header.size))));
  return text;
}

Result<> ArchiveReader::extend(const BlockHeader& header, Extension& extension) {
  TRY_ASSIGN(const std::string text, extension_text(header));
  if (header.type == 'x') return read_records(text, extension);
  if (header.type == 'g') return Ok{};  // defaults for all entries: comments and times, none that we need
  const std::string name = text.substr(0, text.find('\0'));
  if (name.size() > kLongestName) return fail(Code::kTooLarge, "the archive has a name that is too long");
  (header.type == 'L' ? extension.name : extension.link) = name;
  return Ok{};
}

Result<Member> ArchiveReader::member_of(const BlockHeader& header, Extension extension) {
  Member entry;
  entry.name = std::move(extension.name).value_or(header.name);
  entry.link = std::move(extension.link).value_or(header.link);
  entry.mode = header.mode;
  entry.mtime = extension.mtime.value_or(header.mtime);
  entry.mtime_ns = extension.mtime_ns;
  const auto type = type_of(header.type);
  entry.type = type.value_or(Type::kOther);
  // v7 had no letter for a directory.
  if (entry.type == Type::kFile && entry.name.ends_with('/')) entry.type = Type::kDirectory;
  // Links, directories and devices have no content, whatever their size field says; letters that we do not know have.
  if (entry.type == Type::kFile || !type) left_ = extension.size.value_or(header.size);
  if (entry.type == Type::kFile) entry.size = left_;
  padding_ = padding_after(left_);
  return entry;
}

Result<std::optional<Member>> ArchiveReader::next() {
  TRY(skip_content());
  Extension extension;
  for (int extensions = 0; extensions <= kMostExtensions; ++extensions) {
    Block block;
    TRY(input_.exactly(block));
    if (is_zero(block)) {
      TRY(finish());
      return std::optional<Member>();
    }
    TRY_ASSIGN(const BlockHeader header, decode(block));
    if (!is_extension(header.type)) {
      TRY_ASSIGN(Member entry, member_of(header, std::move(extension)));
      return std::optional<Member>(std::move(entry));
    }
    TRY(extend(header, extension));
  }
  return fail(Code::kInvalid, "the archive has too many extended headers in a row");
}

// The writer would see a broken pipe if what it pads the archive with were left unread.
Result<> ArchiveReader::finish() {
  for (std::size_t total = 0; total <= kMostTrailing;) {
    TRY_ASSIGN(const std::string_view bytes, input_.some(kMostTrailing));
    if (bytes.empty()) return Ok{};
    total += bytes.size();
  }
  return fail(Code::kTooLarge, "the archive goes on after its end");
}

}  // namespace sbx::archive
