// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/connection.h"

#include <algorithm>
#include <utility>

#include "proxy/http1.h"
#include "proxy/http2.h"
#include "proxy/log_line.h"
#include "proxy/opening.h"
#include "proxy/tls_likeness.h"
#include "proxy/tunnel.h"

namespace sbx::proxy {
namespace {

bool offers(const ClientHello& hello, std::string_view protocol) {
  return std::ranges::find(hello.protocols, protocol) != hello.protocols.end();
}

// What the client offers, as far as we speak it, in its order. It may be nothing.
Connector::Protocols spoken(const ClientHello& hello) {
  Connector::Protocols protocols;
  for (const std::string& protocol : hello.protocols)
    if (protocol == "h2" || protocol == "http/1.1") protocols.push_back(protocol);
  return protocols;
}

// For an answer of our own.
std::string preferred(const ClientHello& hello) {
  for (const char* protocol : {"http/1.1", "h2"})
    if (offers(hello, protocol)) return protocol;
  return {};
}

// The name that the client will look for in the certificate.
policy::Host leaf_host(const RequestOrigin& origin) {
  if (origin.server_name)
    if (auto named = policy::Host::parse(*origin.server_name)) return std::move(*named);
  return origin.target.host;
}

// The server that was reached, or what we say in its place.
std::variant<Upstream, Answer> server_of(const policy::Target& target, Connected connected, std::string_view sandbox) {
  if (const auto* refused = std::get_if<Refused>(&connected)) return refusal_of(target, refused->verdict, sandbox);
  if (const auto* failed = std::get_if<Failed>(&connected)) return unreachable(target, failed->why);
  return std::get<Upstream>(std::move(connected));
}

void log_failure(ProxyServices& services, const RequestOrigin& origin, const std::variant<Upstream, Answer>& server,
                 std::string_view why) {
  const auto* answer = std::get_if<Answer>(&server);
  const bool refused = answer != nullptr && answer->refusal;
  LogLine(services, origin.target,
          refused ? *answer->refusal : services.policy->at_hello(origin.target, origin.server_name), {})
      .failed(why);
}

}  // namespace

Connection::Connection(ProxyServices& services, std::unique_ptr<streams::Stream> client,
                       std::optional<policy::Target> target, OnDone on_done)
    : services_(services), on_done_(std::move(on_done)) {
  if (target)
    sniff({std::move(client), std::move(*target), {}});
  else
    serve_forward(std::move(client));
}

Connection::~Connection() = default;

// A client that has said nothing, or gets our own answer, has reached no server.
bool Connection::offends() const {
  const auto refuses = [this](const policy::Target& target) { return !services_.policy->at_connect(target).allowed(); };
  if (const auto* session = std::get_if<Serving>(&state_)) return (*session)->offends(*services_.policy);
  if (const auto* sniffing = std::get_if<Sniffing>(&state_))
    return (!sniffing->client.first.empty() || std::holds_alternative<Upstream>(sniffing->early)) &&
           refuses(sniffing->client.target);
  if (const auto* dialing = std::get_if<Dialing>(&state_))
    return !dialing->client.first.empty() && refuses(dialing->client.target);
  const auto* shaking = std::get_if<Shaking>(&state_);
  return shaking != nullptr && std::holds_alternative<Upstream>(shaking->server) && refuses(shaking->origin.target);
}

void Connection::close() {
  state_ = Over{};
  finish();
}

void Connection::serve_forward(std::unique_ptr<streams::Stream> client) {
  Http1::Inputs inputs;
  inputs.client = std::move(client);
  inputs.on_done = [this] { finish(); };
  // "200" whatever the policy says: no program shows the body of a CONNECT that was refused, so the refusal comes when
  // we know what the client speaks.
  inputs.on_connect = [this](policy::Target target, std::unique_ptr<streams::Stream> stream, std::string first) {
    stream->send("HTTP/1.1 200 Connection established\r\n\r\n");
    sniff({std::move(stream), std::move(target), std::move(first)});
  };
  serve(std::make_unique<Http1>(services_, std::move(inputs)));
}

// What does the client speak?

void Connection::sniff(Client client) {
  client.stream->listen(*this);
  if (services_.policy->at_connect(client.target).passes == policy::Passes::kRaw)
    return dial(std::move(client), std::nullopt, [this](Client raw, Connected connected) {
      tunnel(std::move(raw), std::move(connected), policy::Passes::kRaw);
    });
  enter(Sniffing{std::move(client)});
  auto& sniffing = std::get<Sniffing>(state_);
  sniffing.client.stream->resume();
  // One that says nothing may be waiting for the server to speak.
  const bool may_wait = sniffing.client.first.empty() && services_.policy->at_other(sniffing.client.target).allowed();
  if (may_wait) return limit(services_.limits.silence, &Connection::silent);
  limit(services_.limits.opening, &Connection::never_clear);
  if (!sniffing.client.first.empty()) look(sniffing);
}

void Connection::received(std::string_view bytes) {
  auto* sniffing = std::get_if<Sniffing>(&state_);
  if (sniffing == nullptr) return;
  if (sniffing->client.first.empty()) limit(services_.limits.opening, &Connection::never_clear);
  sniffing->client.first += bytes;
  look(*sniffing);
}

// Nothing can make a request of it any more, if it was not one yet.
void Connection::ended() {
  auto* sniffing = std::get_if<Sniffing>(&state_);
  if (sniffing == nullptr) return;
  sniffing->client.over = true;
  const std::string& first = sniffing->client.first;
  const bool other = !first.empty() && opening_of(first) == Opening::kUnclear;
  return other && likeness_to_tls(first) == Likeness::kNo ? serve_other(std::move(*sniffing)) : never_clear();
}

void Connection::look(Sniffing& sniffing) {
  const Opening opening = opening_of(sniffing.client.first);
  if (opening == Opening::kUnclear) return;
  if (std::holds_alternative<std::unique_ptr<Connector>>(sniffing.early)) sniffing.early = {};
  switch (opening) {
    case Opening::kUnclear:
      return;
    case Opening::kTls:
      return look_at_hello(sniffing);
    case Opening::kHttp:
      return serve_http(std::move(sniffing));
    case Opening::kHttp2:
      return sniffing.client.first.size() < kHttp2Preface.size() ? void() : serve_http2(std::move(sniffing));
    case Opening::kOther:
      return serve_other(std::move(sniffing));
  }
}

void Connection::look_at_hello(Sniffing& sniffing) {
  const auto hello = read_client_hello(sniffing.client.first);
  // SECURITY: what looks like TLS and is not well-formed is never taken for another protocol: a server that is more
  // patient than we are would be reached without its name having been checked.
  if (!hello) return refuse(sniffing.client.target, policy::malformed(hello.error().what()));
  if (*hello) serve_tls(std::move(sniffing.client), **hello);
}

// SECURITY: what may still become a request is not taken for another protocol because it is slow.
void Connection::never_clear() {
  const Client& client = std::get<Sniffing>(state_).client;
  if (client.first.empty()) return finish();
  refuse(client.target, policy::malformed("it does not become clear what the client speaks"));
}

void Connection::silent() {
  limit(services_.limits.opening, &Connection::never_clear);
  auto& sniffing = std::get<Sniffing>(state_);
  sniffing.early = std::make_unique<Connector>(services_, sniffing.client.target, std::nullopt,
                                               [this](Connected connected) { reached_early(std::move(connected)); });
}

void Connection::reached_early(Connected connected) {
  auto& sniffing = std::get<Sniffing>(state_);
  auto* upstream = std::get_if<Upstream>(&connected);
  if (upstream == nullptr) return tunnel(std::move(sniffing.client), std::move(connected), policy::Passes::kOther);
  if (sniffing.client.first.empty()) timer_.cancel();  // both may be patient now
  upstream->stream->listen(early_server_);
  sniffing.early = std::move(*upstream);
}

// SECURITY: it must not be the server's first word that makes a client that has begun TLS, or HTTP/2, one that has not.
void Connection::server_spoke(std::string_view bytes) {
  auto* sniffing = std::get_if<Sniffing>(&state_);
  if (sniffing == nullptr) return;
  Client& client = sniffing->client;
  const bool begun = !client.first.empty() &&
                     (likeness_to_tls(client.first) != Likeness::kNo || opening_of(client.first) == Opening::kHttp2);
  if (begun) return refuse(client.target, policy::malformed("the server speaks before the client's first word ends"));
  const policy::Verdict verdict = services_.policy->at_other(client.target);
  if (!verdict.allowed()) return refuse(client.target, verdict);
  client.stream->send(bytes);
  tunnel(std::move(client), std::get<Upstream>(std::move(sniffing->early)), policy::Passes::kOther);
}

// Neither TLS nor HTTP.

void Connection::serve_other(Sniffing sniffing) {
  const policy::Verdict verdict = services_.policy->at_other(sniffing.client.target);
  if (!verdict.allowed()) return refuse(sniffing.client.target, verdict);
  const auto pass_on = [this](Client client, Connected connected) {
    tunnel(std::move(client), std::move(connected), policy::Passes::kOther);
  };
  if (auto* early = std::get_if<Upstream>(&sniffing.early))
    return pass_on(std::move(sniffing.client), std::move(*early));
  dial(std::move(sniffing.client), std::nullopt, pass_on);
}

void Connection::tunnel(Client client, Connected connected, policy::Passes needs) {
  if (const auto* refused = std::get_if<Refused>(&connected)) return refuse(client.target, refused->verdict);
  if (const auto* failed = std::get_if<Failed>(&connected)) {
    LogLine(services_, client.target, untouched(services_.policy->at_connect(client.target)), {}).failed(failed->why);
    return finish();
  }
  serve(std::make_unique<Tunnel>(services_,
                                 Tunnel::Inputs{std::move(client.stream), std::move(client.first), needs, client.over,
                                                std::get<Upstream>(std::move(connected)), [this] { finish(); }}));
}

// HTTP without TLS.

void Connection::serve_http(Sniffing sniffing) {
  Http1::Inputs inputs;
  inputs.client = std::move(sniffing.client.stream);
  inputs.first = std::move(sniffing.client.first);
  inputs.origin = RequestOrigin{std::move(sniffing.client.target)};
  if (auto* early = std::get_if<Upstream>(&sniffing.early)) inputs.upstream = std::move(*early);
  inputs.on_done = [this] { finish(); };
  serve(std::make_unique<Http1>(services_, std::move(inputs)));
}

// The server is dialed before the first request is looked at, because we cannot speak for it.
void Connection::serve_http2(Sniffing sniffing) {
  const auto speak_to = [this](Client client, Server server) {
    speak({client.target}, std::move(client.stream), std::move(client.first), std::move(server), true);
  };
  const auto reached = [this, speak_to](Client client, Connected connected) {
    Server server = server_of(client.target, std::move(connected), services_.sandbox);
    speak_to(std::move(client), std::move(server));
  };
  const policy::Target& target = sniffing.client.target;
  const policy::Verdict verdict = services_.policy->at_connect(target);
  if (!verdict.allowed()) return reached(std::move(sniffing.client), Refused{verdict});
  if (auto* early = std::get_if<Upstream>(&sniffing.early))
    return reached(std::move(sniffing.client), std::move(*early));
  dial(std::move(sniffing.client), std::nullopt, reached);
}

// TLS. That the client offers protocols (ALPN) of which none is HTTP is no reason not to inspect it: it is the client
// that says so.

void Connection::serve_tls(Client client, const ClientHello& hello) {
  client.stream->pause();
  const policy::Verdict verdict = services_.policy->at_hello(client.target, hello.server_name);
  if (!verdict.allowed()) {
    Answer refusal = refusal_of(client.target, verdict, services_.sandbox);
    return answer_inside_tls(std::move(client), hello, std::move(refusal));
  }
  const bool inspected = verdict.decision == policy::Decision::kInspect;
  const auto protocols = inspected ? std::optional(spoken(hello)) : std::nullopt;
  dial(std::move(client), protocols, [this, hello, inspected](Client waiting, Connected connected) {
    reached_tls(std::move(waiting), hello, std::move(connected), inspected);
  });
}

void Connection::reached_tls(Client client, const ClientHello& hello, Connected connected, bool inspected) {
  auto* upstream = std::get_if<Upstream>(&connected);
  const bool passes_untouched =
      upstream != nullptr ? !upstream->encrypted() : !inspected && std::holds_alternative<Failed>(connected);
  if (passes_untouched) return tunnel(std::move(client), std::move(connected), policy::Passes::kHttp);
  Server server = server_of(client.target, std::move(connected), services_.sandbox);
  if (auto* answer = std::get_if<Answer>(&server))
    return answer_inside_tls(std::move(client), hello, std::move(*answer));
  const tls::Tls* tls = std::get<Upstream>(server).tls;
  const std::string chosen = tls != nullptr ? tls->protocol() : std::string();
  shake_hands(std::move(client), hello, chosen.empty() && offers(hello, "http/1.1") ? "http/1.1" : chosen,
              std::move(server));
}

void Connection::answer_inside_tls(Client client, const ClientHello& hello, Answer answer) {
  shake_hands(std::move(client), hello, preferred(hello), std::move(answer));
}

void Connection::shake_hands(Client client, const ClientHello& hello, const std::string& protocol, Server server) {
  RequestOrigin origin{client.target, true, hello.server_name};
  auto ssl = tls::make_server(services_.server.get(), services_.mint, leaf_host(origin), protocol);
  if (!ssl) {
    log_failure(services_, origin, server, ssl.error().what());
    return finish();
  }
  auto tls = std::make_unique<tls::Tls>(services_.loop, std::move(*ssl), std::move(client.stream));
  tls::Tls& shaking = *tls;
  enter(Shaking{std::move(origin), std::move(tls), std::move(server)});
  limit(services_.limits.handshake, &Connection::finish);
  shaking.start(client.first, [this](const Result<>& done) { shaken(done); });
}

void Connection::shaken(const Result<>& done) {
  auto& shaking = std::get<Shaking>(state_);
  if (!done) {
    log_failure(services_, shaking.origin, shaking.server,
                "the client broke off the TLS handshake: " + done.error().what());
    return finish();
  }
  const bool http2 = shaking.client->protocol() == "h2";
  speak(std::move(shaking.origin), std::move(shaking.client), {}, std::move(shaking.server), http2);
}

// Common steps.

void Connection::speak(RequestOrigin origin, std::unique_ptr<streams::Stream> client, std::string first, Server server,
                       bool http2) {
  std::optional<Upstream> upstream;
  std::optional<Answer> answer;
  if (auto* reached = std::get_if<Upstream>(&server))
    upstream = std::move(*reached);
  else
    answer = std::get<Answer>(std::move(server));
  const auto done = [this] { finish(); };
  if (http2)
    return serve(
        std::make_unique<Http2>(services_, Http2::Inputs{std::move(client), std::move(first), std::move(origin),
                                                         std::move(upstream), std::move(answer), done}));
  serve(std::make_unique<Http1>(
      services_,
      Http1::Inputs{
          std::move(client), std::move(first), std::move(origin), std::move(upstream), std::move(answer), done, {}}));
}

void Connection::dial(Client client, std::optional<Connector::Protocols> protocols, OnConnected then) {
  client.stream->pause();
  enter(Dialing{std::move(client), nullptr});
  auto& dialing = std::get<Dialing>(state_);
  dialing.connector = std::make_unique<Connector>(
      services_, dialing.client.target, std::move(protocols), [this, then = std::move(then)](Connected connected) {
        then(std::move(std::get<Dialing>(state_).client), std::move(connected));
      });
}

void Connection::refuse(const policy::Target& target, const policy::Verdict& verdict) {
  const LogLine entry(services_, target, verdict, {});
  finish();
}

void Connection::serve(std::unique_ptr<ProxySession> session) {
  enter(std::move(session));
  if (offends()) close();  // the policy changed while we dialed
}

// The old state may be the one that calls. Streams, and what makes them, may be destroyed then; a session may not.
void Connection::enter(State state) {
  timer_.cancel();
  std::swap(state_, state);
  if (auto* session = std::get_if<Serving>(&state)) services_.loop.discard(std::move(*session));
}

void Connection::finish() {
  timer_.cancel();
  if (!std::holds_alternative<Serving>(state_)) enter(Over{});
  if (const OnDone done = std::exchange(on_done_, nullptr)) done();
}

void Connection::limit(std::chrono::milliseconds time, void (Connection::*then)()) {
  timer_ = services_.loop.after(time, [this, then] { (this->*then)(); });
}

}  // namespace sbx::proxy
