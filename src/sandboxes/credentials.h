// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "sandboxes/parts.h"
#include "sandboxes/prepared_credentials.h"
#include "sandboxes/registry.h"
#include "sandboxes/rounds.h"
#include "sandboxes/ssh_agents.h"
#include "secrets/daemon_environment.h"
#include "secrets/secret_store.h"
#include "secrets/token_refresher.h"
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

  // For what changes nothing in sandboxes: lists, the audit log.
  secrets::SecretStore& store() { return store_; }
  // Of a client. A login whose token has expired is refreshed first.
  Result<wire::LeasedSecret> lease(const std::string& secret, const wire::LeaseRequest& request);
  // Takes all leases back, and with them what the daemon was started with, which has none: how many leases it were.
  Result<std::int64_t> revoke_all();
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
  // once for each run of the sandbox, and again when it or the store has changed.
  std::vector<PreparedCredentials::File> add_placeholders(const Sandbox& sandbox, wire::Environment& environment);

  // From now on takes away what is over, renews the leases of sandboxes, and gets logins their next tokens before the
  // old ones expire.
  void watch();
  // For a daemon that ends. Waits for a refresh that is under way, because its answer is the only copy of a login.
  void stop_watching();

 private:
  // Of the sandbox: as they are; those that it needs, renewed; the same, and revoked ones anew.
  enum class Leases { kAsTheyAre, kKept, kFresh };

  std::chrono::milliseconds refresh_tokens();
  void refresh_expired_tokens();
  std::chrono::milliseconds until(const std::optional<WallTime>& time) const;
  secrets::EnvironmentSecrets environment() const SBX_EXCLUDES(mutex_);
  Result<PreparedCredentials> prepare(const Sandbox& sandbox, Leases leases) SBX_EXCLUDES(mutex_);
  // The user's own at registries, for a sandbox that was asked to use them: as they were read last.
  std::vector<secrets::RegistryLogin> registry_logins(const store::Record& record) SBX_EXCLUDES(reading_, mutex_);
  void read_registry_logins() SBX_EXCLUDES(reading_, mutex_);
  bool knows_registry_logins() const SBX_EXCLUDES(mutex_);
  Result<> tell(const Sandbox& sandbox, Leases leases) SBX_EXCLUDES(telling_, mutex_);
  Result<> tell_all() SBX_EXCLUDES(telling_, mutex_);
  Result<> tell_each(const std::vector<std::shared_ptr<Sandbox>>& sandboxes) SBX_EXCLUDES(telling_, mutex_);
  std::vector<PreparedCredentials::File> not_placed(const Sandbox& sandbox,
                                                    const std::vector<PreparedCredentials::File>& files)
      SBX_EXCLUDES(mutex_);
  void forget_placed() SBX_EXCLUDES(mutex_);
  std::chrono::milliseconds sweep();

  const Registry& registry_;
  const std::function<WallTime()> clock_;
  secrets::SecretStore store_;
  secrets::TokenRefresher refresher_;
  SshAgents ssh_agents_{store_};
  Mutex telling_;  // held from reading the store until the vault has it, so that no older list comes last
  Mutex reading_;  // the logins at registries, one at a time, so that those that were read last are kept
  mutable Mutex mutex_;
  secrets::EnvironmentSecrets environment_ SBX_GUARDED_BY(mutex_);
  std::optional<std::vector<secrets::RegistryLogin>> logins_ SBX_GUARDED_BY(mutex_);  // as they were read last
  std::map<std::string, std::string> placed_ SBX_GUARDED_BY(mutex_);  // by sandbox and path: the run, and the content
  int sweeps_ = 0;                                                    // of the thread of sweeping_ alone
  Rounds sweeping_{[this] { return sweep(); }};                       // last: they call into all of the above
  Rounds refreshing_{[this] { return refresh_tokens(); }};
};

}  // namespace sbx::sandboxes
