// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/netlink.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/fd.h"

namespace sbx::guest {
namespace {

// The kernel answers while it is asked; only a kernel in trouble does not.
constexpr timeval kAnswerLimit{5, 0};

// Reads one datagram of answers; returns how many were in it.
Result<int> read_answers(const Fd& socket) {
  alignas(nlmsghdr) std::array<char, 8192> buffer{};
  const ssize_t size = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
  if (size < 0) return fail_errno("hear from the kernel");
  int answers = 0;
  auto left = static_cast<unsigned>(size);
  for (const auto* header = reinterpret_cast<const nlmsghdr*>(buffer.data()); NLMSG_OK(header, left);
       header = NLMSG_NEXT(header, left)) {
    if (header->nlmsg_type != NLMSG_ERROR) continue;
    const int error = -static_cast<const nlmsgerr*>(NLMSG_DATA(header))->error;
    if (error != 0 && error != EEXIST) return fail_errno("the kernel refused", error);
    ++answers;
  }
  return answers;
}

}  // namespace

void NetlinkWriter::message(std::uint16_t type, std::uint16_t flags) {
  message_ = bytes_.size();
  nlmsghdr header{};
  header.nlmsg_type = type;
  header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
  header.nlmsg_seq = ++sequence_;
  if ((flags & NLM_F_ACK) != 0) ++expected_;
  fixed(header);
}

void NetlinkWriter::raw(std::string_view bytes) {
  bytes_.append(bytes);
  bytes_.append((NLMSG_ALIGNTO - bytes_.size() % NLMSG_ALIGNTO) % NLMSG_ALIGNTO, '\0');
  grow_message();
}

void NetlinkWriter::grow_message() {
  const auto length = static_cast<std::uint32_t>(bytes_.size() - message_);
  std::memcpy(bytes_.data() + message_, &length, sizeof length);
}

void NetlinkWriter::attribute(std::uint16_t type, std::string_view bytes) {
  const nlattr header{static_cast<std::uint16_t>(sizeof(nlattr) + bytes.size()), type};
  bytes_.append(reinterpret_cast<const char*>(&header), sizeof header);
  raw(bytes);
}

void NetlinkWriter::text(std::uint16_t type, std::string_view text) { attribute(type, std::string(text) + '\0'); }

void NetlinkWriter::u32(std::uint16_t type, std::uint32_t value) {
  attribute(type, {reinterpret_cast<const char*>(&value), sizeof value});
}

void NetlinkWriter::network_u32(std::uint16_t type, std::uint32_t value) { u32(type, htonl(value)); }

std::size_t NetlinkWriter::begin(std::uint16_t type) {
  const std::size_t nest = bytes_.size();
  attribute(static_cast<std::uint16_t>(type | NLA_F_NESTED), {});
  return nest;
}

void NetlinkWriter::end(std::size_t nest) {
  const auto length = static_cast<std::uint16_t>(bytes_.size() - nest);
  std::memcpy(bytes_.data() + nest, &length, sizeof length);
}

Result<> netlink(int protocol, const NetlinkWriter& messages) {
  const Fd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol));
  if (!socket) return fail_errno("make a netlink socket");
  (void)::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &kAnswerLimit, sizeof kAnswerLimit);
  const std::string& bytes = messages.bytes();
  if (::send(socket.get(), bytes.data(), bytes.size(), 0) < 0) return fail_errno("ask the kernel");
  for (int heard = 0; heard < messages.expected();) {
    TRY_ASSIGN(const int answers, read_answers(socket));
    heard += answers;
  }
  return Ok{};
}

}  // namespace sbx::guest
