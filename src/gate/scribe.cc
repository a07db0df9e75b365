// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/scribe.h"

#include <iterator>

#include "base/log.h"

namespace sbx::gate {
namespace {

constexpr std::size_t kMostWaiting = 20'000;

}  // namespace

Scribe::Scribe(std::string path) : path_(std::move(path)), thread_([this] { work(); }) {}

Scribe::~Scribe() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Scribe::write(std::vector<netlog::Record> records) {
  {
    const std::scoped_lock lock(mutex_);
    if (records_.size() + records.size() > kMostWaiting) {
      lost_ += records.size();
      return;
    }
    records_.insert(records_.end(), std::make_move_iterator(records.begin()), std::make_move_iterator(records.end()));
  }
  changed_.notify_one();
}

void Scribe::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closing_ || !records_.empty(); });
    if (records_.empty()) return;
    const std::vector<netlog::Record> records = std::exchange(records_, {});
    unwritten_ += std::exchange(lost_, 0);
    lock.unlock();
    write_down(records);
    lock.lock();
  }
}

// One line when it begins to fail and one when it works again, however much is lost between.
void Scribe::write_down(const std::vector<netlog::Record>& records) {
  if (!writer_) {
    auto writer = netlog::Writer::open(path_);
    if (writer) writer_.emplace(std::move(*writer));
    if (!writer && unwritten_ == 0) log_error("{}", writer.error().what());
  }
  const auto written = writer_ ? writer_->write(records) : Result<>(fail(Code::kUnavailable, "there is no file"));
  if (!written) {
    if (unwritten_ == 0) log_error("the network log loses records: {}", written.error().what());
    unwritten_ += records.size();
  } else if (unwritten_ > 0) {
    log_warning("{} records of the network log are lost", std::exchange(unwritten_, 0));
  }
}

}  // namespace sbx::gate
