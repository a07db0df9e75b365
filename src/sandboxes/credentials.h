// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "sandboxes/parts.h"
#include "sandboxes/prepared_credentials.h"
#include "sandboxes/registry.h"
#include "secrets/daemon_environment.h"
#include "secrets/secret_store.h"
#include "wire/exec.h"
#include "wire/secret.h"

namespace sbx::sandboxes {

// Which credentials each sandbox has, and that its vault has them. Every change of the store goes through here, so that
// it holds in running sandboxes when the call returns.
//
//   TRY(credentials.change([](secrets::SecretStore& store) { return store.remove("anthropic"); }));
class Credentials {
 public:
  Credentials(const Parts& parts, const Registry& registry);
  ~Credentials();

  // For what changes nothing in sandboxes: lists, leases of clients, the audit log.
  secrets::SecretStore& store() { return store_; }
  void look_again();  // something may be over sooner than before

  // Does it, and tells every running sandbox. An error of the first is as it is; one of the second says that the change
  // is made, and which sandbox may not keep to it.
  Result<> change(const std::function<Result<>(secrets::SecretStore&)>& edit);
  // The sandbox must be there, if the request names one.
  Result<wire::Binding> bind(const wire::BindRequest& request);

  // A sandbox has started (`fresh`), or a new daemon has found it: its vault gets all that it is to have. A failure is
  // logged, and the sandbox goes without.
  enum class Occasion { kStarted, kFound };
  void renew_held(const Sandbox& sandbox, Occasion occasion);

  // What `inspect` and `network check` tell: never a value.
  Result<wire::SandboxCredentials> of(const std::string& name);

  // Which one a request to "host:port" gets, in words; empty: none.
  std::string for_host(const std::string& name, const std::string& target);

  // For a program in the sandbox: variables with placeholders, where the sandbox has the credential and neither its own
  // environment nor the program's has the variable; and the files that are to be there before it runs. A file is named
  // once for each run of the sandbox, and again when it has changed.
  std::vector<PreparedCredentials::File> add_placeholders(const Sandbox& sandbox, wire::Environment& environment);

  // Takes away what is over, and renews the leases of sandboxes, from now on.
  void watch();

 private:
  // Of the sandbox: as they are; those that it needs, renewed; the same, and revoked ones anew.
  enum class Leases { kAsTheyAre, kKept, kFresh };

  Result<PreparedCredentials> prepare(const Sandbox& sandbox, Leases leases);
  Result<> tell(const Sandbox& sandbox, Leases leases);
  Result<> tell_all();
  std::vector<PreparedCredentials::File> not_placed(const Sandbox& sandbox,
                                                    const std::vector<PreparedCredentials::File>& files);
  std::chrono::milliseconds sweep();
  void run(const std::stop_token& stop);

  const Registry& registry_;
  const std::function<WallTime()> clock_;
  const secrets::EnvironmentSecrets environment_;
  secrets::SecretStore store_;
  std::mutex telling_;  // held from reading the store until the vault has it, so that no older list comes last
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool has_changed_ = false;                   // guarded by mutex_
  std::map<std::string, std::string> placed_;  // guarded by mutex_; by sandbox and path: the run, and the content
  std::jthread thread_;                        // last: it calls into all of the above
};

}  // namespace sbx::sandboxes
