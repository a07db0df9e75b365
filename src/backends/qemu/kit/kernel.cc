// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/kernel.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

#include "backends/qemu/kit/bzimage.h"
#include "base/fd.h"
#include "base/file.h"

namespace sbx::backends::qemu {
namespace {

#if defined(__aarch64__)
constexpr std::string_view kCloud = "-cloud-arm64";
#else
constexpr std::string_view kCloud = "-cloud-amd64";
#endif
// Where packages/kernel unpacks one, beside the system: one that is installed could become the host's own.
constexpr const char* kUnpacked = "/usr/local/lib/sandboxd/kernel";
constexpr const char* kHint =
    "packages/kernel, of the sources, which unpacks the distribution's cloud kernel for microVMs";
constexpr const char* kSettingsHint = "set \"kernel\" and \"modules\" in the configuration file, or neither";
constexpr std::string_view kPrefix = "vmlinuz-";

bool has_modules(const std::string& directory) { return ::access((directory + "/modules.dep").c_str(), R_OK) == 0; }

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

Result<Kernel> configured_kernel(const Settings& settings, const std::string& root) {
  if (settings.kernel.empty())
    return fail(Code::kInvalid, "the configuration names \"modules\" but no \"kernel\"", kSettingsHint);
  auto head = image_head(settings.kernel);
  if (!head) return fail(std::move(head).error().within("the configured kernel").with_hint(kSettingsHint));
  const auto release = release_of(*head);
  if (!release && settings.modules.empty())
    return fail(Code::kInvalid, settings.kernel + " does not say its release, so \"modules\" must be configured too",
                kSettingsHint);
  Kernel kernel{settings.kernel, without_slashes(settings.modules), ""};
  if (kernel.modules.empty()) kernel.modules = root + "/lib/modules/" + *release;
  kernel.release = release.value_or(kernel.modules.substr(kernel.modules.rfind('/') + 1));
  if (!has_modules(kernel.modules))
    return fail(Code::kNotFound, "no modules.dep for kernel " + settings.kernel + " in " + kernel.modules,
                kSettingsHint);
  return kernel;
}

// Every image with a release in its name, whether it is of use or not.
std::vector<Kernel> images_on(const std::string& root) {
  const std::string modules = root + "/lib/modules/";
  std::vector<Kernel> found;
  for (const std::string& name : names_in(root + "/boot"))
    if (name.starts_with(kPrefix)) {
      const std::string release = name.substr(kPrefix.size());
      found.push_back({root + "/boot/" + name, modules + release, release});
    }
  for (const std::string& release : names_in(modules))
    if (const std::string image = modules + release + "/vmlinuz"; exists(image))
      found.push_back({image, modules + release, release});
  return found;
}

bool better(const Kernel& a, const Kernel& b) {
  const bool a_is_cloud = a.release.ends_with(kCloud);
  if (a_is_cloud != b.release.ends_with(kCloud)) return a_is_cloud;
  return ::strverscmp(a.release.c_str(), b.release.c_str()) > 0;
}

Error nothing_found(const std::vector<Kernel>& without_modules, const std::vector<Kernel>& unreadable) {
  if (!unreadable.empty())
    return Error(Code::kForbidden, "no kernel for machines: this user may not read " + unreadable.front().image,
                 "sudo chmod a+r " + unreadable.front().image);
  if (!without_modules.empty())
    return Error(Code::kNotFound,
                 "no kernel for machines: " + without_modules.front().image + " has no modules in " +
                     without_modules.front().modules,
                 kHint);
  return Error(Code::kUnavailable, "no kernel for machines in /boot or /lib/modules", kHint);
}

}  // namespace

Result<Kernel> find_kernel(const Settings& settings, const std::string& root) {
  if (!settings.kernel.empty() || !settings.modules.empty()) return configured_kernel(settings, root);
  std::vector<Kernel> images = images_on(root + kUnpacked);
  std::ranges::move(images_on(root), std::back_inserter(images));
  std::ranges::stable_sort(images, better);
  std::vector<Kernel> without_modules;
  std::vector<Kernel> unreadable;
  for (const Kernel& kernel : images) {
    if (!has_modules(kernel.modules)) {
      without_modules.push_back(kernel);
    } else if (!open_path(kernel.image, O_RDONLY)) {
      unreadable.push_back(kernel);  // Ubuntu's are root's alone
    } else {
      return kernel;
    }
  }
  return fail(nothing_found(without_modules, unreadable));
}

}  // namespace sbx::backends::qemu
