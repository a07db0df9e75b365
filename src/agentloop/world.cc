// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/world.h"

#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr int kMissing = 3;

}  // namespace

Result<std::string> read_there(World& world, const std::string& directory, const std::string& path) {
  TRY_ASSIGN(World::Answer answer,
             world.ask({"/bin/sh", "-c", "[ -e \"$1\" ] || exit 3; cat -- \"$1\"", "sh", path}, directory, ""));
  if (answer.code == kMissing) return fail(Code::kNotFound, printable(path) + " is not there");
  if (answer.code != 0) return fail(Code::kInternal, "read " + printable(path) + ": " + printable(trimmed(answer.err)));
  return std::move(answer.out);
}

Result<> write_there(World& world, const std::string& directory, const std::string& path, std::string_view content) {
  TRY_ASSIGN(
      const World::Answer answer,
      world.ask({"/bin/sh", "-c", "cat > \"$1.new\" && mv -f -- \"$1.new\" \"$1\"", "sh", path}, directory, content));
  if (answer.code != 0)
    return fail(Code::kInternal, "write " + printable(path) + ": " + printable(trimmed(answer.err)));
  return Ok{};
}

}  // namespace sbx::agentloop
