// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/network_environment.h"

#include <string>

#include "guest/trust/trust.h"
#include "wire/network.h"

namespace sbx::guest {
namespace {

constexpr const char* kProxyVariables[] = {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"};
constexpr const char* kNoProxyVariables[] = {"NO_PROXY", "no_proxy"};
constexpr const char* kNoProxy = "localhost,127.0.0.1,::1";

// Each replaces the whole store of its program, and so is given the whole of it.
constexpr const char* kBundleVariables[] = {
    "SSL_CERT_FILE",                     // OpenSSL, Go, Ruby, Rust's native-certs, wget
    "CURL_CA_BUNDLE",                    // curl, also one that was built with a store of its own
    "REQUESTS_CA_BUNDLE",                // Python's requests, which has a store of its own
    "PIP_CERT",                          // pip, likewise
    "GIT_SSL_CAINFO",                    // git
    "CARGO_HTTP_CAINFO",                 // cargo
    "AWS_CA_BUNDLE",                     // the AWS tools, likewise
    "DENO_CERT",                         // Deno, which has a store of its own
    "BUNDLE_SSL_CA_CERT",                // Ruby's bundler
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",  // gRPC, which has a store of its own
};

}  // namespace

wire::Environment trust_variables(const std::string& bundle, const std::string& authority) {
  wire::Environment variables;
  for (const char* name : kBundleVariables) variables.emplace_back(name, bundle);
  variables.emplace_back("NODE_EXTRA_CA_CERTS", authority);  // beside Node's own
  return variables;
}

void add_network_variables(const wire::GuestNetwork& network, wire::Environment& environment) {
  const std::string proxy = std::string("http://") + wire::kHostAlias + ":" + std::to_string(wire::kProxyPort);
  for (const char* name : kProxyVariables) environment.emplace_back(name, proxy);
  for (const char* name : kNoProxyVariables) environment.emplace_back(name, kNoProxy);
  if (network.ca_certificate.empty()) return;
  for (auto& variable : trust_variables(kBundle, kAuthorityFile)) environment.push_back(std::move(variable));
}

}  // namespace sbx::guest
