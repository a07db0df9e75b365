// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/console.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/text.h"

namespace sbx::shim {
namespace {

constexpr std::size_t kTail = 8192;
constexpr int kMostReads = 256;
constexpr std::size_t kLines = 5;
constexpr std::size_t kLongestLine = 200;

bool is_panic(std::string_view line) { return line.find("Kernel panic") != std::string_view::npos; }

std::string shown(std::string_view line) { return printable(trimmed(line).substr(0, kLongestLine)); }

}  // namespace

Console::Console(loop::Loop& loop, Fd socket, Fd log) : loop_(loop), socket_(std::move(socket)), log_(std::move(log)) {
  (void)set_nonblocking(socket_);
  loop_.watch(socket_, EPOLLIN, [this](std::uint32_t) {
    if (read_some() == Read::kEnd) loop_.forget(socket_);
  });
}

Console::~Console() { loop_.forget(socket_); }

Console::Read Console::read_some() {
  std::array<char, 4096> buffer;
  const ssize_t n = ::read(socket_.get(), buffer.data(), buffer.size());
  if (n < 0) return errno == EAGAIN || errno == EINTR ? Read::kNothing : Read::kEnd;
  if (n == 0) return Read::kEnd;
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(n));
  log_.append(bytes);
  tail_.append(bytes);
  if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
  return Read::kSome;
}

// A bounded number of times, because a guest that still runs can go on for ever.
void Console::read_rest() {
  for (int i = 0; i < kMostReads && read_some() == Read::kSome;) ++i;
}

// What follows a panic is a picture of the registers, which explains nothing to most.
std::string Console::last_lines() const {
  std::vector<std::string> lines;
  for (const std::string& line : split(tail_, '\n')) {
    if (!trimmed(line).empty()) lines.push_back(shown(line));
    if (is_panic(line)) break;
  }
  if (lines.size() > kLines) lines.erase(lines.begin(), lines.end() - kLines);
  return join(lines, " / ");
}

std::string Console::panic() const {
  for (const std::string& line : split(tail_, '\n'))
    if (is_panic(line)) return shown(line);
  return {};
}

}  // namespace sbx::shim
