// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/name_server.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstring>

#include "base/big_endian.h"
#include "guest/network/any_address.h"
#include "guest/network/dns_message.h"

namespace sbx::guest {
namespace {

constexpr std::size_t kMostClients = 256;
constexpr std::chrono::seconds kTcpPatience{10};  // with a client over TCP, from its first byte to its last
constexpr int kDatagramsAtOnce = 64;              // then others have their turn
constexpr std::size_t kLargestDatagram = 4096;

bool is_below(std::string_view name, std::string_view parent) {
  return name == parent || (name.ends_with(parent) && name[name.size() - parent.size() - 1] == '.');
}

}  // namespace

// One connection over TCP: messages, each after its length.
class NameServer::Client final : public streams::Stream::Listener {
 public:
  Client(NameServer& server, std::uint64_t number, Fd socket)
      : server_(server), number_(number), stream_(server.loop_, std::move(socket)) {
    patience_ = server.loop_.after(kTcpPatience, [this] { end(); });
    stream_.listen(*this);
  }
  ~Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void received(std::string_view bytes) override {
    input_ += bytes;
    while (take_message()) {
    }
    // A client that asks on and does not read the answers is dropped, so that they fill no memory.
    if (stream_.queued() > streams::kHighWater) end();
  }
  void ended() override {
    stream_.finish();
    if (stream_.queued() == 0) end();
  }
  void failed(const Error&) override { end(); }
  void drained() override {}

 private:
  bool take_message() {
    if (input_.size() < 2) return false;
    const std::size_t size = big_endian(std::string_view(input_).substr(0, 2));
    if (input_.size() < 2 + size) return false;
    if (const auto reply = server_.reply(std::string_view(input_).substr(2, size))) {
      std::string length;
      append_big_endian(length, reply->size(), 2);
      stream_.send(length + *reply);
    }
    input_.erase(0, 2 + size);
    return true;
  }
  void end() { server_.drop(number_); }

  NameServer& server_;
  const std::uint64_t number_;
  streams::SocketStream stream_;
  std::string input_;
  loop::Loop::Timer patience_;
};

NameServer::NameServer(loop::Loop& loop, NameTable& names)
    : loop_(loop), names_(names), acceptor_(loop, [this](Fd socket) { add_client(std::move(socket)); }) {}

NameServer::~NameServer() {
  if (datagrams_) loop_.forget(datagrams_);
}

Result<> NameServer::start() {
  TRY_ASSIGN(datagrams_, bind_any_address(SOCK_DGRAM, kNamePort));
  // The answer must come from the address that the question went to, or it would not be taken for one.
  const int on = 1;
  (void)::setsockopt(datagrams_.get(), IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
  (void)::setsockopt(datagrams_.get(), IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on);
  loop_.watch(datagrams_, EPOLLIN, [this](std::uint32_t) { read_datagrams(); });
  return acceptor_.start(kNamePort);
}

std::optional<std::string> NameServer::reply(std::string_view message) {
  using dns::Rcode;
  const auto query = dns::parse_query(message);
  if (!query) return std::nullopt;
  if (!query->understood) return dns::answer(*query, Rcode::kNotImplemented);
  if (!query->well_formed) return dns::answer(*query, Rcode::kFormatError);
  if (query->type == dns::Type::kPtr) {
    const auto address = dns::address_in_reverse_name(query->name);
    const auto name = address ? names_.name_of(*address) : std::nullopt;
    const auto data = name ? dns::encode_name(*name) : std::nullopt;
    return data ? dns::answer(*query, Rcode::kNoError, *data) : dns::answer(*query, Rcode::kNoSuchName);
  }
  if (!dns::encode_name(query->name)) return dns::answer(*query, Rcode::kNoSuchName);
  if (query->type != dns::Type::kA) return dns::answer(*query, Rcode::kNoError);
  const Ipv4 address = is_below(query->name, "localhost") ? kLoopback : names_.address_of(query->name);
  return dns::answer(*query, Rcode::kNoError, dns::address_data(address));
}

void NameServer::read_datagrams() {
  for (int i = 0; i < kDatagramsAtOnce && read_datagram(); ++i) {
  }
}

bool NameServer::read_datagram() {
  std::array<char, kLargestDatagram> buffer;
  std::array<char, 256> control;
  sockaddr_storage from{};
  iovec part{buffer.data(), buffer.size()};
  msghdr message{};
  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = ::recvmsg(datagrams_.get(), &message, 0);
  if (size < 0) return false;
  auto answer = reply({buffer.data(), static_cast<std::size_t>(size)});
  if (!answer) return true;
  // What it says of the address that the question went to is, sent back, the address that the answer comes from.
  part = {answer->data(), answer->size()};
  message.msg_flags = 0;
  (void)::sendmsg(datagrams_.get(), &message, 0);
  return true;
}

void NameServer::add_client(Fd socket) {
  if (clients_.size() >= kMostClients) return;
  const std::uint64_t number = next_client_++;
  clients_.emplace(number, std::make_unique<Client>(*this, number, std::move(socket)));
}

// Destroyed later, because it is the client itself that calls, perhaps twice.
void NameServer::drop(std::uint64_t client) {
  if (auto node = clients_.extract(client); !node.empty()) loop_.discard(std::move(node.mapped()));
}

}  // namespace sbx::guest
