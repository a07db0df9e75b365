// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/pack_job.h"

namespace sbx::layers {
namespace {

archive::IdOf id_of(const std::vector<OwnerRange>& ranges) {
  return [ranges](std::uint32_t id) -> std::optional<std::uint32_t> {
    if (ranges.empty()) return id;
    for (const OwnerRange& range : ranges)
      if (id >= range.host && id - range.host < range.count) return range.guest + (id - range.host);
    return std::nullopt;
  };
}

}  // namespace

void describe(Members& members, OwnerRange& range) {
  members.required("guest", range.guest);
  members.required("host", range.host);
  members.required("count", range.count);
}

void describe(Members& members, PackJob& job) {
  members.required("directory", job.directory);
  members.sparse("as_it_is", job.as_it_is);
  members.sparse("mount_points", job.mount_points);
  members.sparse("uids", job.uids);
  members.sparse("gids", job.gids);
}

archive::ChangesOptions options_of(const PackJob& job) {
  archive::ChangesOptions options;
  if (!job.as_it_is) options.left_out = archive::LeftOut::of_sandbox(job.mount_points);
  options.uid = id_of(job.uids);
  options.gid = id_of(job.gids);
  return options;
}

}  // namespace sbx::layers
