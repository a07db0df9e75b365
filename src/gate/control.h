// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <list>

#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"
#include "loop/loop.h"

namespace sbx::gate {

// network.sock: one request message a connection, from the daemon, and its answer (docs/life-of-a-connection.md).
class Control {
 public:
  using Reply = std::function<void(const Json& answer)>;  // once; may be late, or after the asker has left
  using OnRequest = std::function<void(const Json& request, Reply reply)>;

  // Only `owner` and root are heard.
  Control(loop::Loop& loop, Fd listener, uid_t owner, OnRequest on_request);
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

 private:
  struct Asker {
    Fd socket;
    std::uint64_t number;
  };

  void accept();
  void read(std::uint64_t number);
  void answer(std::uint64_t number, const Json& json);
  std::list<Asker>::iterator find(std::uint64_t number);

  loop::Loop& loop_;
  Fd listener_;
  uid_t owner_;
  OnRequest on_request_;
  std::list<Asker> askers_;
  std::uint64_t next_ = 1;
};

}  // namespace sbx::gate
