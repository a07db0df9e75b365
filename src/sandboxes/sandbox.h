// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <variant>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/timings.h"
#include "sandboxes/state_directory.h"
#include "store/record.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

struct Creating {};
struct Stopped {
  std::string reason;  // empty: it was asked to stop, or has never run
  Timings timings;
};
struct Running {
  std::shared_ptr<const ShimProcess> shim;
  wire::ShimStatus status;
  bool stop_asked = false;
  std::string ending;                           // why the machine is about to end, if its shim has said so
  std::vector<wire::PublishedPort> ports = {};  // as they are bound
};
struct Removing {};
struct Failed {
  std::string reason;  // of no use as it is
  std::string hint;    // what would help. Never rm, though it works: the fault may be this program's
};
struct Gone {};  // removed while another thread still held the pointer
using State = std::variant<Creating, Stopped, Running, Removing, Failed, Gone>;

// There is no sandbox of this name, in words that scripts look for.
Failure not_found(const std::string& name);

// One sandbox in the daemon's memory. Three locks: operation() is held for as long as a create, start, stop, save or
// remove takes; copying(), after it, while the sandbox's files are copied, and shared by what hands it a new exec; the
// one inside for the length of a copy of its members, so that ls never waits for an operation.
class Sandbox {
 public:
  Sandbox(StateDirectory directory, store::Record record, State state)
      : name_(record.name), directory_(std::move(directory)), record_(std::move(record)), state_(std::move(state)) {}

  std::mutex& operation() { return operation_; }
  // operation() for one that ends the sandbox: a copy that its guest is being asked for is given up for it, because a
  // hostile guest would take its time.
  using Operation = std::unique_lock<std::mutex>;
  Operation operation_to_end();
  // The connection on which the guest is asked for a copy, by the holder of operation(). None: there is none any more.
  void set_copy(Fd connection);
  std::shared_mutex& copying() const { return copying_; }

  const std::string& name() const { return name_; }
  const StateDirectory& directory() const { return directory_; }
  store::Record record() const;
  State state() const;
  std::optional<Running> running() const;
  // Whether it can be started or used; the error tells why not and what to do.
  Result<> usable() const;
  wire::SandboxInfo info() const;
  std::string used_at() const;  // RFC 3339; empty: never, as far as is known

  void set_record(store::Record record);
  void set_used(std::string time);
  void set_state(State state);
  void set_bound(std::vector<wire::PublishedPort> ports);  // if it runs
  void expect_stop();                                      // its end is asked for: no reason will be recorded
  // What this shim says about the end that is near: it knows better than its exit status tells.
  void expect_end(const std::shared_ptr<const ShimProcess>& shim, std::string reason);
  // Running on this shim → Stopped. The new state the first time, nothing afterwards. `reason` counts if none was
  // expected.
  std::optional<Stopped> end_run(const std::shared_ptr<const ShimProcess>& shim, const std::string& reason);
  // Until it does not run on this shim any more. False: it still does.
  bool await_end_of_run(const std::shared_ptr<const ShimProcess>& shim, std::chrono::milliseconds limit);

 private:
  const std::string name_;
  const StateDirectory directory_;
  std::mutex operation_;
  mutable std::shared_mutex copying_;
  mutable Mutex mutex_;
  Condition changed_;
  store::Record record_ SBX_GUARDED_BY(mutex_);
  State state_ SBX_GUARDED_BY(mutex_);
  std::string used_at_ SBX_GUARDED_BY(mutex_);
  Fd copy_ SBX_GUARDED_BY(mutex_);
  int ends_wanted_ SBX_GUARDED_BY(mutex_) = 0;
};

}  // namespace sbx::sandboxes
