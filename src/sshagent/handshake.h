// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sbx::sshagent {

// What a server of SSH shows of itself in the clear, before the keys of a connection are in use: its public key, and
// the signature with which it proves it, which is over the identifier of this very connection and so is like no other.
struct HostProof {
  std::string host_key;
  std::string signature;

  bool operator==(const HostProof&) const = default;
};

// Looks for it in what a server sends (RFC 4253). Bytes of strangers; 128 KiB are looked at, and nothing that is
// encrypted: a client that knows the key could have the server send there what it likes.
class ServerHandshake {
 public:
  void add(std::string_view bytes);
  bool is_over() const { return over_; }  // there is no more to come
  const std::optional<HostProof>& proof() const { return proof_; }

 private:
  bool take_line();
  bool take_packet();
  void end();

  std::string bytes_;
  std::size_t seen_ = 0;
  bool in_packets_ = false;  // the lines before are over
  bool over_ = false;
  std::optional<HostProof> proof_;
};

}  // namespace sbx::sshagent
