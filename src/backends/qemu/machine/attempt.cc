// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/attempt.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::size_t kMostRead = 256 * 1024;
constexpr std::size_t kTail = 4096;
constexpr std::size_t kLines = 3;
constexpr std::size_t kLongestLine = 200;

// The end of what is there, in bounded memory.
std::string tail_of(const Fd& log) {
  std::string tail;
  std::array<char, 4096> buffer;
  for (std::size_t total = 0; total < kMostRead;) {
    const ssize_t n = ::read(log.get(), buffer.data(), buffer.size());
    if (n <= 0) break;
    tail.append(buffer.data(), static_cast<std::size_t>(n));
    if (tail.size() > kTail) tail.erase(0, tail.size() - kTail);
    total += static_cast<std::size_t>(n);
  }
  return tail;
}

// The shim writes into the same log: its own lines have nothing that the error does not have.
bool is_helpers(std::string_view line) {
  return line.find("qemu-system") != std::string_view::npos || line.find("virtiofsd") != std::string_view::npos;
}

std::string complaints(const std::string& tail) {
  std::vector<std::string> lines;
  for (const std::string& line : split(tail, '\n'))
    if (is_helpers(line)) lines.push_back(printable(trimmed(line).substr(0, kLongestLine)));
  if (lines.size() > kLines) lines.erase(lines.begin(), lines.end() - kLines);
  return join(lines, " / ");
}

}  // namespace

Result<Attempt> Attempt::begin(const std::string& log) {
  TRY_ASSIGN(Fd file, open_path(log, O_RDONLY | O_NOFOLLOW));
  if (::lseek(file.get(), 0, SEEK_END) < 0) return fail_errno("find the end of " + log);
  return Attempt(std::move(file));
}

void Attempt::made_of(const Hardware& hardware, const std::string& kernel) {
  parts_ = sbx::format("{} {}, firmware {}, kernel {}", hardware.program, hardware.kvm ? "on KVM" : "emulating",
                       hardware.firmware.path, kernel);
}

std::string Attempt::told() {
  const std::string said = complaints(tail_of(log_));
  return "tried " + parts_ + (said.empty() ? "; QEMU said nothing" : "; QEMU and virtiofsd said: " + said);
}

}  // namespace sbx::backends::qemu
