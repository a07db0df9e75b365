// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/removal.h"

#include <dirent.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "base/fault.h"
#include "base/file.h"
#include "base/log.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::milliseconds kRemoveGrace{500};

// Everything but the record, which must outlive what it describes.
Result<> remove_all_but_record(const std::string& directory) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), &::closedir);
  if (!entries) return errno == ENOENT ? Result<>(Ok{}) : fail_errno("list " + directory);
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != ".." && name != "metadata.json") TRY(remove_tree(directory + "/" + name));
  }
  return Ok{};
}

}  // namespace

Result<> Removal::remove(const std::string& name) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const auto held = sandbox->operation_to_end();
  if (std::holds_alternative<Gone>(sandbox->state())) return not_found(name);
  return remove_or_fail_held(sandbox);
}

Result<> Removal::remove_stopped(const std::string& name) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  if (!std::holds_alternative<Stopped>(sandbox->state()))
    return fail(Code::kConflict, "sandbox " + name + " is not stopped", "sandbox stop " + name);
  return remove_or_fail_held(sandbox);
}

Result<> Removal::remove_or_fail_held(const std::shared_ptr<Sandbox>& sandbox) {
  auto removed = remove_held(sandbox);
  if (removed) return removed;
  Error error = std::move(removed).error().within("remove " + sandbox->name());
  sandbox->set_state(Failed{error.what(), "sandbox rm " + sandbox->name()});
  return fail(std::move(error));
}

Result<> Removal::remove_held(const std::shared_ptr<Sandbox>& sandbox) {
  const store::Record record = sandbox->record();
  TRY(mark_removing(*sandbox));
  TRY(fault_step("remove.marked"));
  TRY(lifecycle_.stop_held(*sandbox, kRemoveGrace));
  docker_sockets_.close(record.name);
  sandbox->set_state(Removing{});
  TRY(fault_step("remove.stopped"));
  TRY(destroy(record));
  registry_.erase(*sandbox);
  events_.publish(wire::EventKind::kRemove, record.name);
  return Ok{};
}

// A record that is not there or cannot be read is not written either: what is left to do does not depend on it.
Result<> Removal::mark_removing(Sandbox& sandbox) {
  store::Record record = sandbox.record();
  if (record.id.empty()) return Ok{};
  record.phase = store::Phase::kRemoving;
  TRY(store_.save_removing(record));
  if (!sandbox.running()) sandbox.set_state(Removing{});
  return Ok{};
}

// In this order because each step can be repeated as long as the record is there.
Result<> Removal::destroy(const store::Record& record) const {
  const std::string directory = store_.home().machine(record.name);
  // A garbled record does not say whose it was: each removes what is its own.
  for (const auto& name : record.backend.empty() ? backends_.names() : std::vector{record.backend}) {
    TRY_ASSIGN(const auto backend, backends_.any(name));
    TRY(backend->destroy(machines_.spec_of(record)));
  }
  TRY(fault_step("remove.destroyed"));
  TRY(remove_all_but_record(directory));
  TRY(store_.forget(record.name));
  TRY(fault_step("remove.record-gone"));
  return remove_tree(directory);
}

Result<std::vector<std::string>> Removal::reset() {
  std::vector<std::string> gone;
  std::optional<Error> first;
  for (const auto& sandbox : registry_.all()) {
    auto removed = remove(sandbox->name());
    if (removed)
      gone.push_back(sandbox->name());
    else if (removed.error().code() != Code::kNotFound && !first)
      first = std::move(removed).error();
  }
  if (first) return fail(std::move(*first));
  return gone;
}

}  // namespace sbx::sandboxes
