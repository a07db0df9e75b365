// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/context.h"

#include <fcntl.h>

#include "archive/reader.h"
#include "base/fd.h"
#include "base/text.h"
#include "builds/copy_rule.h"

namespace sbx::builds {

Result<std::string> file_in_archive(const std::string& archive, const std::string& path, std::size_t most) {
  TRY_ASSIGN(const Fd file, open_path(archive, O_RDONLY));
  archive::ArchiveReader reader(archive::source_of(file));
  for (;;) {
    TRY_ASSIGN(const auto member, reader.next());
    if (!member) return fail(Code::kNotFound, "there is no file " + printable(path) + " in the directory");
    if (member->type != archive::Type::kFile || plain_path(member->name) != plain_path(path)) continue;
    if (member->size > static_cast<std::int64_t>(most)) return fail(Code::kTooLarge, printable(path) + " is too large");
    std::string text;
    for (;;) {
      TRY_ASSIGN(const std::string_view bytes, reader.content());
      if (bytes.empty()) return text;
      text += bytes;
    }
  }
}

}  // namespace sbx::builds
