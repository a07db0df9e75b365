// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/connection.h"

#include <algorithm>
#include <utility>

#include "proxy/entry.h"
#include "proxy/http1.h"
#include "proxy/http2.h"
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

}  // namespace

Connection::Connection(Services& services, std::unique_ptr<streams::Stream> client,
                       std::optional<policy::Target> target, OnDone on_done)
    : services_(services), on_done_(std::move(on_done)), client_(std::move(client)) {
  if (target)
    sniff(std::move(*target), {});
  else
    serve_forward();
}

Connection::~Connection() { no_limit(); }

bool Connection::offends() const {
  if (session_) return session_->offends(*services_.policy);
  const bool begun = !first_.empty() || upstream_;
  return target_ && begun && !answer_ && !services_.policy->at_connect(*target_).allowed();
}

void Connection::close() {
  session_.reset();
  connector_.reset();
  shaking_.reset();
  upstream_.reset();
  client_.reset();
  finish();
}

void Connection::serve_forward() {
  Http1::Inputs inputs;
  inputs.client = std::move(client_);
  inputs.on_done = [this] { finish(); };
  // "200" whatever the policy says: no program shows the body of a CONNECT that was refused, so the refusal comes when
  // we know what the client speaks.
  inputs.on_connect = [this](policy::Target target, std::unique_ptr<streams::Stream> client, std::string first) {
    client_ = std::move(client);
    client_->send("HTTP/1.1 200 Connection established\r\n\r\n");
    sniff(std::move(target), std::move(first));
  };
  put_in_charge(std::make_unique<Http1>(services_, std::move(inputs)));
}

// What does the client speak?

void Connection::sniff(policy::Target target, std::string first) {
  put_in_charge(nullptr);
  target_ = std::move(target);
  first_ = std::move(first);
  client_->listen(*this);
  if (services_.policy->at_connect(*target_).passes == policy::Passes::kRaw) return serve_raw();
  client_->resume();
  if (!first_.empty()) {
    limit(services_.limits.opening, &Connection::never_clear);
    return look();
  }
  // It may be waiting for the server to speak.
  const bool may_wait = services_.policy->at_other(*target_).allowed();
  if (may_wait)
    limit(services_.limits.silence, &Connection::silent);
  else
    limit(services_.limits.opening, &Connection::never_clear);
}

void Connection::received(std::string_view bytes) {
  if (first_.empty()) limit(services_.limits.opening, &Connection::never_clear);
  first_ += bytes;
  look();
}

// Nothing can make a request of it any more, if it was not one yet.
void Connection::ended() {
  client_over_ = true;
  const bool other = !first_.empty() && opening_of(first_) == Opening::kUnclear;
  return other && likeness_to_tls(first_) == Likeness::kNo ? serve_other() : never_clear();
}

void Connection::failed(const Error&) { finish(); }

void Connection::look() {
  const Opening opening = opening_of(first_);
  if (opening == Opening::kUnclear) return;
  connector_.reset();  // of a server that was to speak first
  switch (opening) {
    case Opening::kUnclear:
      return;
    case Opening::kTls:
      return look_at_hello();
    case Opening::kHttp:
      return serve_http();
    case Opening::kHttp2:
      return first_.size() < kHttp2Preface.size() ? void() : serve_http2();
    case Opening::kOther:
      return serve_other();
  }
}

void Connection::look_at_hello() {
  auto hello = read_client_hello(first_);
  // SECURITY: what looks like TLS and is not well-formed is never taken for another protocol: a server that is more
  // patient than we are would be reached without its name having been checked.
  if (!hello) return refuse(policy::malformed(hello.error().what()));
  if (*hello) serve_tls(**hello);
}

// SECURITY: what may still become a request is not taken for another protocol because it is slow.
void Connection::never_clear() {
  if (!first_.empty()) return refuse(policy::malformed("it does not become clear what the client speaks"));
  finish();
}

void Connection::silent() {
  limit(services_.limits.opening, &Connection::never_clear);
  connector_ = std::make_unique<Connector>(services_, *target_, std::nullopt,
                                           [this](Connected connected) { reached_early(std::move(connected)); });
}

void Connection::reached_early(Connected connected) {
  connector_.reset();
  auto* upstream = std::get_if<Upstream>(&connected);
  if (upstream == nullptr) return reached_other(std::move(connected));
  if (first_.empty()) no_limit();  // both may be patient now
  upstream_ = std::move(*upstream);
  upstream_->stream->listen(early_server_);
}

// SECURITY: it must not be the server's first word that makes a client that has begun TLS, or HTTP/2, one that has not.
void Connection::server_spoke(std::string_view bytes) {
  const bool begun =
      !first_.empty() && (likeness_to_tls(first_) != Likeness::kNo || opening_of(first_) == Opening::kHttp2);
  if (begun) return refuse(policy::malformed("the server speaks before the client's first word ends"));
  const std::string spoken(bytes);
  const policy::Verdict verdict = services_.policy->at_other(*target_);
  if (!verdict.allowed()) return refuse(verdict);
  client_->send(spoken);
  reached_other(std::move(*std::exchange(upstream_, std::nullopt)));
}

// Anything, to where a rule says so.

void Connection::serve_raw() { reach(std::nullopt, &Connection::reached_raw); }

// Neither TLS nor HTTP.

void Connection::serve_other() {
  const policy::Verdict verdict = services_.policy->at_other(*target_);
  if (!verdict.allowed()) return refuse(verdict);
  if (upstream_) return reached_other(std::move(*std::exchange(upstream_, std::nullopt)));
  reach(std::nullopt, &Connection::reached_other);
}

void Connection::tunnel(Connected connected, policy::Passes needs) {
  if (const auto* refused = std::get_if<Refused>(&connected)) return refuse(refused->verdict);
  if (const auto* failed = std::get_if<Failed>(&connected)) {
    Entry(services_, *target_, untouched(services_.policy->at_connect(*target_)), {}).failed(failed->why);
    return finish();
  }
  put_in_charge(std::make_unique<Tunnel>(
      services_, Tunnel::Inputs{std::move(client_), std::exchange(first_, {}), needs, client_over_,
                                std::get<Upstream>(std::move(connected)), [this] { finish(); }}));
}

// HTTP without TLS.

void Connection::serve_http() {
  Http1::Inputs inputs;
  inputs.client = std::move(client_);
  inputs.first = std::exchange(first_, {});
  inputs.origin = Origin{*target_, false, std::nullopt};
  inputs.upstream = std::exchange(upstream_, std::nullopt);
  inputs.on_done = [this] { finish(); };
  put_in_charge(std::make_unique<Http1>(services_, std::move(inputs)));
}

// The server is dialled before the first request is looked at, because we cannot speak for it.
void Connection::serve_http2() {
  const policy::Verdict verdict = services_.policy->at_connect(*target_);
  if (!verdict.allowed()) return refuse_http2(verdict);
  if (upstream_) return reached_http2(std::move(*std::exchange(upstream_, std::nullopt)));
  reach(std::nullopt, &Connection::reached_http2);
}

void Connection::reached_http2(Connected connected) {
  if (const auto* refused = std::get_if<Refused>(&connected)) return refuse_http2(refused->verdict);
  std::optional<Upstream> upstream;
  if (const auto* failed = std::get_if<Failed>(&connected))
    answer_ = unreachable(*target_, failed->why);
  else
    upstream = std::get<Upstream>(std::move(connected));
  speak_http2(std::move(client_), false, std::move(upstream));
}

void Connection::refuse_http2(const policy::Verdict& verdict) {
  answer_ = refusal_of(*target_, verdict, services_.sandbox);
  speak_http2(std::move(client_), false, {});
}

void Connection::speak_http2(std::unique_ptr<streams::Stream> client, bool encrypted,
                             std::optional<Upstream> upstream) {
  put_in_charge(std::make_unique<Http2>(
      services_, Http2::Inputs{std::move(client), std::exchange(first_, {}),
                               Origin{*target_, encrypted, encrypted ? hello_.server_name : std::nullopt},
                               std::move(upstream), answer_, [this] { finish(); }}));
}

// TLS. That the client offers protocols (ALPN) of which none is HTTP is no reason not to inspect it: it is the client
// that says so.

void Connection::serve_tls(const ClientHello& hello) {
  hello_ = hello;
  client_->pause();
  upstream_.reset();
  const policy::Verdict verdict = services_.policy->at_hello(*target_, hello_.server_name);
  if (!verdict.allowed()) return refuse_inside_tls(verdict);
  if (verdict.decision == policy::Decision::kTunnel) return reach(std::nullopt, &Connection::reached_bypassed);
  reach(spoken(hello_), &Connection::reached_inspected);
}

void Connection::reached_bypassed(Connected connected) {
  if (const auto* refused = std::get_if<Refused>(&connected)) return refuse_inside_tls(refused->verdict);
  tunnel(std::move(connected), policy::Passes::kHttp);
}

void Connection::reached_inspected(Connected connected) {
  if (const auto* refused = std::get_if<Refused>(&connected)) return refuse_inside_tls(refused->verdict);
  if (const auto* failed = std::get_if<Failed>(&connected))
    return answer_inside_tls(unreachable(*target_, failed->why));
  auto& upstream = std::get<Upstream>(connected);
  if (upstream.tls == nullptr) return tunnel(std::move(connected), policy::Passes::kHttp);
  const std::string chosen = upstream.tls->protocol();
  upstream_ = std::move(upstream);
  shake_hands(chosen.empty() && offers(hello_, "http/1.1") ? "http/1.1" : chosen);
}

void Connection::refuse_inside_tls(const policy::Verdict& verdict) {
  answer_inside_tls(refusal_of(*target_, verdict, services_.sandbox));
}

void Connection::answer_inside_tls(Answer answer) {
  answer_ = std::move(answer);
  shake_hands(preferred(hello_));
}

// The name that the client will look for in the certificate.
policy::Host Connection::leaf_host() const {
  if (hello_.server_name)
    if (auto named = policy::Host::parse(*hello_.server_name)) return std::move(*named);
  return target_->host;
}

policy::Verdict Connection::verdict_so_far() const {
  return answer_ && answer_->refusal ? *answer_->refusal : services_.policy->at_hello(*target_, hello_.server_name);
}

void Connection::shake_hands(const std::string& protocol) {
  auto ssl = make_server(services_.server.get(), services_.mint, leaf_host(), protocol);
  if (!ssl) {
    Entry(services_, *target_, verdict_so_far(), {}).failed(ssl.error().what());
    return finish();
  }
  shaking_ = std::make_unique<Tls>(services_.loop, std::move(*ssl), std::move(client_));
  limit(services_.limits.handshake, &Connection::finish);
  shaking_->start(std::exchange(first_, {}), [this](const Result<>& done) { shaken(done); });
}

void Connection::shaken(const Result<>& done) {
  no_limit();
  if (!done) {
    Entry(services_, *target_, verdict_so_far(), {})
        .failed("the client broke off the TLS handshake: " + done.error().what());
    return finish();
  }
  if (shaking_->protocol() == "h2") return speak_http2(std::move(shaking_), true, std::move(upstream_));
  Http1::Inputs inputs;
  inputs.client = std::move(shaking_);
  inputs.origin = Origin{*target_, true, hello_.server_name};
  inputs.upstream = std::move(upstream_);
  inputs.answer = answer_;
  inputs.on_done = [this] { finish(); };
  put_in_charge(std::make_unique<Http1>(services_, std::move(inputs)));
}

// Common steps.

void Connection::reach(std::optional<Connector::Protocols> protocols, void (Connection::*then)(Connected)) {
  no_limit();
  client_->pause();
  connector_ =
      std::make_unique<Connector>(services_, *target_, std::move(protocols), [this, then](Connected connected) {
        connector_.reset();
        (this->*then)(std::move(connected));
      });
}

void Connection::refuse(const policy::Verdict& verdict) {
  const Entry entry(services_, *target_, verdict, {});
  finish();
}

// Later, because it may be the old one that calls.
void Connection::put_in_charge(std::unique_ptr<Session> session) {
  no_limit();
  if (session_) services_.loop.later([old = std::shared_ptr<Session>(std::move(session_))] {});
  session_ = std::move(session);
  if (!session_ || !session_->offends(*services_.policy)) return;
  session_.reset();  // the policy changed while we dialled
  finish();
}

void Connection::finish() {
  no_limit();
  connector_.reset();
  if (client_) client_->pause();  // nothing that is still on its way is looked at
  if (const OnDone done = std::exchange(on_done_, nullptr)) done();
}

void Connection::limit(std::chrono::milliseconds time, void (Connection::*then)()) {
  no_limit();
  timer_ = services_.loop.after(time, [this, then] {
    timer_.reset();
    (this->*then)();
  });
}

void Connection::no_limit() {
  if (timer_) services_.loop.cancel(*std::exchange(timer_, std::nullopt));
}

}  // namespace sbx::proxy
