// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/message_reader.h"

#include "sshagent/ssh_strings.h"

namespace sbx::sshagent {
namespace {

constexpr std::size_t kLengthSize = 4;

}  // namespace

std::optional<std::string> MessageReader::next() {
  if (broken_ || bytes_.size() < kLengthSize) return std::nullopt;
  const std::size_t size = SshReader(bytes_).number();
  broken_ = size == 0 || size > largest_;
  if (broken_ || bytes_.size() < kLengthSize + size) return std::nullopt;
  std::string message = bytes_.substr(kLengthSize, size);
  bytes_.erase(0, kLengthSize + size);
  return message;
}

std::string framed(std::string_view message) {
  SshWriter into;
  into.text(message);
  return into.take();
}

}  // namespace sbx::sshagent
