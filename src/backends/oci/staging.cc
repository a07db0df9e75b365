// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/staging.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "backends/mounting.h"
#include "backends/oci/writable_layer.h"
#include "backends/sharing.h"
#include "backends/socket_covers.h"
#include "base/file.h"
#include "idmap/idmap.h"

namespace sbx::backends::oci {
namespace {

constexpr const char* kDockerLayer = "/docker";

// A directory to mount the stage over: one that exists everywhere, that every user may enter, and that does not hide
// what is still needed by path.
Result<std::string> stage_directory(const MachineSpec& spec) {
  const auto hides = [&](const std::string& candidate) {
    const auto is_below = [&](const std::string& path) { return (path + "/").starts_with(candidate + "/"); };
    return is_below(spec.state_directory) || is_below(spec.init_program) ||
           std::ranges::any_of(spec.template_layers, is_below);
  };
  for (const char* candidate : {"/mnt", "/media", "/srv", "/opt"}) {
    struct stat info {};
    if (::stat(candidate, &info) == 0 && S_ISDIR(info.st_mode) && !hides(candidate)) return std::string(candidate);
  }
  return fail(Code::kUnavailable, "no directory to mount the guest's root on", "sudo mkdir -p /mnt");
}

std::vector<std::string> layer_directories(const MachineSpec& spec) {
  const std::string disk = spec.state_directory + "/disk";
  std::vector<std::string> directories{disk + "/upper", disk + "/work"};
  if (spec.features.docker) directories.push_back(disk + kDockerLayer);
  return directories;
}

Result<> prepare_writable_layer(const MachineSpec& spec) {
  std::vector<std::string> directories = layer_directories(spec);
  directories.insert(directories.begin(), spec.state_directory + "/disk");
  for (const std::string& directory : directories) {
    TRY(make_directories(directory, 0755));
    const bool ours = !idmap::privileged();
    if (!ours && ::chown(directory.c_str(), spec.id_base, spec.id_base) != 0) return fail_errno("chown " + directory);
  }
  return Ok{};
}

// What a Docker daemon in the guest stores, beside its root: no overlay can lie on another one.
// SECURITY: without nosuid and nodev, as the guest's root, because BuildKit mounts parts of it read-only and forgets
// these two, which a user namespace may not take away. A file there belongs to ids of the guest's, so that a
// set-user-id bit leads to none of the host's; a device can neither be made in a user namespace nor opened in our
// control group.
Result<Fd> open_images(const MachineSpec& spec) {
  if (!spec.features.docker) return Fd();
  TRY_ASSIGN(const Fd place, open_path(spec.state_directory + "/disk" + kDockerLayer, O_PATH | O_DIRECTORY));
  TRY_ASSIGN(Fd tree, clone_tree(place));
  MountChange change;
  change.clear = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (idmap::privileged()) TRY_WITHIN("mount the Docker daemon's images", change_tree(tree, change));
  return tree;
}

// The layers of the template, the lowest first.
Result<std::vector<Fd>> open_layers(const MachineSpec& spec) {
  Fd ids;
  if (idmap::privileged()) {
    TRY_ASSIGN(ids, user_namespace_with(guest_map(spec)));
  }
  std::vector<Fd> layers;
  for (const std::string& layer : spec.template_layers) {
    TRY_ASSIGN(const Fd place, open_path(layer, O_PATH | O_DIRECTORY));
    TRY_ASSIGN(Fd tree, clone_tree(place));
    MountChange change;
    change.set = MOUNT_ATTR_IDMAP | MOUNT_ATTR_RDONLY;
    change.user_namespace = ids.get();
    if (ids) TRY_WITHIN("share the template", change_tree(tree, change));
    layers.push_back(std::move(tree));
  }
  return layers;
}

// Where they are mounted, as an overlay wants to hear of them: the topmost first.
Result<std::string> attach_layers(const std::vector<Fd>& layers, const std::string& stage) {
  std::string lower;
  for (std::size_t i = layers.size(); i-- > 0;) {
    const std::string at = stage + "/" + std::to_string(i);
    if (::mkdir(at.c_str(), 0755) != 0) return fail_errno("make " + at);
    TRY(attach_tree(layers[i], at));
    lower += (lower.empty() ? "" : ":") + at;
  }
  return lower;
}

std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Result<Staging> stage(const MachineSpec& spec) {
  if (!idmap::privileged()) {
    // An ordinary user cannot give the layer to the guest's root from here, only from inside, as that root.
    TRY(make_directories(spec.state_directory + "/disk", 0755));
  }
  TRY_ASSIGN(const std::string stage, stage_directory(spec));
  TRY_WITHIN("isolate the mounts", enter_mount_namespace());
  TRY(mount_layer(spec));
  if (idmap::privileged())
    TRY(prepare_writable_layer(spec));
  else
    TRY(make_owned_by_guest_root(layer_directories(spec)));

  // Everything that is found by path is opened before the stage is mounted, because the stage may hide it.
  TRY_ASSIGN(const Fd upper, open_path(spec.state_directory + "/disk/upper", O_PATH | O_DIRECTORY));
  TRY_ASSIGN(const Fd work, open_path(spec.state_directory + "/disk/work", O_PATH | O_DIRECTORY));
  TRY_ASSIGN(const Fd images, open_images(spec));
  TRY_ASSIGN(const std::vector<Fd> layers, open_layers(spec));
  TRY_ASSIGN(const Fd programs, open_path(directory_of(spec.init_program), O_PATH | O_DIRECTORY));
  std::vector<Shared> sources;
  for (const auto& mount : spec.mounts) {
    TRY_ASSIGN(Shared source, share_mount(mount, spec));
    sources.push_back(std::move(source));
  }

  TRY(mount_tmpfs(stage));
  for (const char* directory : {"/root", "/empty", "/programs"})
    if (::mkdir((stage + directory).c_str(), 0755) != 0) return fail_errno("make " + stage + directory);
  TRY_ASSIGN(const std::string lower, attach_layers(layers, stage));
  TRY(mount_overlay(stage + "/root", lower, upper, work));
  TRY(mount_view(stage + "/programs", programs, stage + "/empty"));
  TRY_ASSIGN(const Shared init, share_system(stage + "/programs/" + name_of(spec.init_program)));
  TRY(attach(init, stage + "/init"));
  TRY_ASSIGN(SocketCovers covers, SocketCovers::create(stage + "/inert"));
  Staging staging{stage + "/root", stage + "/init", {}, {}};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::string at = stage + "/m" + std::to_string(i);
    TRY(attach(sources[i], at));
    if (sources[i].directory)
      TRY_WITHIN("look for sockets in " + spec.mounts[i].source, covers.add(at, spec.mounts[i].source));
    staging.binds.push_back({std::move(at), spec.mounts[i].target, spec.mounts[i].readonly});
  }
  if (images) {
    std::string at = stage + kDockerLayer;
    if (::mkdir(at.c_str(), 0755) != 0) return fail_errno("make " + at);
    TRY(attach_tree(images, at));
    // First: its place is made in the guest's own root, and not in a directory of the user's that is mounted above.
    staging.binds.insert(staging.binds.begin(), {std::move(at), kDockerDirectory, false});
  }
  staging.sockets = covers.covered();
  return staging;
}

}  // namespace sbx::backends::oci
