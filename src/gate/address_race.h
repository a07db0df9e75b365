// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "loop/loop.h"
#include "policy/address.h"

namespace sbx::gate {

// Connects to the first of some addresses that answers (Happy Eyeballs). They are tried in their order: the next one
// when one fails, or when it has not answered in a quarter of a second.
class AddressRace {
 public:
  struct Outcome {
    Fd socket;  // connected, non-blocking; none: see error
    std::optional<policy::Address> address;
    std::string error;  // of the last that failed: connect to 192.0.2.1:443: Connection refused
  };
  using OnDone = std::function<void(Outcome outcome)>;

  // Calls back once, never from inside this call. May be destroyed at any time, also from there.
  AddressRace(loop::Loop& loop, std::vector<policy::Address> addresses, std::uint16_t port, OnDone done);
  ~AddressRace();
  AddressRace(const AddressRace&) = delete;
  AddressRace& operator=(const AddressRace&) = delete;

 private:
  struct Attempt {
    policy::Address address;
    Fd socket;
  };
  using Place = std::list<Attempt>::iterator;

  void try_next();
  bool begin(const policy::Address& address);
  void ready(Place place);
  void failed(const policy::Address& address, int error);
  void finish(Outcome outcome);
  void stop();

  loop::Loop& loop_;
  std::vector<policy::Address> addresses_;
  std::size_t next_address_ = 0;
  std::uint16_t port_;
  OnDone done_;
  std::string error_;
  std::list<Attempt> attempts_;
  loop::Loop::Timer next_;
  loop::Loop::Timer limit_;
};

}  // namespace sbx::gate
