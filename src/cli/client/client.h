// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/home.h"
#include "base/json.h"
#include "base/result.h"
#include "cli/client/event_stream.h"
#include "exchange/exchange.h"
#include "wire/request_key.h"

namespace sbx::cli {

// The daemon's API over its socket, one connection per request. An answer of 400 and above becomes the Error that its
// body describes. Where there is a home and no daemon listens, one is started first.
//
// A daemon may die at any moment, and the answer with it. Then the next one is asked again, a bounded number of times:
// a request changes nothing, or is idempotent, or is recognised by its key, which every POST has. An upgrade is asked
// for again only if no byte of an answer has come.
class Client {
 public:
  using Path = std::vector<std::string>;  // segments, not encoded
  using Query = std::vector<std::pair<std::string, std::string>>;
  enum class Heard { kSome, kAll };  // of what the handler waits for
  using OnEvent = std::function<Result<Heard>(const StreamEvent& event)>;
  using OnBytes = std::function<Result<>(std::string_view bytes)>;
  using Source = std::function<Result<>(const OnBytes& send)>;

  Client(std::string socket, std::optional<Home> home) : socket_(std::move(socket)), home_(std::move(home)) {}

  Result<Json> get(const Path& path, const Query& query = {}) const;
  Result<Json> post(const Path& path, const Json& body, const Query& query = {}) const;
  Result<Json> remove(const Path& path, const Query& query = {}) const;  // what an earlier ask has removed is no error
  // Every event of the answer, in order, until the handler fails or has heard all. Asked again, they begin anew.
  Result<> post_for_events(const Path& path, const Json& body, const OnEvent& on_event,
                           const wire::RequestKey& key = wire::RequestKey::random()) const;
  // The same for a body that is sent as it comes. It cannot be sent twice, so a daemon that dies is an error.
  Result<> upload_for_events(const Path& path, const Query& query, const Source& body, const OnEvent& on_event) const;
  // The same for a file on this host, whose descriptor goes with the request.
  Result<> attach_for_events(const Path& path, const Query& query, const Fd& file, const OnEvent& on_event) const;
  // The same until the answer ends. False: it broke off, and the caller knows what to ask the next daemon for.
  Result<bool> get_for_events(const Path& path, const Query& query, const OnEvent& on_event) const;
  // A log's bytes as they come. Asked again, they go on where they broke off.
  Result<> get_log(const Path& path, const Query& query, const OnBytes& on_bytes) const;
  // A file's bytes as they come. One that breaks off is an error: nothing is asked again once the first has come.
  Result<> get_file(const Path& path, const OnBytes& on_bytes) const;
  // The connection itself, speaking `protocol` from here on.
  Result<exchange::Upgraded> upgrade(const Path& path, std::string_view protocol, const Json& body) const;

  Result<Fd> connect() const;

 private:
  struct Answer {
    int status;
    std::string body;
    bool is_repeat;  // it is not the first ask's
  };
  Result<exchange::Exchange> ask(const http::Request& request, int& asks) const;
  Result<exchange::Exchange> begin(const http::Request& request, int& asks) const;
  Result<Answer> whole_answer(const http::Request& request) const;
  Result<Json> json_answer(http::Request request) const;

  std::string socket_;
  std::optional<Home> home_;
};

}  // namespace sbx::cli
