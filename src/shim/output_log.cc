// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/output_log.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>

namespace sbx::shim {
namespace {

constexpr std::int64_t kLargestLog = 16 << 20;

}  // namespace

OutputLog::OutputLog(Fd file) : file_(std::move(file)) {
  std::array<char, wire::LogHead::kLongest> beginning;
  const ssize_t n = ::pread(file_.get(), beginning.data(), beginning.size(), 0);
  if (n > 0) head_ = wire::LogHead::of({beginning.data(), static_cast<std::size_t>(n)});
}

std::int64_t OutputLog::size() const {
  struct stat info {};
  return ::fstat(file_.get(), &info) == 0 ? info.st_size : 0;
}

void OutputLog::append(std::string_view bytes) {
  const std::int64_t next = end();
  if (size() + static_cast<std::int64_t>(bytes.size()) > kLargestLog && ::ftruncate(file_.get(), 0) == 0) {
    head_ = wire::LogHead::after(next);
    (void)write_all(file_, head_.line());
  }
  (void)write_all(file_, bytes);  // a full disk loses log lines, never the program
}

}  // namespace sbx::shim
