// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/ssh_connections.h"

#include <algorithm>

namespace sbx::shim {

class SshConnections::Watched final : public streams::Stream, streams::Stream::Listener {
 public:
  Watched(std::list<Open>& all, std::string host, std::unique_ptr<streams::Stream> server)
      : all_(all), open_(all.insert(all.end(), Open{std::move(host), {}})), server_(std::move(server)) {}
  ~Watched() override { all_.erase(open_); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  void listen(streams::Stream::Listener& listener) override {
    listener_ = &listener;
    server_->listen(*this);
  }
  void send(std::string_view bytes) override { server_->send(bytes); }
  std::size_t queued() const override { return server_->queued(); }
  void finish() override { server_->finish(); }
  void pause() override { server_->pause(); }
  void resume() override { server_->resume(); }

 private:
  void received(std::string_view bytes) override {
    open_->handshake.add(bytes);
    listener_->received(bytes);
  }
  void ended() override { listener_->ended(); }
  void failed(const Error& why) override { listener_->failed(why); }
  void drained() override { listener_->drained(); }

  std::list<Open>& all_;
  std::list<Open>::iterator open_;
  streams::Stream::Listener* listener_ = nullptr;
  std::unique_ptr<streams::Stream> server_;
};

std::unique_ptr<streams::Stream> SshConnections::watched(const policy::Target& target,
                                                         std::unique_ptr<streams::Stream> server) {
  return std::make_unique<Watched>(open_, target.host.text(), std::move(server));
}

std::optional<std::string> SshConnections::host_with(const sshagent::HostProof& proof) const {
  const auto found = std::ranges::find_if(open_, [&](const Open& open) { return open.handshake.proof() == proof; });
  return found != open_.end() ? std::optional(found->host) : std::nullopt;
}

}  // namespace sbx::shim
