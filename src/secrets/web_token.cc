// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/web_token.h"

#include <sodium.h>

#include "base/json.h"
#include "secrets/secret.h"

namespace sbx::secrets {
namespace {

constexpr int kBase64Form = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

std::string encoded(const std::string& text) {
  std::string out(sodium_base64_encoded_len(text.size(), kBase64Form), '\0');
  ::sodium_bin2base64(out.data(), out.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                      kBase64Form);
  out.pop_back();
  return out;
}

}  // namespace

Json claims_of(std::string_view token) {
  start_sodium();
  const std::size_t begin = token.find('.') + 1;
  const std::string_view part = token.substr(begin, token.find('.', begin) - begin);
  std::string text(part.size(), '\0');
  std::size_t size = 0;
  if (::sodium_base642bin(reinterpret_cast<unsigned char*>(text.data()), text.size(), part.data(), part.size(), nullptr,
                          &size, nullptr, kBase64Form) != 0)
    return Json::object();
  text.resize(size);
  Json claims = parse_json(text).value_or(Json::object());
  return claims.is_object() ? claims : Json::object();
}

std::string unsigned_token(const Json& claims, const std::string& in_place_of_signature) {
  start_sodium();
  return encoded(R"({"alg":"none","typ":"JWT"})") + "." + encoded(dump(claims)) + "." + encoded(in_place_of_signature);
}

}  // namespace sbx::secrets
