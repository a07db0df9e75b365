// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/token_refresher.h"

#include <algorithm>
#include <utility>

#include "base/format.h"
#include "base/json.h"
#include "base/log.h"

namespace sbx::secrets {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr seconds kFirstPause{30};
constexpr std::int64_t kMostDoublings = 5;  // 16 minutes
constexpr seconds kUnsavedPause{5};
constexpr int kOk = 200;
constexpr int kBadRequest = 400;
constexpr int kUnauthorized = 401;

// "invalid_grant", of RFC 6749 or nested as OpenAI has it; only what can be nothing else.
std::string error_word_in(std::string_view answer) {
  const auto json = parse_json(answer);
  if (!json || !json->is_object() || !json->contains("error")) return "";
  const Json& error = (*json)["error"];
  const Json& word = error.is_object() && error.contains("code") ? error["code"] : error;
  if (!word.is_string()) return "";
  const auto text = word.get<std::string>();
  const bool is_word =
      text.size() <= 64 && std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  return is_word ? text : "";
}

std::string refusal_in(const TokenAnswer& answer) {
  const std::string word = error_word_in(answer.body);
  return sbx::format("HTTP {}{}{}", answer.status, word.empty() ? "" : ", ", word);
}

void keep_earlier(std::optional<WallTime>& next, std::optional<WallTime> time) {
  if (time && (!next || *time < *next)) next = time;
}

}  // namespace

std::vector<TokenRefresher::Login> TokenRefresher::logins() {
  std::vector<Login> found;
  const auto contents = store_.contents();
  complain(contents ? "" : contents.error().what());
  if (!contents) return found;
  for (const StoredSecret& secret : contents->ledger.secrets) {
    const auto& value = contents->values.at(secret.info.name);
    auto record = oauth_record_in(value->view());
    if (record && !record->refresh_token.empty() && record->expires_at)
      found.push_back({secret.info.name, value, std::move(*record), secret.refresh});
  }
  return found;
}

// Once for each reason: it is asked for before every exec.
void TokenRefresher::complain(const std::string& why) {
  const MutexLock lock(complaining_);
  if (std::exchange(complaint_, why) != why && !why.empty()) log_error("no login is refreshed: {}", why);
}

// Nothing: never, as things stand.
std::optional<WallTime> TokenRefresher::due_time(const Login& login, Which which) const {
  if (login.note.is_final || unsaved_.contains(login.name)) return std::nullopt;
  const WallTime end = *login.record.expires_at;
  const WallTime due = which == Which::kExpired ? end : end - kRefreshMargin;
  return std::max(due, parse_rfc3339(login.note.not_before).value_or(due));
}

bool TokenRefresher::some_expired() {
  const WallTime time = clock_();
  return std::ranges::any_of(
      logins(), [&](const Login& login) { return !login.note.is_final && *login.record.expires_at <= time; });
}

TokenRefresher::Round TokenRefresher::refresh(Which which) {
  if (which == Which::kExpired && !some_expired()) return {};
  const MutexLock lock(mutex_);
  Round round;
  if (!unsaved_.empty()) {
    save_unsaved();
    round.changed = true;
  }
  for (const Login& login : logins()) {
    const auto due = due_time(login, which);
    if (!due) continue;
    if (!login.note.begun_at.empty())
      note_lost(login, "the daemon ended meanwhile");
    else if (*due <= clock_())
      refresh_one(login);
    else
      continue;
    round.changed = true;
  }
  for (const Login& login : logins()) keep_earlier(round.next, due_time(login, Which::kDue));
  if (!unsaved_.empty()) keep_earlier(round.next, clock_() + kUnsavedPause);
  return round;
}

void TokenRefresher::refresh_one(const Login& login) {
  const TokenEndpoint& endpoint = *token_endpoint_of(login.record.form);
  const auto begun = write(login, [&](Contents&, StoredSecret& secret) {
    secret.refresh.begun_at = rfc3339(clock_());
    wire::AuditEntry entry = store_.entry(wire::AuditAction::kTokenRefresh, login.name);
    entry.details = "asks " + endpoint.host;
    return entry;
  });
  if (!begun) return log_error("refresh of {}: {}", login.name, begun.error().what());
  note_answer(login, ask_(endpoint, login.record));
}

void TokenRefresher::note_answer(const Login& login, const TokenAnswer& answer) {
  if (answer.status == kOk) {
    if (const auto tokens = new_tokens_in(answer.body)) return keep(login, *tokens);
    return note_lost(login, "it was not understood");
  }
  if (answer.status == 0 && answer.sent) return note_lost(login, answer.why);
  if (answer.status == 0) return note_failure(login, answer.why, after_failure(login), false);
  const bool refused = answer.status == kBadRequest || answer.status == kUnauthorized;
  note_failure(login, (refused ? "the login was refused: " : "") + refusal_in(answer), after_failure(login), refused);
}

WallTime TokenRefresher::after_failure(const Login& login) const {
  return clock_() + kFirstPause * (std::int64_t{1} << std::min(login.note.failures, kMostDoublings));
}

// As long as the token for requests works, there is something to lose by showing the endpoint a token that is used up.
void TokenRefresher::note_lost(const Login& login, const std::string& why) {
  note_failure(login, "the answer of the last refresh is lost, and with it perhaps the login: " + why,
               std::max(*login.record.expires_at, after_failure(login)), false);
}

void TokenRefresher::note_failure(const Login& login, std::string problem, WallTime not_before, bool is_final) {
  log_warning("refresh of {}: {}", login.name, problem);
  const auto noted = write(login, [&](Contents&, StoredSecret& secret) {
    secret.refresh = {"", rfc3339(not_before), problem, login.note.failures + 1, is_final};
    wire::AuditEntry entry = store_.entry(wire::AuditAction::kTokenRefresh, login.name);
    entry.success = false;
    entry.details = problem;
    return entry;
  });
  if (!noted) log_error("refresh of {}: {}", login.name, noted.error().what());
}

void TokenRefresher::keep(const Login& login, const NewTokens& tokens) {
  const WallTime time = clock_();
  const std::string text = with_new_tokens(login.value->view(), tokens, time);
  RefreshNote note;
  // Whatever a token's life, it is not replaced in the first half of it.
  if (const auto record = oauth_record_in(text); record && record->expires_at)
    note.not_before = rfc3339(time + (*record->expires_at - time) / 2);
  unsaved_.insert_or_assign(login.name, Unsaved{login, Secret::copy_of(text), note});
  save_unsaved();
}

void TokenRefresher::save_unsaved() {
  std::erase_if(unsaved_, [this](const auto& one) {
    const Unsaved& unsaved = one.second;
    const auto saved = write(unsaved.login, [&](Contents& contents, StoredSecret& secret) {
      contents.values[one.first] = std::make_shared<const Secret>(Secret::copy_of(unsaved.value.view()));
      secret.info.updated_at = rfc3339(clock_());
      secret.refresh = unsaved.note;
      wire::AuditEntry entry = store_.entry(wire::AuditAction::kTokenRefresh, one.first);
      entry.details = "has new tokens";
      return entry;
    });
    const bool is_done = saved || saved.error().code() == Code::kNotFound;
    if (!is_done) log_error("the new tokens of {} are not saved yet: {}", one.first, saved.error().what());
    return is_done;
  });
}

// kNotFound: the user has removed or replaced the secret meanwhile, and nothing is written.
Result<> TokenRefresher::write(const Login& login,
                               const std::function<wire::AuditEntry(Contents&, StoredSecret&)>& edit) {
  return store_.edit([&](Contents& contents) -> Result<SecretStore::Entries> {
    StoredSecret* secret = contents.find(login.name);
    if (secret == nullptr || contents.values.at(login.name)->view() != login.value->view())
      return fail(Code::kNotFound, "the secret was changed meanwhile");
    return SecretStore::Entries{edit(contents, *secret)};
  });
}

}  // namespace sbx::secrets
