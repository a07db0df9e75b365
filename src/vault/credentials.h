// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "vault/bindings.h"
#include "wire/credential_file.h"

namespace sbx::vault {

// A sandbox's credentials: a credential file (wire/credential_file.h), mapped. Its values are nowhere else: in pages
// that are not swapped out, as far as the user's limit lets us lock them, and in no core dump. When it is destroyed
// they are unmapped, and the last descriptor of the file frees them.
class Credentials {
 public:
  static Result<std::shared_ptr<const Credentials>> load(const Fd& file);
  ~Credentials();
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;

  const std::vector<wire::CredentialView>& all() const { return all_; }
  std::vector<const wire::CredentialView*> of_host(std::string_view host) const;
  Bindings bindings() const;

 private:
  explicit Credentials(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
  std::vector<wire::CredentialView> all_;
};

}  // namespace sbx::vault
