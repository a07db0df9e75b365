// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "tls/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace sbx::tls {
namespace {

constexpr std::size_t kLargestPlaintext = 16u << 10;  // of one record

int bio_write(BIO* bio, const char* bytes, int size) {
  static_cast<Tls*>(BIO_get_data(bio))->put_output({bytes, static_cast<std::size_t>(size)});
  return size;
}

int bio_read(BIO* bio, char* to, int size) {
  BIO_clear_retry_flags(bio);
  const std::size_t taken = static_cast<Tls*>(BIO_get_data(bio))->take_input(to, static_cast<std::size_t>(size));
  if (taken == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  return static_cast<int>(taken);
}

long bio_control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

int bio_create(BIO* bio) {
  BIO_set_init(bio, 1);
  return 1;
}

const BIO_METHOD* bio_method() {
  static const BIO_METHOD* method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "stream");
    BIO_meth_set_write(made, bio_write);
    BIO_meth_set_read(made, bio_read);
    BIO_meth_set_ctrl(made, bio_control);
    BIO_meth_set_create(made, bio_create);
    return made;
  }();
  return method;
}

Result<SslContext> make_context(const SSL_METHOD* method) {
  SslContext context(SSL_CTX_new(method));
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1)
    return ca::openssl_failed("make a TLS context");
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context.get(), 0);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  return context;
}

// The protocol to choose is the connection's; OpenSSL keeps it for us.
int choose_protocol(SSL* ssl, const unsigned char** out, unsigned char* out_size, const unsigned char*, unsigned int,
                    void*) {
  const auto* protocol = static_cast<const char*>(SSL_get_app_data(ssl));
  if (protocol == nullptr) return SSL_TLSEXT_ERR_NOACK;
  *out = reinterpret_cast<const unsigned char*>(protocol);
  *out_size = static_cast<unsigned char>(std::strlen(protocol));
  return SSL_TLSEXT_ERR_OK;
}

// With static storage, because it outlives the call.
const char* known_protocol(std::string_view name) {
  for (const char* known : {"h2", "http/1.1", "http/1.0"})
    if (name == known) return known;
  return nullptr;
}

std::string encode_protocols(const std::vector<std::string>& protocols) {
  std::string encoded;
  for (const std::string& protocol : protocols) {
    encoded += static_cast<char>(protocol.size());
    encoded += protocol;
  }
  return encoded;
}

bool insist_on(SSL* ssl, const policy::Host& host) {
  if (host.address()) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.address()->text().c_str()) == 1;
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set_tlsext_host_name(ssl, host.text().c_str()) == 1 && SSL_set1_host(ssl, host.text().c_str()) == 1;
}

Error handshake_error(SSL* ssl) {
  const long verified = SSL_get_verify_result(ssl);
  if (SSL_is_server(ssl) == 0 && verified != X509_V_OK) {
    ERR_clear_error();
    return Error(Code::kForbidden, std::string("its certificate: ") + X509_verify_cert_error_string(verified));
  }
  return Error(Code::kInvalid, "TLS: " + ca::openssl_error());
}

}  // namespace

void SslFree::operator()(SSL* ssl) const { SSL_free(ssl); }
void SslFree::operator()(SSL_CTX* context) const { SSL_CTX_free(context); }

Result<SslContext> make_server_context() {
  TRY_ASSIGN(SslContext context, make_context(TLS_server_method()));
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
  return context;
}

Result<SslContext> make_client_context(const std::string& roots) {
  TRY_ASSIGN(SslContext context, make_context(TLS_client_method()));
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  const ca::Memory memory(BIO_new_mem_buf(roots.data(), static_cast<int>(roots.size())));
  const std::unique_ptr<STACK_OF(X509_INFO),
                        decltype([](STACK_OF(X509_INFO) * all) { sk_X509_INFO_pop_free(all, X509_INFO_free); })>
      all(PEM_X509_INFO_read_bio(memory.get(), nullptr, nullptr, nullptr));
  int added = 0;
  for (int i = 0; all && i < sk_X509_INFO_num(all.get()); ++i)
    if (X509* root = sk_X509_INFO_value(all.get(), i)->x509; root != nullptr)
      added += X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), root);
  ERR_clear_error();
  if (added == 0)
    return fail(Code::kUnavailable, "the host has no trusted certificates", "apt install ca-certificates");
  return context;
}

Result<SslPtr> make_server(SSL_CTX* context, ca::Mint& mint, const policy::Host& host, std::string_view protocol) {
  const bool is_address = host.address().has_value();
  TRY_ASSIGN(X509 * leaf, mint.leaf(is_address ? host.address()->text() : host.text(), is_address));
  SslPtr ssl(SSL_new(context));
  if (!ssl || SSL_use_certificate(ssl.get(), leaf) != 1 || SSL_use_PrivateKey(ssl.get(), mint.key()) != 1)
    return ca::openssl_failed("prepare TLS");
  SSL_set_app_data(ssl.get(), const_cast<char*>(known_protocol(protocol)));  // only read: OpenSSL keeps a void*
  SSL_set_accept_state(ssl.get());
  return ssl;
}

Result<SslPtr> make_client(SSL_CTX* context, const policy::Host& host, const std::vector<std::string>& protocols) {
  SslPtr ssl(SSL_new(context));
  if (!ssl || !insist_on(ssl.get(), host)) return ca::openssl_failed("prepare TLS");
  const std::string encoded = encode_protocols(protocols);
  if (!encoded.empty() && SSL_set_alpn_protos(ssl.get(), reinterpret_cast<const unsigned char*>(encoded.data()),
                                              static_cast<unsigned>(encoded.size())) != 0)
    return ca::openssl_failed("prepare TLS");
  SSL_set_connect_state(ssl.get());
  return ssl;
}

Tls::Tls(loop::Loop& loop, SslPtr ssl, std::unique_ptr<Stream> lower)
    : lower_(std::move(lower)), ssl_(std::move(ssl)), lifeline_(loop) {
  BIO* bio = BIO_new(bio_method());
  BIO_set_data(bio, this);
  SSL_set_bio(ssl_.get(), bio, bio);
}

Tls::~Tls() = default;

void Tls::start(std::string_view first, OnHandshake on_handshake) {
  on_handshake_ = std::move(on_handshake);
  lower_->listen(*this);
  lower_->resume();
  advance(first);
}

std::string Tls::protocol() const {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl_.get(), &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

void Tls::listen(Stream::Listener& listener) {
  listener_ = &listener;
  if (!paused_) lower_->resume();
  advance_later();
}

void Tls::send(std::string_view bytes) {
  if (broken_ || finishing_) return;
  if (!shaken_) {
    early_ += bytes;
    return;
  }
  while (!bytes.empty()) {
    std::size_t written = 0;
    ERR_clear_error();
    if (SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written) != 1) return;  // reading tells why
    bytes.remove_prefix(written);
  }
}

void Tls::finish() {
  finishing_ = true;
  if (shaken_) close_write();
}

void Tls::close_write() {
  if (broken_) return;
  ERR_clear_error();
  (void)SSL_shutdown(ssl_.get());
  ERR_clear_error();
  lower_->finish();
}

void Tls::pause() {
  paused_ = true;
  lower_->pause();
}

void Tls::resume() {
  if (!paused_) return;
  paused_ = false;
  lower_->resume();
  advance_later();
}

// OpenSSL may hold whole records, of which no event of the lower stream will tell.
void Tls::advance_later() {
  lifeline_.later([this] { advance({}); });
}

std::size_t Tls::take_input(char* to, std::size_t size) {
  size = std::min(size, input_.size());
  std::copy_n(input_.data(), size, to);
  input_.remove_prefix(size);
  return size;
}

void Tls::advance(std::string_view input) {
  const loop::Lifeline::Witness witness(lifeline_);
  std::string joined = std::exchange(held_, {});
  if (!joined.empty()) input = joined.append(input);
  input_ = input;
  if (!broken_ && !shaken_) shake_hands();
  if (!witness.gone() && shaken_ && !broken_) read_plain();
  if (witness.gone()) return;
  held_ = input_;
  input_ = {};
  if (shaken_ && listener_ == nullptr) lower_->pause();  // no listener takes it yet
}

void Tls::shake_hands() {
  ERR_clear_error();
  const int done = SSL_do_handshake(ssl_.get());
  if (done == 1) return handshake_done();
  const bool wants_more = SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ;
  if (!wants_more) return break_off(handshake_error(ssl_.get()));
  if (lower_ended_) break_off(Error(Code::kUnavailable, "TLS: closed during the handshake"));
}

void Tls::handshake_done() {
  shaken_ = true;
  send(std::exchange(early_, {}));
  if (finishing_) close_write();
  std::exchange(on_handshake_, nullptr)(Ok{});
}

void Tls::read_plain() {
  const loop::Lifeline::Witness witness(lifeline_);
  std::array<char, kLargestPlaintext> piece;  // not initialised
  while (!witness.gone() && listener_ != nullptr && !paused_ && !ended_ && !broken_) {
    std::size_t size = 0;
    ERR_clear_error();
    if (SSL_read_ex(ssl_.get(), piece.data(), piece.size(), &size) == 1) {
      listener_->received({piece.data(), size});
      continue;
    }
    const int why = SSL_get_error(ssl_.get(), 0);
    if (why == SSL_ERROR_WANT_READ && !lower_ended_) return;
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_ZERO_RETURN) return end(why == SSL_ERROR_WANT_READ);
    return break_off(Error(Code::kInvalid, "TLS: " + ca::openssl_error()));
  }
}

void Tls::end(bool truncated) {
  ended_ = true;
  truncated_ = truncated;
  listener_->ended();
}

void Tls::break_off(const Error& why) {
  broken_ = true;
  if (on_handshake_) return std::exchange(on_handshake_, nullptr)(fail(why));
  if (listener_ != nullptr) listener_->failed(why);
}

void Tls::received(std::string_view bytes) { advance(bytes); }

void Tls::ended() {
  lower_ended_ = true;
  if (!paused_) advance({});
}

void Tls::failed(const Error& why) {
  if (!broken_) break_off(why);
}

void Tls::drained() {
  if (listener_ != nullptr && !broken_) listener_->drained();
}

}  // namespace sbx::tls
