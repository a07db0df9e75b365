// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/prepared_credentials.h"

#include <algorithm>
#include <cctype>

#include "base/clock.h"
#include "secrets/binding_rules.h"
#include "secrets/claude_file.h"
#include "secrets/codex_file.h"
#include "secrets/oauth_record.h"
#include "secrets/token.h"

namespace sbx::sandboxes {
namespace {

constexpr const char* kReady = "ready";
constexpr std::int64_t kLongOver = 1;

std::int64_t milliseconds_of(const std::string& time) {
  const auto parsed = parse_rfc3339(time);
  return parsed ? microseconds_of(*parsed) / 1000 : kLongOver;
}

// Of two times, of which an empty one is never.
std::string earlier(const std::string& a, const std::string& b) { return a.empty() || (!b.empty() && b < a) ? b : a; }

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<secrets::Place> places_of(const secrets::Selected& selected) {
  if (selected.service != nullptr) return selected.service->places;
  const wire::Binding& binding = *selected.binding;
  return {{binding.hosts, lower_case(binding.header), secrets::prefix_of(binding)}};
}

std::vector<std::string> variables_of(const secrets::Selected& selected) {
  if (selected.service != nullptr) return selected.service->guest_variables;
  return selected.binding->variable.empty() ? std::vector<std::string>() : std::vector{selected.binding->variable};
}

secrets::ValueForm form_of(const secrets::Selected& selected) {
  return selected.service != nullptr ? selected.service->form : secrets::ValueForm::kPlain;
}

}  // namespace

bool has_variable(const wire::Environment& environment, const std::string& name) {
  return std::ranges::find(environment, name, &wire::Environment::value_type::first) != environment.end();
}

wire::SandboxCredential PreparedCredentials::shown_form_of(const secrets::Selected& selected) const {
  wire::SandboxCredential shown{selected.name(), selected.source(), {}, "", variables_of(selected), "", "", kReady};
  const auto lease = std::ranges::find(leases_, selected.secret, &wire::LeaseInfo::secret_name);
  if (lease != leases_.end()) {
    shown.lease_id = lease->lease_id;
    shown.expires_at = lease->expires_at;
    if (lease->revoked) shown.state = "its lease was revoked; the next start of the sandbox gets another";
  }
  if (selected.binding) shown.expires_at = earlier(shown.expires_at, selected.binding->expires_at);
  if (form_of(selected) == secrets::ValueForm::kPlain) return shown;
  const auto login = secrets::oauth_record_in(selected.value->view());
  if (login && login->expires_at) shown.expires_at = earlier(shown.expires_at, rfc3339(*login->expires_at));
  return shown;
}

Result<> PreparedCredentials::add(const secrets::Selected& selected) {
  wire::SandboxCredential shown = shown_form_of(selected);
  wire::Credential common;
  common.name = selected.secret.empty() ? selected.variable : selected.secret;
  auto token = secrets::token_of(form_of(selected), selected.value->view());
  if (!token) shown.state = token.error().what();
  const bool is_ready = shown.state == kReady;
  if (is_ready) common.value = std::move(*token);
  common.expires_ms = !is_ready ? kLongOver : shown.expires_at.empty() ? 0 : milliseconds_of(shown.expires_at);
  std::string placeholder;
  if (selected.service != nullptr) {
    placeholder = selected.service->placeholder;
  } else {
    TRY_ASSIGN(placeholder, custom_(selected.secret));
  }
  if (!placeholder.empty()) common.placeholders = {placeholder};
  for (const secrets::Place& place : places_of(selected)) add_place(place, common, shown);
  if (shown.hosts.empty()) return Ok{};
  for (const std::string& variable : shown.variables)
    if (!has_variable(variables_, variable)) variables_.emplace_back(variable, placeholder);
  if (is_ready) TRY(add_file(form_of(selected), selected.value->view(), placeholder));
  shown_.credentials.push_back(std::move(shown));
  return Ok{};
}

Result<> PreparedCredentials::add_file(secrets::ValueForm form, std::string_view value,
                                       const std::string& placeholder) {
  if (form == secrets::ValueForm::kCodexFile) {
    TRY_ASSIGN(std::string content, secrets::codex_file_for_guest(value, placeholder));
    files_.push_back({".codex/auth.json", std::move(content), placeholder});
  }
  if (form == secrets::ValueForm::kClaude && secrets::oauth_record_in(value)) {
    TRY_ASSIGN(std::string content, secrets::claude_file_for_guest(value, placeholder));
    files_.push_back({".claude/.credentials.json", std::move(content), placeholder});
  }
  return Ok{};
}

void PreparedCredentials::add(const secrets::RegistryLogin& login) {
  wire::SandboxCredential shown{login.tool + " login", "of the host, at " + login.registry, {}, "", {}, "", "", kReady};
  wire::Credential common;
  common.name = shown.service + " of " + login.registry;
  common.value = login.value->view();
  add_place(login.place, common, shown);
  if (!shown.hosts.empty()) shown_.credentials.push_back(std::move(shown));
}

void PreparedCredentials::add_place(const secrets::Place& place, const wire::Credential& common,
                                    wire::SandboxCredential& shown) {
  wire::Credential credential = common;
  for (const std::string& host : place.hosts)
    if (taken_.emplace(host, place.header).second) credential.hosts.push_back(host);
  if (credential.hosts.empty()) return;
  credential.header = place.header;
  credential.prefix = place.prefix;
  credential.basic_user = place.basic_user;
  shown.hosts.insert(shown.hosts.end(), credential.hosts.begin(), credential.hosts.end());
  shown.header = credential.header;
  credentials_.push_back(std::move(credential));
}

}  // namespace sbx::sandboxes
