// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/log_line.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/text.h"

namespace sbx::proxy {
namespace {

constexpr std::size_t kLongestPath = 1024;
constexpr std::size_t kLongestMethod = 32;
constexpr std::size_t kLongestReason = 512;

netlog::Path path_of(const policy::Target& target, const policy::Verdict& verdict) {
  const bool tunnel = verdict.decision == policy::Decision::kTunnel;
  if (target.path == policy::Path::kForward) return tunnel ? netlog::Path::kForwardBypass : netlog::Path::kForward;
  return tunnel ? netlog::Path::kTransparentBypass : netlog::Path::kTransparent;
}

// SECURITY: what follows a ? or # may be a secret, and so may a user in front of an @. What is no path is not shown.
std::string without_secrets(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (const auto scheme = target.find("://"); scheme != std::string_view::npos) {
    const auto path = target.find('/', scheme + 3);
    target = path == std::string_view::npos ? "/" : target.substr(path);
  }
  if (!target.starts_with('/') && target != "*") return {};
  return printable(target.substr(0, kLongestPath));
}

std::string shown_reason(std::string_view text) { return printable(text.substr(0, kLongestReason)); }

std::int64_t microseconds(auto duration) {
  return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}

}  // namespace

LogLine::LogLine(ProxyServices& services, const policy::Target& target, const policy::Verdict& verdict,
                 const What& what)
    : services_(services), logged_(services.policy->logs(verdict)) {
  record_.time_us = microseconds(now().time_since_epoch());
  record_.id = services.last_entry = std::max(services.last_entry + 1, record_.time_us);
  record_.host = target.host.text();
  record_.port = target.port;
  record_.path = path_of(target, verdict);
  record_.allowed = verdict.allowed();
  record_.method = printable(what.method.substr(0, kLongestMethod));
  record_.url_path = without_secrets(what.target);
  record_.rule = verdict.rule;
  record_.reason = shown_reason(policy::reason_text(verdict));
  if (logged_ && record_.allowed) services_.outside.record(record_);
}

LogLine::~LogLine() {
  if (!logged_) return;
  record_.duration_us = record_.allowed ? microseconds(steady_now() - begun_) : 0;
  services_.outside.record(record_);
}

void LogLine::failed(std::string_view why) { record_.reason += "; " + shown_reason(why); }

void LogLine::credential(std::string_view name) {
  if (name.empty() || std::exchange(credential_told_, true)) return;
  record_.reason += "; with the credential " + shown_reason(name);
}

void LogLine::counted(std::uint64_t sent, std::uint64_t received) {
  record_.sent = sent;
  record_.received = received;
}

}  // namespace sbx::proxy
