// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/project_quota.h"

#include <fcntl.h>
#include <linux/dqblk_xfs.h>
#include <linux/fs.h>
#include <linux/quota.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/file.h"

namespace sbx::backends::oci {
namespace {

constexpr std::uint32_t kNoProject = 0;
constexpr int kMostProjects = 1000;

// What mkfs.ext4 gives a disk of that size.
std::int64_t files_for(std::int64_t bytes) { return bytes / (bytes < (std::int64_t{512} << 20) ? 4096 : 16384); }

// By descriptor and not by device, which need not have a name here.
int quota_call(const Fd& place, unsigned command, std::uint32_t project, void* address) {
  return static_cast<int>(::syscall(SYS_quotactl_fd, place.get(), QCMD(command, PRJQUOTA), project, address));
}

Result<Fd> open_directory(const std::string& path) { return open_path(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW); }

Result<std::uint32_t> project_of(const Fd& directory) {
  fsxattr attributes{};
  if (::ioctl(directory.get(), FS_IOC_FSGETXATTR, &attributes) != 0) return fail_errno("read a directory's project");
  return attributes.fsx_projid;
}

Result<> put_into_project(const Fd& directory, std::uint32_t project) {
  fsxattr attributes{};
  if (::ioctl(directory.get(), FS_IOC_FSGETXATTR, &attributes) != 0) return fail_errno("read a directory's project");
  attributes.fsx_projid = project;
  attributes.fsx_xflags |= FS_XFLAG_PROJINHERIT;
  if (::ioctl(directory.get(), FS_IOC_FSSETXATTR, &attributes) != 0) return fail_errno("set a directory's project");
  return Ok{};
}

Result<bool> is_unused(const Fd& place, std::uint32_t project) {
  if_dqblk quota{};
  if (quota_call(place, Q_GETQUOTA, project, &quota) == 0)
    return quota.dqb_bhardlimit == 0 && quota.dqb_ihardlimit == 0 && quota.dqb_curinodes == 0;
  if (errno == ENOENT) return true;
  return fail_errno("read a project's quota");
}

std::uint32_t first_candidate(std::string_view seed) {
  std::uint32_t number = 0;
  for (const char c : seed) number = number * 31 + static_cast<unsigned char>(c);
  return number;
}

// Another home on the same file system, and another program, may have projects, too.
Result<std::uint32_t> unused_project(const Fd& place, std::string_view seed) {
  std::uint32_t project = first_candidate(seed);
  for (int attempt = 0; attempt < kMostProjects; ++attempt, ++project) {
    project &= 0x7fffffffu;  // xfs's own tools take no more
    if (project == kNoProject) continue;
    TRY_ASSIGN(const bool unused, is_unused(place, project));
    if (unused) return project;
  }
  return fail(Code::kUnavailable, "no project is free for a quota");
}

Result<> set_quota(const Fd& place, std::uint32_t project, std::int64_t bytes, std::int64_t files) {
  if_dqblk quota{};
  quota.dqb_bhardlimit = static_cast<__u64>(bytes) / QIF_DQBLKSIZE;
  quota.dqb_ihardlimit = static_cast<__u64>(files);
  quota.dqb_valid = QIF_LIMITS;
  if (quota_call(place, Q_SETQUOTA, project, &quota) != 0) return fail_errno("set a project's quota");
  return Ok{};
}

}  // namespace

Result<> project_quotas_work(const std::string& directory) {
  TRY_ASSIGN(const Fd place, open_directory(directory));
  fs_quota_statv state{};
  state.qs_version = FS_QSTATV_VERSION1;
  if (quota_call(place, Q_XGETQSTATV, 0, &state) != 0 || (state.qs_flags & FS_QUOTA_PDQ_ENFD) == 0)
    return fail(Code::kUnavailable, "the file system of " + directory + " has no project quota",
                "mount it with prjquota (ext4 made with -O quota,project, or xfs)");
  if_dqblk quota{};
  if (quota_call(place, Q_GETQUOTA, kNoProject, &quota) != 0 && errno != ENOENT)
    return fail_errno("read the project quota of " + directory);
  return Ok{};
}

Result<> bound_project(const std::string& directory, std::int64_t bytes, std::string_view seed) {
  TRY(project_quotas_work(directory));
  TRY_ASSIGN(const Fd place, open_directory(directory));
  TRY_ASSIGN(std::uint32_t project, project_of(place));
  if (project == kNoProject) {
    if (!names_in(directory).empty())
      return fail(Code::kConflict, directory + " holds files that no quota counts", "sandbox rm, and make it anew");
    TRY_ASSIGN(project, unused_project(place, seed));
    TRY(put_into_project(place, project));
  }
  return set_quota(place, project, bytes, files_for(bytes));
}

Result<> release_project(const std::string& directory) {
  if (!exists(directory) || !project_quotas_work(directory)) return Ok{};
  TRY_ASSIGN(const Fd place, open_directory(directory));
  const auto project = project_of(place);
  if (!project || *project == kNoProject) return Ok{};
  return set_quota(place, *project, 0, 0);
}

}  // namespace sbx::backends::oci
