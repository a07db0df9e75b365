// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/storage.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "idmap/idmap.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::minutes kDuLimit{5};
constexpr std::size_t kBlobName = 64;  // digits: blobs::file_name()

// Bytes on the disk of each directory, in the order of `directories`; of one that is not there, 0. What several of them
// share counts for the first.
Result<std::vector<std::int64_t>> bytes_in(const std::vector<std::string>& directories) {
  std::vector<std::int64_t> bytes(directories.size(), 0);
  std::map<std::string, std::size_t> place;
  Command command;
  command.argv = {"du", "--summarize", "--block-size=1", "--one-file-system", "--null", "--"};
  for (std::size_t i = 0; i < directories.size(); ++i) {
    if (!exists(directories[i])) continue;
    place[directories[i]] = i;
    command.argv.push_back(directories[i]);
  }
  if (place.empty()) return bytes;
  TRY_ASSIGN(Pipe out, make_pipe());
  command.stdout_fd = out.write.get();
  TRY_ASSIGN(Child child, idmap::start_as_guest_root(std::move(command)));
  out.write.reset();
  TRY_ASSIGN(const std::string said, read_all(out.read, 16u << 20));
  TRY(child.wait_for(kDuLimit));  // a file that vanished meanwhile makes it fail, and the rest is still right
  for (const std::string& line : split(said, '\0')) {
    const std::size_t tab = line.find('\t');
    const auto count = parse_integer(line.substr(0, tab));
    const auto it = tab == std::string::npos ? place.end() : place.find(line.substr(tab + 1));
    if (count && it != place.end()) bytes[it->second] = *count;
  }
  return bytes;
}

bool is_link(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

}  // namespace

Result<wire::DiskUsage> Storage::usage(const std::string& only) const {
  const Home& home = parts_.store.home();
  wire::DiskUsage usage;
  usage.home = home.root();
  std::vector<std::string> directories;
  std::set<std::string> used;
  for (const auto& sandbox : registry_.all()) {
    used.insert(sandbox->record().base.digest);
    if (!only.empty() && sandbox->name() != only) continue;
    usage.sandboxes.push_back({sandbox->name(), 0});
    directories.push_back(home.machine(sandbox->name()));
  }
  if (only.empty()) directories.insert(directories.end(), {home.templates() + "/.", home.blobs(), home.cache()});
  TRY_ASSIGN(const auto bytes, bytes_in(directories));
  for (std::size_t i = 0; i < usage.sandboxes.size(); ++i) usage.sandboxes[i].bytes = bytes[i];
  if (!only.empty()) return usage;
  usage.templates_bytes = bytes[bytes.size() - 3];
  usage.docker_cache_bytes = bytes[bytes.size() - 2];
  usage.cache_bytes = bytes.back();
  if (parts_.template_store == nullptr) return usage;
  for (const images::TemplateInfo& info : parts_.template_store->list())
    usage.templates.push_back({info.digest, info.names, info.bytes, used.contains(info.digest)});
  return usage;
}

// Those that are being written belong to processes that run, and one that is being read stays until it is read.
Result<std::int64_t> Storage::remove_blobs() const {
  const std::string directory = parts_.store.home().blobs();
  TRY_ASSIGN(const auto before, bytes_in({directory}));
  for (const std::string& name : names_in(directory))
    if (name.size() == kBlobName) TRY(remove_file(directory + "/" + name));
  TRY_ASSIGN(const auto after, bytes_in({directory}));
  return std::max<std::int64_t>(before.front() - after.front(), 0);
}

Result<> Storage::remove_shared() const {
  if (!registry_.all().empty())
    return fail(Code::kConflict, "a sandbox is there, and needs its template", "sandbox ls");
  const Home& home = parts_.store.home();
  const auto nothing_in_use = [] { return Result<images::InUse>(images::InUse()); };
  if (!is_link(home.templates()) && parts_.template_store != nullptr)
    TRY(parts_.template_store->prune(nothing_in_use, /*all=*/true));
  TRY_WITHIN("remove " + home.templates(), idmap::remove_guest_tree(home.templates()));
  return idmap::remove_guest_tree(home.cache());
}

}  // namespace sbx::sandboxes
