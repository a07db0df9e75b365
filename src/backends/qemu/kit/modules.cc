// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/modules.h"

#include <endian.h>

#include <cstdint>
#include <cstring>
#include <optional>

#include "backends/qemu/kit/decompress.h"
#include "backends/qemu/without.h"
#include "base/file.h"
#include "base/text.h"
#include "modules/tree.h"

namespace sbx::backends::qemu {
namespace {

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

// What follows a module: signature, struct module_signature, of which the last word is the signature's length, kMark.
constexpr std::string_view kMark = "~Module signature appended~\n";
constexpr std::size_t kSignatureHeader = 12;

std::string without_signature(std::string module) {
  const std::size_t trailer = kSignatureHeader + kMark.size();
  if (!module.ends_with(kMark) || module.size() < trailer) return module;
  std::uint32_t length = 0;
  std::memcpy(&length, module.data() + module.size() - kMark.size() - sizeof length, sizeof length);
  length = be32toh(length);
  if (length <= module.size() - trailer) module.resize(module.size() - trailer - length);
  return module;
}

}  // namespace

Result<std::vector<std::string>> modules_in_order(const Kernel& kernel, std::span<const std::string_view> wanted) {
  TRY_ASSIGN(auto tree, modules::Tree::read(kernel.modules));
  std::vector<std::string> order;
  std::vector<std::string> missing;
  for (const std::string_view name : wanted) {
    if (!tree.has(name)) missing.emplace_back(name);
    tree.add(name, order);
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
  if (needs_signatures(kernel) || without("unsigned-modules")) return module;
  return without_signature(std::move(module));
}

}  // namespace sbx::backends::qemu
