// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/layer_store.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/fault.h"
#include "base/file.h"
#include "base/format.h"
#include "base/value.h"
#include "idmap/idmap.h"
#include "images/image_config.h"

namespace sbx::images {
namespace {

constexpr std::int64_t kLeftForTheHost = std::int64_t{1} << 30;

Result<> sync_tree(const std::string& root) {
  TRY_ASSIGN(const Fd directory, open_path(root, O_RDONLY | O_DIRECTORY));
  if (::syncfs(directory.get()) != 0) return fail_errno("write out " + root);
  return Ok{};
}

}  // namespace

std::string LayerStore::place(const std::string& diff_id) const { return templates_ + "/layers/" + hex_of(diff_id); }
std::string LayerStore::root(const std::string& diff_id) const { return place(diff_id) + "/root"; }
bool LayerStore::has(const std::string& diff_id) const { return exists(place(diff_id) + "/layer.json"); }

Result<layers::Unpacked> LayerStore::details(const std::string& diff_id) const {
  TRY_ASSIGN(const std::string text, read_file(place(diff_id) + "/layer.json"));
  return value_in<layers::Unpacked>(text, "layer", Unknown::kIgnored);
}

std::vector<std::string> LayerStore::list() const {
  std::vector<std::string> found;
  for (const std::string& name : names_in(templates_ + "/layers"))
    if (is_digest("sha256:" + name)) found.push_back("sha256:" + name);
  std::ranges::sort(found);
  return found;
}

Result<std::int64_t> LayerStore::room() const {
  struct statvfs info {};
  if (::statvfs(templates_.c_str(), &info) != 0) return fail_errno("look at " + templates_);
  const auto free = static_cast<std::int64_t>(info.f_bavail * info.f_frsize);
  if (free <= kLeftForTheHost)
    return fail(Code::kUnavailable, sbx::format("only {} MB are free for templates in {}", free >> 20, templates_),
                "sandbox template prune");
  return free - kLeftForTheHost;
}

Result<Unpacker> LayerStore::start_unpacking(const Fd& blob, const Scratch& scratch) const {
  TRY_ASSIGN(const std::int64_t most, room());
  const std::string root = scratch.path() + "/root";
  TRY(make_directories(root, 0755));
  return Unpacker::start(program_, blob, root, most, scratch.lock());
}

Result<layers::Documents> LayerStore::look_into(const Incoming& archive) const {
  const std::string empty = archive.scratch().path() + "/jail";
  TRY(make_directories(empty, 0755));
  TRY_ASSIGN(const Fd file, open_path(archive.file(), O_RDONLY));
  TRY_ASSIGN(const std::int64_t most, room());
  return Unpacker::look(program_, file, empty, most);
}

Result<std::string> LayerStore::plain(const Incoming& archive) const {
  const std::string directory = archive.scratch().path() + "/plain";
  TRY(make_directories(directory, 0755));
  TRY_ASSIGN(const Fd file, open_path(archive.file(), O_RDONLY));
  TRY_ASSIGN(const std::int64_t most, room());
  TRY(Unpacker::write_plain(program_, file, directory, most));
  return directory + "/" + layers::kPlainName;
}

Result<layers::Unpacked> LayerStore::add(Fd blob, const std::string& expected, const layers::BytesRead& progress) {
  TRY_ASSIGN(const auto scratch, Scratch::make(templates_));
  TRY_ASSIGN(Unpacker unpacker, start_unpacking(blob, *scratch));
  blob.reset();
  TRY_ASSIGN(const layers::Unpacked layer, unpacker.finish(progress));
  if (!expected.empty() && layer.diff_id != expected)
    return fail(Code::kInvalid, "the layer is not the one that was asked for: its digest is " + layer.diff_id +
                                    " instead of " + expected);
  TRY(adopt(*scratch, layer));
  return layer;
}

Result<std::optional<layers::Unpacked>> LayerStore::add_changes(Fd blob, const Source& source,
                                                                const layers::BytesRead& progress) {
  sweep(templates_);
  TRY_ASSIGN(const auto scratch, Scratch::make(templates_));
  TRY_ASSIGN(Unpacker unpacker, start_unpacking(blob, *scratch));
  blob.reset();
  const auto layer = unpacker.finish(progress);
  TRY(source());  // first: its failure would be the cause of the other one
  TRY(layer);
  if (layer->entries == 0) return std::optional<layers::Unpacked>();
  TRY(adopt(*scratch, *layer));
  return std::optional(*layer);
}

Result<Packer> LayerStore::pack(const std::string& diff_id) const {
  if (!has(diff_id)) return fail(Code::kNotFound, "no layer " + diff_id);
  layers::PackJob job;
  job.directory = root(diff_id);
  job.as_it_is = true;
  return pack(job, {});
}

Result<Packer> LayerStore::pack(const layers::PackJob& job, const std::function<int()>& before_exec) const {
  return Packer::start(program_, job, before_exec);
}

// The order matters for a kill in between: what is in its place is whole.
Result<> LayerStore::adopt(const Scratch& scratch, const layers::Unpacked& layer) {
  if (has(layer.diff_id)) return Ok{};
  TRY(make_directories(templates_ + "/layers"));
  const std::string whole = scratch.path() + "/layer";
  TRY(make_directories(whole, 0755));
  if (::rename((scratch.path() + "/root").c_str(), (whole + "/root").c_str()) != 0) return fail_errno("move a layer");
  TRY(write_file_atomically(whole + "/layer.json", text_of(layer)));
  TRY(sync_tree(whole));
  TRY(fault_step("images.unpacked"));
  // Another process may have been faster.
  if (::rename(whole.c_str(), place(layer.diff_id).c_str()) != 0 && errno != ENOTEMPTY && errno != EEXIST)
    return fail_errno("move a layer to " + place(layer.diff_id));
  return sync_directory_of(place(layer.diff_id));
}

// What has no layer.json is no layer any more, whatever else is left of it.
Result<> LayerStore::remove(const std::string& diff_id) {
  if (::unlink((place(diff_id) + "/layer.json").c_str()) != 0 && errno != ENOENT)
    return fail_errno("remove layer " + diff_id);
  return idmap::remove_guest_tree(place(diff_id));
}

}  // namespace sbx::images
