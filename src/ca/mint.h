// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <list>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ca/authority.h"
#include "ca/openssl.h"

namespace sbx::ca {

// Makes leaf certificates for hosts, signed by a sandbox's authority, all with one key of its own. The last ones are
// kept, because clients come back.
class Mint {
 public:
  static Result<Mint> create(const Authority& authority);

  // For a name, or for an address in plain form. Valid until the next call. The host must be one: it is written into
  // the certificate as it is.
  Result<X509*> leaf(std::string_view host, bool is_address);
  EVP_PKEY* key() const { return key_.get(); }
  X509* authority() const { return authority_.get(); }

 private:
  struct Kept {
    std::string host;
    Certificate certificate;
    std::time_t until;
  };

  Mint(Certificate authority, Key authority_key, Key key)
      : authority_(std::move(authority)), authority_key_(std::move(authority_key)), key_(std::move(key)) {}
  Result<Certificate> make(std::string_view host, bool is_address) const;

  Certificate authority_;
  Key authority_key_;
  Key key_;
  std::list<Kept> kept_;  // the last used first
  std::map<std::string, std::list<Kept>::iterator, std::less<>> by_host_;
};

}  // namespace sbx::ca
