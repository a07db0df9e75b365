// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/scribe.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <iterator>

#include "base/log.h"

namespace sbx::gate {
namespace {

constexpr std::size_t kMostWaitingRecords = 20'000;

}  // namespace

Result<std::unique_ptr<Scribe>> Scribe::create(loop::Loop& loop, std::string path) {
  Fd wake_up(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_up) return fail_errno("make an event descriptor");
  return std::unique_ptr<Scribe>(new Scribe(loop, std::move(path), std::move(wake_up)));
}

Scribe::Scribe(loop::Loop& loop, std::string path, Fd wake_up)
    : loop_(loop), wake_up_(std::move(wake_up)), path_(std::move(path)) {
  loop_.watch(wake_up_, EPOLLIN, [this](std::uint32_t) { written(); });
  thread_ = std::thread([this] { work(); });
}

Scribe::~Scribe() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
  loop_.forget(wake_up_);
}

void Scribe::write(std::vector<netlog::Record> records) {
  {
    const std::scoped_lock lock(mutex_);
    if (records_.size() + records.size() > kMostWaitingRecords) {
      lost_ += records.size();
      return;
    }
    ++last_batch_;
    records_.insert(records_.end(), std::make_move_iterator(records.begin()), std::make_move_iterator(records.end()));
  }
  changed_.notify_one();
}

void Scribe::when_written(std::function<void()> done) {
  {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back({last_batch_, std::move(done)});
  }
  const std::uint64_t one = 1;
  (void)!::write(wake_up_.get(), &one, sizeof one);
}

void Scribe::written() {
  std::uint64_t count = 0;
  (void)!::read(wake_up_.get(), &count, sizeof count);
  std::uint64_t until = 0;
  {
    const std::scoped_lock lock(mutex_);
    until = done_batch_;
  }
  for (const Waiting& each : std::exchange(waiting_, {}))
    if (each.batch <= until)
      each.done();
    else
      waiting_.push_back(each);
}

void Scribe::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closing_ || !records_.empty(); });
    if (records_.empty()) return;
    const std::vector<netlog::Record> records = std::exchange(records_, {});
    unwritten_ += std::exchange(lost_, 0);
    const std::uint64_t batch = last_batch_;
    lock.unlock();
    write_down(records);
    lock.lock();
    done_batch_ = batch;
    const std::uint64_t one = 1;
    (void)!::write(wake_up_.get(), &one, sizeof one);
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
