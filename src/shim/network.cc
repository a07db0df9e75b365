// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/network.h"

#include "policy/rules_file.h"

namespace sbx::shim {

Network::Network(loop::Loop& loop, Fd gate, Fd keeper)
    : door_(loop, std::move(gate),
            {[this](const policy::Rules& rules) { proxy_->change(rules); },
             [this](std::uint16_t port, Fd socket) { accepted(port, std::move(socket)); },
             // SECURITY: what is open was allowed by a policy that could not be taken back.
             [this] {
               if (proxy_) proxy_->close_all();
             }}),
      vault_door_(loop, std::move(keeper), [this] { proxy_->bindings_changed(); }),
      visitors_(loop) {}

Result<std::unique_ptr<Network>> Network::create(Inputs inputs) {
  TRY_ASSIGN(policy::Rules rules, policy::decode_rules(inputs.config.rules, "network policy"));
  TRY_ASSIGN(policy::Host self, policy::Host::parse(wire::kHostAlias));
  std::unique_ptr<Network> network(new Network(inputs.loop, std::move(inputs.gate), std::move(inputs.keeper)));
  TRY_ASSIGN(network->proxy_, proxy::Proxy::create({inputs.loop,
                                                    network->door_,
                                                    std::move(inputs.sandbox),
                                                    {std::move(self), wire::kProxyPort, policy::Path::kForward},
                                                    {inputs.config.ca_certificate, std::move(inputs.ca_key)},
                                                    std::move(inputs.roots),
                                                    std::move(rules),
                                                    {},
                                                    &network->vault_door_}));
  return network;
}

void Network::serve(const wire::Connect& connect, std::unique_ptr<streams::Stream> client) {
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
