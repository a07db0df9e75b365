// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/recipe.h"

#include <unistd.h>

#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "digest/sha256.h"
#include "idmap/idmap.h"

namespace sbx::images {
namespace {

// Raised whenever the same recipe comes out differently, so that old templates are not taken for new ones.
constexpr int kFormat = 2;

std::string unquoted(std::string_view value) {
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  return std::string(value);
}

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> table = {
      {
          "shell",
          "minbase",
          {"bash", "ca-certificates", "curl", "file", "git", "jq", "less", "openssh-client", "procps", "python3",
           "ripgrep", "sudo", "unzip", "xz-utils"},
          // Directories of manuals stay: packages that come later (Java's) make links in them.
          {"/usr/share/man/*/*", "/usr/share/locale/*", "/usr/share/doc/*", "/usr/share/info/*"},
      },
  };
  return table;
}

Result<const Recipe*> find_recipe(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Recipe& recipe : recipes()) {
    if (recipe.name == name) return &recipe;
    known.push_back(recipe.name);
  }
  return fail(Code::kNotFound,
              sbx::format("no template is called {}; there is: {}", printable(name), join(known, ", ")));
}

Result<Distribution> host_distribution(const std::string& os_release) {
  TRY_ASSIGN(const std::string text, read_file(os_release));
  Distribution found;
  for (const std::string& line : split(text, '\n')) {
    if (line.starts_with("ID=")) found.id = unquoted(trimmed(line.substr(3)));
    if (line.starts_with("VERSION_CODENAME=")) found.codename = unquoted(trimmed(line.substr(17)));
  }
  if (found.codename.empty())
    return fail(Code::kUnavailable, "templates need a Debian or Ubuntu release, and " + os_release + " names none",
                "use a Debian 12 or newer or an Ubuntu 24.04 or newer host");
  return found;
}

std::string key_of(const Recipe& recipe, const Distribution& distribution) {
  const std::string owner = idmap::privileged() ? "root" : sbx::format("user {}", ::getuid());
  return digest::sha256_of(sbx::format("format {}\n{}\n{}\n{}\n{}\n{} {}\n{}\n", kFormat, recipe.name, recipe.variant,
                                       join(recipe.packages, " "), join(recipe.left_out, " "), distribution.id,
                                       distribution.codename, owner));
}

}  // namespace sbx::images
