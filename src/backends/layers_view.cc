// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/layers_view.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>

#include "idmap/idmap.h"

namespace sbx::backends {
namespace {

// A child's passed descriptors take the numbers below.
constexpr int kAbovePassed = 64;

// Opens it again, in the mount namespace of the child: an overlay takes no layer from another one.
int reopen(const char* path, int number) {
  const int fd = ::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int error = ::dup3(fd, number, O_CLOEXEC) < 0 ? errno : 0;
  ::close(fd);
  return error;
}

}  // namespace

Result<LayersView> LayersView::of(const std::vector<std::string>& layers) {
  LayersView view;
  for (const std::string& layer : layers) {
    TRY_ASSIGN(const Fd found, open_path(layer, O_PATH | O_DIRECTORY));
    Fd place(::fcntl(found.get(), F_DUPFD_CLOEXEC, kAbovePassed));
    if (!place) return fail_errno("open " + layer);
    // By descriptor, because a comma or a colon in a path would end the option, and many paths would not fit.
    view.options_ = "/proc/self/fd/" + std::to_string(place.get()) + (view.options_.empty() ? "" : ":") + view.options_;
    view.layers_.push_back({layer, std::move(place)});
  }
  view.options_ = "lowerdir=" + view.options_;
  if (!idmap::privileged()) view.options_ += ",userxattr";
  return view;
}

std::function<int()> LayersView::mounting_on(const std::string& directory) const {
  return [this, directory] {
    if (::unshare(CLONE_NEWNS) != 0) return errno;
    if (::mount("", "/", nullptr, MS_PRIVATE | MS_REC, nullptr) != 0) return errno;
    for (const Layer& layer : layers_)
      if (const int error = reopen(layer.path.c_str(), layer.place.get()); error != 0) return error;
    return ::mount("overlay", directory.c_str(), "overlay", MS_RDONLY, options_.c_str()) == 0 ? 0 : errno;
  };
}

}  // namespace sbx::backends
