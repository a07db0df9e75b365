// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "tls/tls.h"

namespace sbx::tls {

// Which servers the host trusts: its bundle of root certificates. It is opened while that is possible and read when it
// is first needed, because parsing it takes longer than starting a sandbox.
class Trust {
 public:
  // $SSL_CERT_FILE, or the first of the places where distributions have it. None: nothing is trusted.
  static Fd open_bundle();

  explicit Trust(Fd bundle) : bundle_(std::move(bundle)) {}

  Result<SSL_CTX*> client_context();

 private:
  Fd bundle_;
  SslContext context_;
};

}  // namespace sbx::tls
