// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "proxy/client_hello.h"
#include "proxy/opening.h"

// What a client says first. A prefix of what is understood is never something else, a hello is TLS, and a server name
// has no zero.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx::proxy;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Opening opening = opening_of(bytes);
  if (size != 0) {
    const Opening before = opening_of(bytes.substr(0, size - 1));
    // A first line of HTTP/2 that goes on as HTTP/1.1 is no way out: both are read strictly.
    const bool preface_broken = before == Opening::kHttp2 && opening == Opening::kHttp && size <= kHttp2Preface.size();
    if (before != Opening::kUnclear && before != Opening::kOther && before != opening && !preface_broken) std::abort();
  }
  const auto hello = read_client_hello(bytes);
  if (!hello) return 0;
  if (!*hello) {
    if (size > kLargestHello) std::abort();
    return 0;
  }
  if (opening != Opening::kTls) std::abort();
  if ((*hello)->server_name && (*hello)->server_name->find('\0') != std::string::npos) std::abort();
  const auto before = read_client_hello(bytes.substr(0, size - 1));
  if (!before) std::abort();
  return 0;
}
