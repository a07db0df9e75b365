// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tree.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/file.h"
#include "base/words.h"

namespace sbx::modules {
namespace {

char spelled(char c) { return c == '-' ? '_' : c; }

std::string spelled(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '-', '_');
  return out;
}

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char left, char right) { return spelled(left) == spelled(right); });
}

// "virtio-blk" for "kernel/drivers/block/virtio-blk.ko.xz".
std::string_view stem_of(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.find(".ko"));
}

// An asterisk is all that patterns of what a kernel asks for have ("block-major-7-*").
bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.find('*') == std::string_view::npos) return same(pattern, name);
  return ::fnmatch(spelled(pattern).c_str(), spelled(name).c_str(), FNM_NOESCAPE) == 0;
}

// Takes what stands before the next separator off the text.
std::string_view next(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string text_of(const std::string& path) { return read_file(path).value_or(""); }

}  // namespace

std::string module_name(std::string_view path) { return spelled(stem_of(path)); }

Result<Tree> Tree::read(const std::string& directory) {
  Tree tree;
  TRY_ASSIGN(tree.dependencies_, read_file(directory + "/modules.dep"));
  tree.builtin_ = text_of(directory + "/modules.builtin");
  tree.builtin_information_ = text_of(directory + "/modules.builtin.modinfo");
  tree.soft_dependencies_ = text_of(directory + "/modules.softdep");
  tree.aliases_ = text_of(directory + "/modules.alias");
  return tree;
}

std::string_view Tree::line_of(std::string_view name) const {
  for (std::string_view text = dependencies_; !text.empty();) {
    const std::string_view line = next(text, '\n');
    if (const std::size_t colon = line.find(':');
        colon != std::string_view::npos && same(stem_of(line.substr(0, colon)), name))
      return line;
  }
  return {};
}

bool Tree::is_builtin(std::string_view name) const {
  for (std::string_view text = builtin_; !text.empty();)
    if (same(stem_of(next(text, '\n')), name)) return true;
  constexpr std::string_view kAlias = ".alias=";
  for (std::string_view text = builtin_information_; !text.empty();) {
    const std::string_view field = next(text, '\0');
    if (const std::size_t at = field.find(kAlias);
        at != std::string_view::npos && matches(field.substr(at + kAlias.size()), name))
      return true;
  }
  return false;
}

std::vector<std::string> Tree::named(std::string_view name) const {
  if (is_builtin(name)) return {};
  if (is_module(name)) return {spelled(name)};
  std::vector<std::string> found;
  for (std::string_view text = aliases_; !text.empty();) {
    std::string_view line = next(text, '\n');
    if (next(line, ' ') != "alias") continue;
    if (const std::string_view alias = next(line, ' '); matches(alias, name)) found.push_back(spelled(line));
  }
  return found;
}

// Of several, the one for any processor: one for a processor that the machine does not have fails to load.
std::vector<std::string> Tree::liked_before(std::string_view name) const {
  std::vector<std::string> found;
  for (std::string_view text = soft_dependencies_; !text.empty();) {
    const auto words = words_of(next(text, '\n'));
    if (words.size() < 4 || words[0] != "softdep" || !same(words[1], name) || words[2] != "pre:") continue;
    for (std::size_t i = 3; i < words.size() && words[i] != "post:"; ++i) {
      const auto modules = named(words[i]);
      const auto generic =
          std::ranges::find_if(modules, [](const auto& module) { return module.ends_with("_generic"); });
      if (generic != modules.end()) {
        found.push_back(*generic);
      } else {
        found.insert(found.end(), modules.begin(), modules.end());
      }
    }
  }
  return found;
}

void Tree::add(std::string_view name, std::vector<std::string>& order) {
  std::string_view line = line_of(name);
  if (line.empty() || is_builtin(name) || !added_.insert(spelled(name)).second) return;
  for (const std::string& module : liked_before(name)) add(module, order);
  const std::string_view path = next(line, ':');
  auto needed = words_of(line);
  std::ranges::reverse(needed);  // what is needed first is listed last
  for (const std::string& needed_path : needed) add(stem_of(needed_path), order);
  order.emplace_back(path);
}

}  // namespace sbx::modules
