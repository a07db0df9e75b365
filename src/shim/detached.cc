// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/detached.h"

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

Detached::Detached(loop::Loop& loop, Guest& guest, OutputLog& log, const wire::ExecRequest& request, OnOpened on_opened,
                   OnDone on_done)
    : loop_(loop),
      guest_(guest),
      log_(log),
      on_opened_(std::move(on_opened)),
      on_done_(std::move(on_done)),
      stream_(guest.open(request, *this)) {}

void Detached::output(wire::Kind, std::string_view bytes) {
  log_.append(bytes);
  guest_.consumed(stream_, bytes.size());
}

void Detached::ended(const wire::ExecExit& exit) {
  // Later, because on_done_ destroys us.
  loop_.later([this, exit] {
    const OnDone done = std::move(on_done_);
    done(exit);
  });
}

}  // namespace sbx::shim
