// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/build_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.h"
#include "base/text.h"

namespace sbx::images {
namespace {

constexpr std::size_t kRecentLines = 12;
constexpr std::size_t kComplaintLines = 4;
constexpr auto kBetweenReports = std::chrono::milliseconds(200);

struct Step {
  std::string_view said;     // by mmdebstrap, after "I: "
  std::string_view called;   // by us
  std::string_view counted;  // a line of apt or dpkg that means one package more
};

constexpr std::array<Step, 7> kSteps = {{
    {"running apt-get update", "reading package lists", ""},
    {"downloading packages", "downloading the base system", "Get:"},
    {"extracting archives", "extracting the base system", ""},
    {"installing essential packages", "installing the base system", "Setting up "},
    {"installing remaining packages", "installing packages", "Setting up "},
    {"cleaning", "cleaning up", ""},
    {"creating tarball", "unpacking", ""},
}};

// After an error mmdebstrap takes its chroot down and complains about that too: not the error that the user looks for.
constexpr std::array<std::string_view, 5> kAftermath = {"I: ", "W: umount", "W: cannot", "W: unlink", "umount:"};

bool is_aftermath(std::string_view line) {
  for (const std::string_view prefix : kAftermath)
    if (line.starts_with(prefix)) return true;
  return false;
}

// "0 upgraded, 69 newly installed, ..." → 69
std::int64_t newly_installed(std::string_view line) {
  const auto end = line.find(" newly installed");
  if (end == std::string_view::npos) return 0;
  const auto begin = line.find_last_of(' ', end - 1);
  return parse_integer(line.substr(begin + 1, end - begin - 1)).value_or(0);
}

}  // namespace

void BuildLog::append(std::string_view bytes) {
  partial_ += bytes;
  for (auto end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n')) {
    line(printable(trimmed(std::string_view(partial_).substr(0, end))));
    partial_.erase(0, end + 1);
  }
}

void BuildLog::line(const std::string& text) {
  if (text.starts_with("I: "))
    for (const Step& step : kSteps)
      if (std::string_view(text).substr(3).starts_with(step.said)) enter(step.called, step.counted);
  if (const auto count = newly_installed(text); count > 0) {
    packages_ = count;
    if (!counted_.empty()) total_ = count;
  }
  if (!counted_.empty() && text.starts_with(counted_)) {
    ++done_;
    report(false);
  }
  if (text.empty() || is_aftermath(text)) return;
  recent_.push_back(text);
  if (recent_.size() > kRecentLines) recent_.pop_front();
}

void BuildLog::enter(std::string_view step, std::string_view counted) {
  step_ = step;
  counted_ = counted;
  done_ = 0;
  total_ = counted.empty() ? 0 : std::exchange(packages_, 0);
  report(true);
}

void BuildLog::unpacked(std::int64_t bytes) {
  done_ = bytes;
  report(false);
}

void BuildLog::report(bool at_once) {
  if (!progress_ || (!at_once && steady_now() - reported_ < kBetweenReports)) return;
  reported_ = steady_now();
  progress_(step_, done_, total_);
}

std::string BuildLog::complaint() const {
  std::string out;
  for (std::size_t i = recent_.size() - std::min(recent_.size(), kComplaintLines); i < recent_.size(); ++i)
    out += (out.empty() ? "" : "; ") + recent_[i];
  return out.empty() ? std::string(trimmed(partial_)) : out;
}

}  // namespace sbx::images
