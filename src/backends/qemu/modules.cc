// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/modules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "backends/qemu/decompress.h"
#include "backends/qemu/module_file.h"
#include "base/file.h"
#include "base/text.h"
#include "base/words.h"

// What depmod writes for modprobe. Only the forms in text are read: kmod keeps writing them.
//   modules.dep              kernel/fs/erofs/erofs.ko: kernel/lib/libcrc32c.ko
//   modules.builtin          kernel/fs/ext4/ext4.ko
//   modules.builtin.modinfo  crc32c_generic.alias=crc32c, each ended by a zero byte
//   modules.softdep          softdep libcrc32c pre: crc32c
//   modules.alias            alias crc32c crc32c_intel
namespace sbx::backends::qemu {
namespace {

struct Module {
  std::string path;
  std::vector<std::string> needs;  // names
};

class Tree {
 public:
  static Result<Tree> read(const std::string& directory);

  // Puts what is needed for `name`, and then its file, at the end of `order`, unless it is there already.
  void add(const std::string& name, std::vector<std::string>& order);
  bool has(const std::string& name) const { return modules_.contains(name) || builtin_.contains(name); }

 private:
  void read_dependencies(const std::string& text);
  void read_builtin(const std::string& paths, const std::string& modinfo);
  void read_soft_dependencies(const std::string& text);
  void read_aliases(const std::string& text);
  std::vector<std::string> providers(const std::string& name) const;

  std::map<std::string, Module> modules_;
  std::set<std::string> builtin_;  // names and aliases
  std::multimap<std::string, std::string> soft_;
  std::multimap<std::string, std::string> aliases_;
  std::set<std::string> added_;
};

std::string spelled(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '-', '_');
  return out;
}

// Not every kernel has each of the lesser files.
std::string text_of(const std::string& path) { return read_file(path).value_or(""); }

Result<Tree> Tree::read(const std::string& directory) {
  Tree tree;
  TRY_ASSIGN(const std::string dependencies, read_file(directory + "/modules.dep"));
  tree.read_dependencies(dependencies);
  tree.read_builtin(text_of(directory + "/modules.builtin"), text_of(directory + "/modules.builtin.modinfo"));
  tree.read_soft_dependencies(text_of(directory + "/modules.softdep"));
  tree.read_aliases(text_of(directory + "/modules.alias"));
  return tree;
}

void Tree::read_dependencies(const std::string& text) {
  for (const std::string& line : split(text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    Module module{line.substr(0, colon), {}};
    for (const std::string& path : words_of(std::string_view(line).substr(colon + 1)))
      module.needs.push_back(module_name(path));
    // modprobe loads them from the last to the first.
    std::ranges::reverse(module.needs);
    modules_.emplace(module_name(module.path), std::move(module));
  }
}

void Tree::read_builtin(const std::string& paths, const std::string& modinfo) {
  constexpr std::string_view kAlias = ".alias=";
  for (const std::string& path : split(paths, '\n')) builtin_.insert(module_name(path));
  for (const std::string& field : split(modinfo, '\0'))
    if (const std::size_t at = field.find(kAlias); at != std::string::npos)
      builtin_.insert(spelled(field.substr(at + kAlias.size())));
}

void Tree::read_soft_dependencies(const std::string& text) {
  for (const std::string& line : split(text, '\n')) {
    const auto words = words_of(line);
    if (words.size() < 4 || words[0] != "softdep" || words[2] != "pre:") continue;
    for (std::size_t i = 3; i < words.size() && words[i] != "post:"; ++i)
      soft_.emplace(spelled(words[1]), spelled(words[i]));
  }
}

void Tree::read_aliases(const std::string& text) {
  for (const std::string& line : split(text, '\n'))
    if (const auto words = words_of(line); words.size() == 3 && words[0] == "alias")
      aliases_.emplace(spelled(words[1]), spelled(words[2]));
}

// The modules that are what a soft dependency asks for: none if it is built in. The one for any processor is preferred,
// because one for a processor that the machine does not have fails to load.
std::vector<std::string> Tree::providers(const std::string& name) const {
  if (builtin_.contains(name)) return {};
  if (modules_.contains(name)) return {name};
  std::vector<std::string> found;
  for (auto [at, end] = aliases_.equal_range(name); at != end; ++at) {
    if (at->second.ends_with("_generic")) return {at->second};
    found.push_back(at->second);
  }
  return found;
}

void Tree::add(const std::string& name, std::vector<std::string>& order) {
  const auto module = modules_.find(name);
  if (module == modules_.end() || builtin_.contains(name) || !added_.insert(name).second) return;
  for (auto [at, end] = soft_.equal_range(name); at != end; ++at)
    for (const std::string& provider : providers(at->second)) add(provider, order);
  for (const std::string& needed : module->second.needs) add(needed, order);
  order.push_back(module->second.path);
}

// Where distributions put what a kernel was built with: Debian beside the image, Fedora in both places.
std::optional<std::string> config_of(const Kernel& kernel) {
  const std::string beside = kernel.image.substr(0, kernel.image.rfind('/') + 1) + "config-" + kernel.release;
  for (const std::string& path : {beside, kernel.modules + "/config"})
    if (auto config = read_file(path)) return std::move(*config);
  return std::nullopt;
}

bool needs_signatures(const Kernel& kernel) {
  const auto config = config_of(kernel);
  if (!config) return true;
  return config->find("CONFIG_MODULE_SIG_FORCE=y") != std::string::npos ||
         config->find("CONFIG_LOCK_DOWN_KERNEL_FORCE_INTEGRITY=y") != std::string::npos ||
         config->find("CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y") != std::string::npos;
}

}  // namespace

std::string module_name(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return spelled(file.substr(0, file.find(".ko")));
}

Result<std::vector<std::string>> modules_in_order(const Kernel& kernel, std::span<const std::string_view> wanted) {
  TRY_ASSIGN(Tree tree, Tree::read(kernel.modules));
  std::vector<std::string> order;
  std::vector<std::string> missing;
  for (const std::string_view name : wanted) {
    if (!tree.has(spelled(name))) missing.emplace_back(name);
    tree.add(spelled(name), order);
  }
  if (!missing.empty())
    return fail(Code::kUnavailable,
                "kernel " + kernel.release + " cannot run a machine: it lacks " + join(missing, ", "),
                "packages/kernel, of the sources, unpacks a kernel that has them");
  return order;
}

Result<std::string> loadable_module(const Kernel& kernel, const std::string& path) {
  const std::string file = kernel.modules + "/" + path;
  TRY_ASSIGN(std::string module, read_file(file));
  if (!path.ends_with(".ko")) {
    auto content = decompressed(module);
    if (!content) return fail(std::move(content).error().within(file));
    module = std::move(*content);
  }
  return needs_signatures(kernel) ? module : without_diagnostics(without_signature(std::move(module)));
}

}  // namespace sbx::backends::qemu
