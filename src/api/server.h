// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <thread>

#include "api/connection.h"
#include "api/routes.h"
#include "api/services.h"
#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"

namespace sbx::api {

// The HTTP server: a thread per connection. Only root and the user whose daemon this is are served.
class Server {
 public:
  static constexpr std::size_t kMostConnections = 256;

  // Serves from now on. `services` must outlive the server.
  static Result<std::unique_ptr<Server>> start(Fd listener, Services& services, Patience patience = {});
  // Takes no new connection, ends those that stream or wait, and gives requests that are being worked on until `limit`.
  // False: some still are, and this object must not be destroyed.
  bool stop(std::chrono::milliseconds limit);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

 private:
  Server(Fd listener, Fd wake, Services& services, Patience patience);
  void accept_until_stopped();
  void take(Fd socket);
  void serve(Fd socket);
  void refuse(Fd socket, const Error& error);
  bool admit(int socket);
  void dismiss(int socket);

  Fd listener_;
  Fd wake_;
  Services& services_;
  const Patience patience_;
  Mutex mutex_;
  Condition left_;
  std::set<int> connections_ SBX_GUARDED_BY(mutex_);  // borrowed from the threads that serve them
  bool stopping_ SBX_GUARDED_BY(mutex_) = false;
  std::thread acceptor_;
};

}  // namespace sbx::api
