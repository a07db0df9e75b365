// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sbx::secrets {

// Hosts, and the field of requests to them that the secret goes into.
struct Place {
  std::vector<std::string> hosts;
  std::string header;
  std::string prefix{};      // of the field's value
  std::string basic_user{};  // not empty: Basic authorization of this user
};

// What the secret is, and what of it goes into requests.
enum class ValueForm {
  kPlain,      // all of it
  kClaude,     // a token, or the credentials that Claude Code keeps (.credentials.json): its access token
  kCodexFile,  // the file that codex keeps (auth.json): its access token
};

// A way to authenticate with a service. Some have several, of which a sandbox has one: a key or a subscription.
struct Service {
  std::string name;                          // "anthropic": those of one name exclude each other
  std::vector<std::string> secret_names;     // that mean it without a binding
  std::vector<std::string> host_variables;   // of the daemon's environment that mean it
  std::vector<std::string> guest_variables;  // that programs get, with the placeholder
  std::string placeholder;                   // in a form that the service's clients accept
  std::vector<Place> places;
  ValueForm form = ValueForm::kPlain;
};

// The table. A new service is a new row.
const std::vector<Service>& services();

// What a value is, by how it looks.
ValueForm form_of_value(std::string_view value);

// The way that a secret of this name means; null: none.
const Service* service_of_secret(std::string_view secret_name);
// Of a service that the user has named, for this value; null: there is no such service.
const Service* service_for(std::string_view name, std::string_view value);
std::vector<std::string> service_names();

}  // namespace sbx::secrets
