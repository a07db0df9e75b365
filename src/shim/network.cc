// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/network.h"

#include "gate/ssh_question.h"
#include "policy/rules_file.h"

namespace sbx::shim {

Network::Network(Inputs& inputs)
    : door_(inputs.loop, std::move(inputs.gate),
            {[this](const policy::Rules& rules) { proxy_->change(rules); },
             [this](std::uint16_t port, Fd socket) { accepted(port, std::move(socket)); },
             // SECURITY: what is open was allowed by a policy that could not be taken back.
             [this] {
               if (proxy_) proxy_->close_all();
             }}),
      vault_door_(inputs.loop, std::move(inputs.keeper), [this] { proxy_->bindings_changed(); }),
      ssh_agent_(inputs.signer ? std::make_unique<SshAgentDoor>(inputs.loop, std::move(inputs.signer), ssh_connections_)
                               : nullptr),
      blobs_(inputs.blobs ? std::make_unique<BlobDoor>(inputs.loop, std::move(inputs.blobs)) : nullptr),
      visitors_(inputs.loop) {}

proxy::WatchTunnel Network::tunnel_watch() {
  if (!ssh_agent_) return {};
  return [this](const policy::Target& target, std::unique_ptr<streams::Stream> server) {
    return target.port == gate::kSshPort ? ssh_connections_.watched(target, std::move(server)) : std::move(server);
  };
}

Result<std::unique_ptr<Network>> Network::create(Inputs inputs) {
  TRY_ASSIGN(policy::Rules rules, policy::decode_rules(inputs.config.rules, "network policy"));
  TRY_ASSIGN(policy::Host self, policy::Host::parse(wire::kHostAlias));
  std::unique_ptr<Network> network(new Network(inputs));
  TRY_ASSIGN(network->proxy_, proxy::Proxy::create({inputs.loop,
                                                    network->door_,
                                                    std::move(inputs.sandbox),
                                                    {std::move(self), wire::kProxyPort, policy::Path::kForward},
                                                    {inputs.config.ca_certificate, std::move(inputs.ca_key)},
                                                    std::move(inputs.roots),
                                                    std::move(rules),
                                                    {},
                                                    &network->vault_door_,
                                                    network->tunnel_watch(),
                                                    network->blobs_.get()}));
  return network;
}

void Network::serve(const wire::Connect& connect, std::unique_ptr<streams::Stream> client) {
  if (connect.ssh_agent) {
    if (ssh_agent_) ssh_agent_->serve(std::move(client));
    return;
  }
  auto host = policy::Host::parse(connect.host);
  if (!host) return;  // no program has asked for that: it ends with the stream
  if (host->text() == wire::kHostAlias && connect.port == wire::kProxyPort)
    return proxy_->serve_forward(std::move(client));
  proxy_->serve({std::move(*host), connect.port, policy::Path::kTransparent}, std::move(client));
}

void Network::accepted(std::uint16_t port, Fd socket) {
  if (visitors_.full() || !reach_guest_) return;
  if (auto guest = reach_guest_(port)) visitors_.add(std::move(socket), std::move(guest));
}

}  // namespace sbx::shim
