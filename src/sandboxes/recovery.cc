// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/recovery.h"

#include <map>
#include <optional>
#include <vector>

#include "base/format.h"
#include "base/log.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kStatusLimit{10};

// Where there is no record, or one that says nothing: enough of one to find and remove what is in the directory.
store::Record bare_record(const std::string& name) {
  store::Record record;
  record.name = name;
  return record;
}

// Which sandboxes' records claim an id or a range of user ids: what a record cannot tell by itself.
class Claims {
 public:
  void add(const store::Record& record) {
    ids_.emplace(record.id, record.name);
    bases_.emplace(record.id_base, record.name);
  }

  // Of two that claim the same, neither is believed: to clean up after one of them would end the other's machine.
  Result<> check(const store::Record& record, bool privileged) const {
    TRY(check_alone(ids_, record.id, record.name, "id"));
    if (!privileged) return Ok{};
    if (record.id_base == 0)
      return fail(Code::kInvalid, "record: \"id_base\" is 0: its user ids would be the host's own");
    return check_alone(bases_, record.id_base, record.name, "id_base");
  }

 private:
  template <class Key>
  static Result<> check_alone(const std::multimap<Key, std::string>& claims, const Key& key, const std::string& name,
                              const char* member) {
    const auto [begin, end] = claims.equal_range(key);
    for (auto claim = begin; claim != end; ++claim)
      if (claim->second != name)
        return fail(Code::kInvalid, sbx::format("record: \"{}\" is also that of sandbox {}", member, claim->second));
    return Ok{};
  }

  std::multimap<std::string, std::string> ids_;
  std::multimap<std::uint32_t, std::string> bases_;
};

// The shim that serves the socket. One that lives but does not serve was still starting when its daemon died: no
// client waits for that start any more, and clean_up_held ends it.
std::optional<Launched> find_shim(const ShimSocket& socket) {
  auto status = socket.status(kStatusLimit);
  if (!status) return std::nullopt;
  auto pidfd = open_pidfd(status->shim_pid);
  if (!pidfd) return std::nullopt;
  const pid_t pid = status->shim_pid;
  return Launched{std::make_shared<const ShimProcess>(ShimProcess{pid, std::move(*pidfd)}), std::move(*status)};
}

}  // namespace

Result<> Recovery::recover() {
  TRY_ASSIGN(const auto names, parts_.store.names());
  std::vector<Result<store::Record>> records;
  Claims claims;
  for (const auto& name : names) {
    records.push_back(parts_.store.load(name));
    if (records.back()) claims.add(*records.back());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Result<> sound = records[i] ? claims.check(*records[i], parts_.privileged) : Ok{};
    recover_one(names[i],
                sound ? std::move(records[i]) : fail(Error(sound.error()).within(parts_.store.path(names[i]))));
  }
  return Ok{};
}

// Whatever goes wrong with one stays with that one.
void Recovery::recover_one(const std::string& name, Result<store::Record> record) {
  if (record && !backends_.has(record->backend))
    record =
        fail(Code::kInvalid, sbx::format("{}: there is no backend \"{}\"", parts_.store.path(name), record->backend));
  if (record && record->phase == store::Phase::kReady) return recover_ready(std::move(*record));
  if (!record && record.error().code() != Code::kNotFound) return recover_garbled(name, record.error());
  registry_.add(record ? *record : bare_record(name), Removing{});
  log_info("sandbox {} was left half {}", name,
           record && record->phase == store::Phase::kRemoving ? "removed" : "created");
  if (auto removed = removal_.remove(name); !removed) log_error("{}", removed.error().what());
}

// Nothing is done to it until it is removed. Its machine may run: what that has is neither given to another (ids) nor
// trusted (mounts).
void Recovery::recover_garbled(const std::string& name, const Error& error) {
  log_error("sandbox {}: {}", name, error.what());
  store::Record record = bare_record(name);
  if (const auto machine = machines_.last(name)) {
    record.id_base = machine->id_base;
    record.mounts = machine->mounts;
  }
  const std::string hint = error.hint().empty() ? "look at " + parts_.store.path(name) : error.hint();
  registry_.add(std::move(record), Failed{error.what(), hint});
}

void Recovery::recover_ready(store::Record record) {
  const std::string name = record.name;
  const store::LastRun last = parts_.store.last_run(name);
  const auto sandbox = registry_.add(std::move(record), Stopped{last.ended, last.timings});
  sandbox->set_used(last.used_at);
  docker_sockets_.follow(*sandbox);
  const std::scoped_lock held(sandbox->operation());
  if (auto found = find_shim(sandbox->directory().shim())) {
    log_info("sandbox {} runs (shim {})", name, found->shim->pid);
    // The last daemon may have died after it had written a change, and before it told the machine.
    if (runs_.adopt_held(*sandbox, std::move(*found))) {
      policies_.renew(*sandbox);
      return credentials_.renew_held(*sandbox, Credentials::Occasion::kFound);
    }
  }
  if (last.running) {
    const std::string reason = "the machine ended while no daemon was there";
    sandbox->set_state(Stopped{reason, last.timings});
    parts_.store.note(name, {false, reason, last.timings, last.used_at});
  }
  if (auto cleaned = machines_.clean_up_held(*sandbox); !cleaned)
    log_error("clean up after {}: {}", name, cleaned.error().what());
}

}  // namespace sbx::sandboxes
