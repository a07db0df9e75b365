// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "secrets/secret_store.h"
#include "secrets/token_request.h"

namespace sbx::secrets {

// How long before its end a token is replaced.
inline constexpr std::chrono::minutes kRefreshMargin{10};

// Gets the logins in a store (oauth_record.h) their next tokens, one at a time.
//
//   const auto round = refresher.refresh(TokenRefresher::Which::kDue);
//   if (round.changed) tell_sandboxes();
//
// A refresh token works once. So the store notes that one is being used before the endpoint is asked, and has the new
// ones before refresh() returns; a full disk is met by the first of these. A daemon that dies in between has lost the
// answer: the note says so, and as the old token may be used up, it is not shown to the endpoint again while the token
// for requests still works. What the user puts in the store meanwhile stays.
class TokenRefresher {
 public:
  using Ask = std::function<TokenAnswer(const TokenEndpoint&, const OAuthRecord&)>;

  TokenRefresher(SecretStore& store, std::function<WallTime()> clock, Ask ask)
      : store_(store), clock_(std::move(clock)), ask_(std::move(ask)) {}

  enum class Which { kDue, kExpired };
  struct Round {
    bool changed = false;          // some login has new tokens, or was refused
    std::optional<WallTime> next;  // when there is more to do, as things stand
  };
  // Any thread may call it; one waits for the other, but none for a request that it does not need. A login that failed
  // waits longer each time.
  Round refresh(Which which);

 private:
  // A login as it was read from the store.
  struct Login {
    std::string name;
    std::shared_ptr<const Secret> value;
    OAuthRecord record;
    RefreshNote note;
  };
  // What the endpoint has given, until it is in the store.
  struct Unsaved {
    Login login;
    Secret value;
    RefreshNote note;
  };

  std::vector<Login> logins();  // none, and a line in the log, if the store cannot be read
  void complain(const std::string& why) SBX_EXCLUDES(complaining_);
  bool some_expired();
  std::optional<WallTime> due_time(const Login& login, Which which) const SBX_REQUIRES(mutex_);
  void refresh_one(const Login& login) SBX_REQUIRES(mutex_);
  void keep(const Login& login, const NewTokens& tokens) SBX_REQUIRES(mutex_);
  void save_unsaved() SBX_REQUIRES(mutex_);
  void note_lost(const Login& login, const std::string& why);
  void note_failure(const Login& login, std::string problem, WallTime not_before, bool is_final);
  void note_answer(const Login& login, const TokenAnswer& answer) SBX_REQUIRES(mutex_);
  WallTime after_failure(const Login& login) const;
  Result<> write(const Login& login, const std::function<wire::AuditEntry(Contents&, StoredSecret&)>& edit);

  SecretStore& store_;
  const std::function<WallTime()> clock_;
  const Ask ask_;
  Mutex complaining_;
  std::string complaint_ SBX_GUARDED_BY(complaining_);  // the last; empty: the store could be read
  Mutex mutex_;
  std::map<std::string, Unsaved> unsaved_ SBX_GUARDED_BY(mutex_);  // by the secret's name
};

}  // namespace sbx::secrets
