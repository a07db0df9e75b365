// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "secrets/registry_login.h"
#include "secrets/selection.h"
#include "wire/credential.h"
#include "wire/exec.h"
#include "wire/secret.h"

namespace sbx::sandboxes {

// What is made of the secrets that a sandbox gets, added in the order of their precedence: what its vault is told, what
// is shown of it, and the variables of its programs. Where two mean the same field of a host, the first has it.
//
// A secret that cannot be used (its lease was revoked, no header can carry it) is told to the vault as one that is
// over: requests that need it are refused then, and not sent without it.
class PreparedCredentials {
 public:
  // A file that its program takes for a login, with placeholders in it.
  struct File {
    std::string path;  // in the agent's home
    std::string content;
    std::string mark;  // is in every content that we have made: what has it not is the user's own
  };

  using Placeholder = std::function<Result<std::string>(const std::string& secret)>;

  // `leases`: those of the sandbox. `custom`: makes placeholders for secrets that are no service's.
  PreparedCredentials(std::vector<wire::LeaseInfo> leases, Placeholder custom)
      : leases_(std::move(leases)), custom_(std::move(custom)) {}

  Result<> add(const secrets::Selected& selected);
  void add(const secrets::RegistryLogin& login);

  const std::vector<wire::Credential>& credentials() const { return credentials_; }
  const wire::SandboxCredentials& shown() const { return shown_; }
  const wire::Environment& variables() const { return variables_; }
  const std::vector<File>& files() const { return files_; }

 private:
  wire::SandboxCredential shown_form_of(const secrets::Selected& selected) const;
  Result<> add_file(secrets::ValueForm form, std::string_view value, const std::string& placeholder);
  void add_place(const secrets::Place& place, const wire::Credential& common, wire::SandboxCredential& shown);

  std::vector<wire::LeaseInfo> leases_;
  Placeholder custom_;
  std::set<std::pair<std::string, std::string>> taken_;  // host and field
  std::vector<wire::Credential> credentials_;
  wire::SandboxCredentials shown_;
  wire::Environment variables_;
  std::vector<File> files_;
};

bool has_variable(const wire::Environment& environment, const std::string& name);

}  // namespace sbx::sandboxes
