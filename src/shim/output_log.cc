// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/output_log.h"

#include <sys/stat.h>
#include <unistd.h>

namespace sbx::shim {
namespace {

constexpr off_t kLargestLog = 16 << 20;
constexpr std::string_view kDropped = "[sandbox: earlier output was dropped]\n";

}  // namespace

void OutputLog::append(std::string_view bytes) {
  struct stat info {};
  if (::fstat(file_.get(), &info) == 0 && info.st_size + static_cast<off_t>(bytes.size()) > kLargestLog &&
      ::ftruncate(file_.get(), 0) == 0)
    (void)write_all(file_, kDropped);
  (void)write_all(file_, bytes);  // a full disk loses log lines, never the program
}

}  // namespace sbx::shim
