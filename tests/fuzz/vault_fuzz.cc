// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "base/base64.h"
#include "vault/basic.h"
#include "vault/bindings.h"
#include "vault/bound_request.h"
#include "vault/frames.h"
#include "vault/injection.h"
#include "vault/mask.h"
#include "vault/message.h"

namespace {

using namespace sbx;
using namespace sbx::vault;

constexpr std::string_view kSecret = "sk-0123456789-abcdefghij";
constexpr std::string_view kStandIn = "stand-in";

void check(bool holds) {
  if (!holds) std::abort();
}

// However a shim that was taken over says it: it is one request, to our host, and ends where we say.
void check_head(std::string_view bytes) {
  auto request = decode_request(bytes);
  if (!request) return;
  check(decode_request(encode(*request)).has_value());
  const wire::CredentialView credential{"key", {"api.test"}, "x-api-key", "", "", {kStandIn}, kSecret, 0};
  const wire::CredentialView* const all[] = {&credential};
  check(std::holds_alternative<Injected>(inject(*request, all, 1)));
  const std::string head = write(*request, "api.test");
  const auto length = http::head_length(head);
  if (!length) return;  // larger than a head may be, which the server says
  check(*length && **length == head.size());
  const auto lines = http::lines_of(head);
  check(lines && lines->size() >= 2 && (*lines)[1] == "Host: api.test");
  const auto fields = http::parse_headers(*lines);
  check(fields && fields->size() == lines->size() - 1);
  std::size_t hosts = 0;
  for (const auto& [name, value] : *fields) hosts += http::same_name(name, "Host") ? 1 : 0;
  check(hosts == 1);
}

// The secret does not come through, whatever it is cut into.
void check_mask(const std::uint8_t* data, std::size_t size) {
  Mask mask;
  mask.add(kSecret);
  std::string text;
  for (std::size_t i = 0; i < size; ++i)  // a byte stands for a piece of the secret, or for itself
    if (data[i] < 128)
      text += static_cast<char>(data[i]);
    else
      text += kSecret.substr(0, data[i] % (kSecret.size() + 1));
  std::string out;
  std::size_t at = 0;
  for (std::size_t i = 0; at < text.size(); ++i) {
    const std::size_t piece = 1 + (size == 0 ? 0 : data[i % size] % 40);
    out += mask.pass(std::string_view(text).substr(at, piece));
    at += piece;
  }
  out += mask.rest();
  check(out.size() == text.size() && out.find(kSecret) == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)decode_load(bytes);
  (void)decode_loaded(bytes);
  (void)vault::decode_from_shim(bytes);
  (void)decode_from_vault(bytes);
  (void)wire::read_credential_file(bytes);
  if (const auto bindings = decode_bindings(bytes)) check(*decode_bindings(encode(*bindings)) == *bindings);
  if (const auto plain = from_base64(bytes)) check(from_base64(base64(*plain)) == *plain);
  FrameReader reader(static_cast<std::uint8_t>(ToVault::kEnd));
  (void)reader.take(bytes, [](std::uint8_t kind, std::string_view content) {
    if (static_cast<ToVault>(kind) == ToVault::kHead) check_head(content);
    return true;
  });
  check_head(bytes);
  check_mask(data, size);
  return 0;
}
