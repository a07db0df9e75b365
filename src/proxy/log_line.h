// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "netlog/record.h"
#include "proxy/services.h"

namespace sbx::proxy {

// One line of the network log. What is let through is told when that is decided and again when it is over, a refusal
// when it has been answered: in both cases when this is destroyed.
class LogLine {
 public:
  struct What {
    std::string_view method;  // when inspected
    std::string_view target;  // when inspected; its query is not logged
  };
  LogLine(ProxyServices& services, const policy::Target& target, const policy::Verdict& verdict, const What& what);
  ~LogLine();
  LogLine(const LogLine&) = delete;
  LogLine& operator=(const LogLine&) = delete;

  void sent(std::size_t bytes) { record_.sent += bytes; }
  void received(std::size_t bytes) { record_.received += bytes; }
  void answered(int status) { record_.status = static_cast<std::uint32_t>(status); }
  void counted(std::uint64_t sent, std::uint64_t received);
  void failed(std::string_view why);       // said behind the reason of the decision
  void credential(std::string_view name);  // the one that the request got; empty: none

 private:
  ProxyServices& services_;
  netlog::Record record_;
  bool credential_told_ = false;
  SteadyTime begun_ = steady_now();
  bool logged_;
};

}  // namespace sbx::proxy
