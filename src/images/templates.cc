// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/templates.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "base/fault.h"
#include "base/file.h"
#include "base/format.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/text.h"
#include "idmap/idmap.h"
#include "images/build.h"
#include "images/recipe.h"

// How a build becomes a template, so that a kill at any point leaves it undone or done:
//   tmp-XXXXXX/             made under the lock: to the holder of the lock every other one is a dead build's
//   tmp-XXXXXX/tree/root    the tree
//   tmp-XXXXXX/ref          "<key> <digest>", written when the tree is on disk
//   <digest>                tmp-XXXXXX/tree, renamed
//   refs/<key>              "<digest>". If a dead build got as far as the rename but not here, the sweep writes it
namespace sbx::images {
namespace {

constexpr std::string_view kScratchPrefix = "tmp-";
constexpr std::size_t kDigestLength = 64;

// The directories of a build; what is left of them goes with the object.
class Scratch {
 public:
  static Result<std::unique_ptr<Scratch>> make(const std::string& templates) {
    std::string path = sbx::format("{}/{}XXXXXX", templates, kScratchPrefix);
    if (::mkdtemp(path.data()) == nullptr) return fail_errno("make a directory in " + templates);
    std::unique_ptr<Scratch> scratch(new Scratch(path));
    TRY(make_directories(scratch->root(), 0755));
    TRY(make_directories(scratch->work()));
    return scratch;
  }
  ~Scratch() {
    if (const auto removed = idmap::remove_guest_tree(path_); !removed) log_warning("{}", removed.error().what());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string tree() const { return path_ + "/tree"; }
  std::string root() const { return path_ + "/tree/root"; }
  std::string work() const { return path_ + "/work"; }
  std::string ref() const { return path_ + "/ref"; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::string ref_path(const std::string& templates, const std::string& key) { return templates + "/refs/" + key; }

std::optional<Template> look_up(const std::string& templates, std::string_view name, const std::string& key) {
  const auto digest = read_file(ref_path(templates, key), 1024);
  if (!digest || digest->size() != kDigestLength) return std::nullopt;
  Template found{std::string(name), "sha256:" + *digest, sbx::format("{}/{}/root", templates, *digest)};
  if (!exists(found.root)) return std::nullopt;
  return found;
}

std::vector<std::string> scratch_directories(const std::string& templates) {
  std::vector<std::string> out;
  for (const std::string& name : names_in(templates))
    if (name.starts_with(kScratchPrefix)) out.push_back(templates + "/" + name);
  return out;
}

void complete(const std::string& templates, const std::string& scratch) {
  const auto ref = read_file(scratch + "/ref", 1024);
  if (!ref) return;
  const auto parts = split(*ref, ' ');
  if (parts.size() != 2 || parts[0].find('/') != std::string::npos || parts[1].size() != kDigestLength) return;
  if (!exists(sbx::format("{}/{}/root", templates, parts[1]))) return;
  (void)write_file_atomically(ref_path(templates, parts[0]), parts[1]);  // or it is built again
}

// Only with the lock held.
void sweep(const std::string& templates) {
  for (const std::string& scratch : scratch_directories(templates)) {
    complete(templates, scratch);
    if (const auto removed = idmap::remove_guest_tree(scratch); !removed) log_warning("{}", removed.error().what());
  }
}

Result<Fd> open_lock(const std::string& templates) { return open_path(templates + "/lock", O_RDWR | O_CREAT); }

// An empty optional when another build has it.
Result<std::optional<Fd>> try_lock(const std::string& templates) {
  TRY_ASSIGN(Fd lock, open_lock(templates));
  TRY_ASSIGN(const bool held, try_lock_file(lock, templates));
  return held ? std::optional<Fd>(std::move(lock)) : std::nullopt;
}

Result<Fd> wait_for_lock(const std::string& templates, const Progress& progress) {
  TRY_ASSIGN(auto free, try_lock(templates));
  if (free) return std::move(*free);
  if (progress) progress("waiting for another build", 0, 0);
  TRY_ASSIGN(Fd lock, open_lock(templates));
  TRY(lock_file(lock, templates));
  return lock;
}

Result<> sync_tree(const std::string& root) {
  TRY_ASSIGN(const Fd directory, open_path(root, O_RDONLY | O_DIRECTORY));
  if (::syncfs(directory.get()) != 0) return fail_errno("write out " + root);
  return Ok{};
}

Result<> rename_to(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return fail_errno(sbx::format("rename {} to {}", from, to));
  return Ok{};
}

// The order of the comment at the top.
Result<> publish(const std::string& templates, const Scratch& scratch, const std::string& key,
                 const std::string& digest) {
  TRY(sync_tree(scratch.root()));
  if (fault_here("images.unpacked")) return fail(Code::kInternal, "fault injected at images.unpacked");
  TRY(write_file_atomically(scratch.ref(), key + " " + digest));
  const std::string place = templates + "/" + digest;
  // The same content may be there already, and in use.
  if (!exists(place)) TRY(rename_to(scratch.tree(), place));
  if (fault_here("images.renamed")) return fail(Code::kInternal, "fault injected at images.renamed");
  return write_file_atomically(ref_path(templates, key), digest);
}

Result<> build(const std::string& templates, const Recipe& recipe, const std::string& key, const Fd& lock,
               const Progress& progress) {
  TRY_ASSIGN(const auto scratch, Scratch::make(templates));
  BuildLog log(progress);
  TRY_ASSIGN(const std::string digest, build_tree(recipe, scratch->work(), scratch->root(), lock, log));
  return publish(templates, *scratch, key, digest);
}

}  // namespace

Templates::Templates(std::string directory) : directory_(std::move(directory)) {}

std::vector<std::string> Templates::names() {
  std::vector<std::string> out;
  for (const Recipe& recipe : recipes()) out.emplace_back(recipe.name);
  return out;
}

Result<Template> Templates::get(const std::string& name, wire::Pull pull, const Progress& progress) {
  TRY_ASSIGN(const Recipe* recipe, find_recipe(name));
  TRY_ASSIGN(const Distribution distribution, host_distribution());
  const std::string key = key_of(*recipe, distribution);
  if (!scratch_directories(directory_).empty())
    if (const auto lock = try_lock(directory_); lock && *lock) sweep(directory_);
  const bool rebuild = pull == wire::Pull::kAlways;
  if (const auto found = look_up(directory_, name, key); found && !rebuild) return *found;
  if (pull == wire::Pull::kNever)
    return fail(Code::kNotFound, "template " + name + " has not been built, and pull is never",
                "leave out --pull never");
  TRY(make_directories(directory_ + "/refs"));
  TRY_ASSIGN(const Fd lock, wait_for_lock(directory_, progress));
  sweep(directory_);
  if (const auto found = look_up(directory_, name, key); found && !rebuild) return *found;
  TRY_WITHIN("build template " + name, build(directory_, *recipe, key, lock, progress));
  if (const auto built = look_up(directory_, name, key)) return *built;
  return fail(Code::kInternal, "build template " + name + ": it is gone again");
}

}  // namespace sbx::images
