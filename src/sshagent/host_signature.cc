// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/host_signature.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <memory>
#include <string>

#include "sshagent/ssh_strings.h"

namespace sbx::sshagent {
namespace {

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;

// Of a public key that makes verifying a matter of moments.
constexpr std::size_t kLargestModulus = 1024;  // bytes
constexpr std::size_t kSmallestModulus = 128;
constexpr std::size_t kLargestExponent = 8;

const unsigned char* data_of(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

Number number_from(std::string_view bytes) {
  return Number(BN_bin2bn(data_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

bool verifies(const Key& key, const EVP_MD* hash, std::string_view signature, std::string_view bytes) {
  const std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  return key && context && EVP_DigestVerifyInit(context.get(), nullptr, hash, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), data_of(signature), signature.size(), data_of(bytes), bytes.size()) == 1;
}

Key key_from(const char* type, const OSSL_PARAM_BLD* builder) {
  const std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>> parameters(
      OSSL_PARAM_BLD_to_param(const_cast<OSSL_PARAM_BLD*>(builder)));
  const std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>> context(
      EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* made = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    return nullptr;
  return Key(made);
}

using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;

bool ed25519_signed(SshReader key, std::string_view signature, std::string_view bytes) {
  const std::string_view point = key.text();
  if (!key.whole()) return false;
  const Key made(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, data_of(point), point.size()));
  return verifies(made, nullptr, signature, bytes);
}

struct Curve {
  std::string_view name;
  const char* group;
  const EVP_MD* (*hash)();
};
constexpr Curve kCurves[] = {
    {"nistp256", "P-256", EVP_sha256}, {"nistp384", "P-384", EVP_sha384}, {"nistp521", "P-521", EVP_sha512}};

// From two numbers to the form that OpenSSL reads.
std::string der_of(std::string_view signature) {
  SshReader from(signature);
  Number r = number_from(from.text());
  Number s = number_from(from.text());
  const std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>> both(ECDSA_SIG_new());
  if (!from.whole() || !r || !s || !both || ECDSA_SIG_set0(both.get(), r.get(), s.get()) != 1) return {};
  (void)r.release();
  (void)s.release();
  std::string der(static_cast<std::size_t>(std::max(0, i2d_ECDSA_SIG(both.get(), nullptr))), '\0');
  auto* into = reinterpret_cast<unsigned char*>(der.data());
  i2d_ECDSA_SIG(both.get(), &into);
  return der;
}

bool ecdsa_signed(const Curve& curve, SshReader key, std::string_view signature, std::string_view bytes) {
  const bool is_its_own = key.text() == curve.name;
  const std::string_view point = key.text();
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!key.whole() || !is_its_own || !builder ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, curve.group, 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) != 1)
    return false;
  return verifies(key_from("EC", builder.get()), curve.hash(), der_of(signature), bytes);
}

bool rsa_signed(const EVP_MD* hash, SshReader key, std::string_view signature, std::string_view bytes) {
  const std::string_view exponent = key.text();
  const std::string_view modulus = key.text();
  if (!key.whole() || exponent.size() > kLargestExponent || modulus.size() > kLargestModulus ||
      modulus.size() < kSmallestModulus)
    return false;
  const Number e = number_from(exponent);
  const Number n = number_from(modulus);
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!e || !n || !builder || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1)
    return false;
  return verifies(key_from("RSA", builder.get()), hash, signature, bytes);
}

}  // namespace

bool has_signed(std::string_view host_key, std::string_view signature, std::string_view bytes) {
  SshReader key(host_key);
  const std::string_view type = key.text();
  SshReader from(signature);
  const std::string_view algorithm = from.text();
  const std::string_view made = from.text();
  if (!key.good() || !from.whole()) return false;
  if (type == "ssh-rsa" && algorithm == "rsa-sha2-256") return rsa_signed(EVP_sha256(), key, made, bytes);
  if (type == "ssh-rsa" && algorithm == "rsa-sha2-512") return rsa_signed(EVP_sha512(), key, made, bytes);
  if (type != algorithm) return false;
  if (type == "ssh-ed25519") return ed25519_signed(key, made, bytes);
  for (const Curve& curve : kCurves)
    if (type == "ecdsa-sha2-" + std::string(curve.name)) return ecdsa_signed(curve, key, made, bytes);
  return false;
}

}  // namespace sbx::sshagent
