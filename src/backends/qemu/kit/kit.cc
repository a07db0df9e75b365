// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/kit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <vector>

#include "backends/qemu/kit/bzimage.h"
#include "backends/qemu/kit/initramfs.h"
#include "backends/qemu/kit/kernel.h"
#include "backends/qemu/kit/modules.h"
#include "backends/qemu/without.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/format.h"
#include "base/lock.h"
#include "base/log.h"
#include "modules/tree.h"

// How a kit is made, so that a kill at any point leaves it undone or done:
//   lock          held while a kit is made and while anything is removed
//   tmp-XXXXXX/   made under the lock: to the holder of the lock every other one is a dead process's
//   <key>/        tmp-XXXXXX, renamed when all that is in it is on the disk
namespace sbx::backends::qemu {
namespace {

constexpr std::string_view kScratchPrefix = "tmp-";
constexpr std::string_view kKitForm = "9";  // of the initramfs; another one makes all kits anew
constexpr std::size_t kMostImage = 512u << 20;
constexpr std::size_t kKept = 3;
constexpr std::int64_t kDay = 24 * 60 * 60;

// Changes when the file is replaced or written to.
Result<std::string> identity_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return fail_errno("look at " + path);
  return sbx::format("{} {} {}.{:09}\n", path, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

// FNV-1a. A collision is no attack: all that goes into it is the user's own.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::vector<std::string_view> all_modules() {
  std::vector<std::string_view> names(kWantedModules.begin(), kWantedModules.end());
  names.insert(names.end(), kNetworkModules.begin(), kNetworkModules.end());
  return names;
}

Result<std::string> key_of(const Kernel& kernel, const std::string& init_program) {
  std::string text = sbx::format("{}\n{}\n", kKitForm, switched_off());
  for (const std::string& path : {kernel.image, kernel.modules + "/modules.dep", init_program}) {
    TRY_ASSIGN(const std::string identity, identity_of(path));
    text += identity;
  }
  for (const std::string_view name : all_modules()) text.append(name).append("\n");
  return sbx::format("{}-{:016x}", kernel.release, hash_of(text));
}

std::optional<Kit> look_up(const std::string& directory, const Kernel& kernel) {
  Kit kit{directory + "/kernel", directory + "/initramfs", kernel.modules, kernel.release};
  if (!exists(kit.kernel) || !exists(kit.initramfs)) return std::nullopt;
  // When it was last of use; if this cannot be written down, it may be made again one day.
  (void)!::utimensat(AT_FDCWD, directory.c_str(), nullptr, 0);
  return kit;
}

Result<std::string> kernel_for(const Kernel& kernel) {
  TRY_ASSIGN(std::string image, read_file(kernel.image, kMostImage));
  auto uncompressed = uncompressed_kernel(image);
  if (uncompressed) return uncompressed;
  log_info("machines boot {} as it is, more slowly: {}", kernel.image, uncompressed.error().what());
  return image;
}

Result<std::vector<NamedModule>> read_modules(const Kernel& kernel, std::span<const std::string> paths) {
  std::vector<NamedModule> modules;
  for (const std::string& path : paths) {
    TRY_ASSIGN(std::string content, loadable_module(kernel, path));
    modules.push_back({sbx::modules::module_name(path), std::move(content)});
  }
  return modules;
}

// The network's come after what is wanted first, and without what is in it already.
Result<std::string> initramfs_for(const Kernel& kernel, const std::string& init_program) {
  TRY_ASSIGN(std::string init, read_file(init_program, kMostImage));
  TRY_ASSIGN(const auto first, modules_in_order(kernel, kWantedModules));
  TRY_ASSIGN(const auto all, modules_in_order(kernel, all_modules()));
  TRY_ASSIGN(auto modules, read_modules(kernel, first));
  TRY_ASSIGN(auto of_network, read_modules(kernel, std::span(all).subspan(first.size())));
  return cpio_archive(initramfs_entries(std::move(init), std::move(modules), std::move(of_network)));
}

Result<> write_for_all(const std::string& path, std::string_view content) {
  TRY_ASSIGN(const Fd file, open_path(path, O_WRONLY | O_CREAT | O_EXCL, 0644));
  TRY_WITHIN("write " + path, write_all(file, content));
  // Whatever the user's umask is, because QEMU, which reads it, may run as the user `nobody`.
  if (::fchmod(file.get(), 0644) != 0) return fail_errno("make readable " + path);
  if (::fsync(file.get()) != 0) return fail_errno("sync " + path);
  return Ok{};
}

Result<> fill(const std::string& scratch, const Kernel& kernel, const std::string& init_program) {
  if (::chmod(scratch.c_str(), 0755) != 0) return fail_errno("make readable " + scratch);
  TRY_ASSIGN(const std::string image, kernel_for(kernel));
  TRY(write_for_all(scratch + "/kernel", image));
  TRY_ASSIGN(const std::string initramfs, initramfs_for(kernel, init_program));
  TRY(write_for_all(scratch + "/initramfs", initramfs));
  return sync_directory_of(scratch + "/kernel");
}

Result<> make(const std::string& kernels, const std::string& place, const Kernel& kernel,
              const std::string& init_program) {
  std::string scratch = sbx::format("{}/{}XXXXXX", kernels, kScratchPrefix);
  if (::mkdtemp(scratch.data()) == nullptr) return fail_errno("make a directory in " + kernels);
  auto made = fill(scratch, kernel, init_program);
  if (made && ::rename(scratch.c_str(), place.c_str()) != 0) made = fail_errno("rename to " + place);
  if (!made) {
    (void)remove_tree(scratch);  // or the next one sweeps it
    return made;
  }
  return sync_directory_of(place);
}

struct Found {
  std::string path;
  std::int64_t used = 0;
};

// The directories of `kernels`, those used last first.
std::vector<Found> directories_of(const std::string& kernels) {
  std::vector<Found> found;
  for (const std::string& name : names_in(kernels)) {
    struct stat info {};
    const std::string path = kernels + "/" + name;
    if (::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) found.push_back({path, info.st_mtim.tv_sec});
  }
  std::ranges::sort(found, std::ranges::greater{}, &Found::used);
  return found;
}

// Only with the lock held.
void sweep(const std::string& kernels) {
  const std::int64_t yesterday = std::time(nullptr) - kDay;
  std::size_t kits = 0;
  for (const Found& found : directories_of(kernels)) {
    const bool is_scratch = found.path.substr(kernels.size() + 1).starts_with(kScratchPrefix);
    if (!is_scratch && (++kits <= kKept || found.used > yesterday)) continue;
    if (const auto removed = remove_tree(found.path); !removed) log_warning("{}", removed.error().what());
  }
}

Result<Fd> locked_kernels(const std::string& kernels) {
  TRY_ASSIGN(Fd lock, open_path(kernels + "/lock", O_RDWR | O_CREAT));
  TRY(lock_file(lock, kernels));
  return lock;
}

}  // namespace

Result<Kit> ready_kit(const Settings& settings, const std::string& init_program, const std::string& cache_directory) {
  TRY_ASSIGN(const Kernel kernel, find_kernel(settings));
  TRY_ASSIGN(const std::string key, key_of(kernel, init_program));
  const std::string kernels = cache_directory + "/kernels";
  const std::string place = kernels + "/" + key;
  if (const auto kit = look_up(place, kernel)) return *kit;
  TRY(make_directories(kernels));
  TRY_ASSIGN(const Fd lock, locked_kernels(kernels));
  sweep(kernels);
  // Another one may have made it while this one waited.
  if (const auto kit = look_up(place, kernel)) return *kit;
  TRY_WITHIN("make a kit of kernel " + kernel.release, make(kernels, place, kernel, init_program));
  if (const auto kit = look_up(place, kernel)) return *kit;
  return fail(Code::kInternal, "make a kit of kernel " + kernel.release + ": it is gone again");
}

}  // namespace sbx::backends::qemu
