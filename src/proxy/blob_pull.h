// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "http/head.h"
#include "proxy/blob_cache.h"
#include "proxy/services.h"
#include "proxy/session.h"

namespace sbx::proxy {

// One request for a blob of a registry, GET /v2/NAME/blobs/sha256:DIGEST, or for where a registry has redirected to.
//
//   Asking ──▶ Here ──▶ ask() ──▶ judge(): kAllowed ──▶ read() until it is empty
//      │                             └───▶ kAskAgain, kPassOn ──▶ Passed
//      └─────▶ Copying ──▶ answered() ──▶ copy() ... done()
//
// SECURITY: a blob that is here is served only if the server that the client has come to, the registry or where it has
// redirected to, begins to give it to this client now: it is asked for the first byte, with the request's own fields.
// A redirect alone allows nothing, it may lead to a page for logging in. What another sandbox could fetch says nothing
// about this one.
class BlobPull final : private streams::Stream::Listener {
 public:
  struct Handlers {
    std::function<void()> on_ready;    // it is known whether it is here
    std::function<void()> on_drained;  // the copy takes more: see full()
  };
  // Null: the request is for something else, or there is no cache.
  static std::unique_ptr<BlobPull> of(ProxyServices& services, const RequestOrigin& origin,
                                      const http::RequestHead& request, Handlers handlers);
  ~BlobPull();

  bool asking() const { return std::holds_alternative<Asking>(state_); }
  bool here() const { return std::holds_alternative<Here>(state_); }

  // Of one that is here: makes the client's request for all of it one for its first byte, and back again.
  static void ask(http::RequestHead& request);
  static void ask_for_all(http::RequestHead& request);
  enum class Judgement {
    kAllowed,   // serve it from here
    kAskAgain,  // for all of it: this answer is to our question and not to the client's
    kPassOn,    // the answer is the client's: a redirect, a refusal, something else
  };
  Judgement judge(const http::ResponseHead& answer);
  http::ResponseHead head() const;
  Result<std::string_view> read();  // the next bytes, valid until the next call; none: that was all

  // What a server answers, which is copied if it is the blob. A redirect says where to expect it.
  void answered(const http::ResponseHead& answer);
  void copy(std::string_view bytes);
  bool full() const;
  void done();

 private:
  struct Asking {
    BlobCache::Ticket ticket;
  };
  struct Here {
    Fd file;
    std::uint64_t size;
    std::uint64_t left;
    std::string piece;
  };
  struct Copying {
    std::unique_ptr<streams::Stream> to;
    bool begun = false;
  };
  struct Passed {};

  BlobPull(ProxyServices& services, std::string digest, Handlers handlers);
  void found(BlobCache::Found found);
  void begin(BlobCache::Found found);
  void copy_to(std::unique_ptr<streams::Stream> to);
  void redirected(const http::ResponseHead& answer, BlobCache::Found blob);
  void forget() { state_ = Passed{}; }

  void received(std::string_view) override {}
  void ended() override { lost(); }
  void failed(const Error&) override { lost(); }
  void drained() override { tell(handlers_.on_drained); }
  void lost();
  static void tell(std::function<void()> handler) { handler(); }  // a copy: it may be the end of us

  ProxyServices& services_;
  std::string digest_;  // empty: it comes from where a registry has redirected to
  Handlers handlers_;
  std::variant<Passed, Asking, Here, Copying> state_;
};

}  // namespace sbx::proxy
