// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gate/ssh_question.h"
#include "sshagent/agent_message.h"
#include "sshagent/handshake.h"
#include "sshagent/host_signature.h"
#include "sshagent/line_message.h"
#include "sshagent/message_reader.h"

namespace {

using namespace sbx;
using namespace sbx::sshagent;

void check(bool holds) {
  if (!holds) std::abort();
}

// Whatever a guest says: what passes is the one message that it reads as, to the byte, for the signer and for the
// agent.
void check_request(std::string_view message) {
  const auto request = parse_request(message);
  const auto* sign = request ? std::get_if<Sign>(&*request) : nullptr;
  if (request && std::holds_alternative<ListKeys>(*request)) check(encode(ListKeys{}) == message);
  if (sign == nullptr) return;
  const auto passed = decode_ask(encode(Ask{1, SignAt{*sign, "example.com", "key"}}));
  check(passed && std::get<SignAt>(passed->request).sign == *sign);
  check(encode(*sign) == message);
}

// A shim that was taken over says it: what the agent hears is a login.
void check_ask(std::string_view packet) {
  const auto ask = decode_ask(packet);
  if (!ask) return;
  if (const auto* asked = std::get_if<SignAt>(&ask->request)) {
    const auto read = parse_request(encode(asked->sign));
    check(read && std::get<Sign>(*read) == asked->sign);
  }
}

// A server's first bytes, in whatever pieces they come.
void check_handshake(std::string_view bytes) {
  ServerHandshake at_once;
  ServerHandshake in_pieces;
  at_once.add(bytes);
  for (std::size_t at = 0; at < bytes.size(); at += 5) in_pieces.add(bytes.substr(at, 5));
  check(at_once.proof() == in_pieces.proof());
  if (at_once.proof()) (void)has_signed(at_once.proof()->host_key, at_once.proof()->signature, "session");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_request(bytes);
  check_ask(bytes);
  check_handshake(bytes);
  if (size > 8) (void)has_signed(bytes.substr(0, size / 2), bytes.substr(size / 2), "session");
  MessageReader reader(kLargestRequest);
  for (std::size_t at = 0; at < size; at += 7) {
    reader.add(bytes.substr(at, 7));
    while (const auto message = reader.next()) check_request(*message);
  }
  if (const auto keys = parse_keys(bytes)) check(encode_keys(*keys).size() <= kLargestAnswer);
  (void)parse_signature(bytes);
  (void)decode_answer(bytes);
  (void)gate::decode_ssh_question(bytes);
  (void)gate::decode_ssh_answer(bytes);
  return 0;
}
