// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/scribe.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

#include "base/log.h"

namespace sbx::gate {
namespace {

constexpr std::size_t kMostWaitingRecords = 20'000;

}  // namespace

Result<std::unique_ptr<Scribe>> Scribe::create(loop::Loop& loop, std::string path, Fd made) {
  Fd wake_up(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_up) return fail_errno("make an event descriptor");
  return std::unique_ptr<Scribe>(new Scribe(loop, std::move(path), std::move(wake_up), std::move(made)));
}

Scribe::Scribe(loop::Loop& loop, std::string path, Fd wake_up, Fd made)
    : loop_(loop), wake_up_(std::move(wake_up)), path_(std::move(path)), made_(std::move(made)) {
  loop_.watch(wake_up_, EPOLLIN, [this](std::uint32_t) { written(); });
  thread_ = std::thread([this] { work(); });
}

Scribe::~Scribe() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
  loop_.forget(wake_up_);
}

void Scribe::write(std::vector<netlog::Record> records) {
  {
    const MutexLock lock(mutex_);
    ++last_batch_;
    if (records_.size() + records.size() > kMostWaitingRecords)
      dropped_.add(records);
    else
      records_.insert(records_.end(), std::make_move_iterator(records.begin()), std::make_move_iterator(records.end()));
  }
  changed_.notify_one();
}

void Scribe::lose(const netlog::Losses& losses) {
  {
    const MutexLock lock(mutex_);
    ++last_batch_;
    dropped_.add(losses);
  }
  changed_.notify_one();
}

netlog::Losses Scribe::losses() const {
  const MutexLock lock(mutex_);
  netlog::Losses all = known_;
  all.add(dropped_);
  return all;
}

void Scribe::when_written(std::function<void()> done) {
  {
    const MutexLock lock(mutex_);
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
    const MutexLock lock(mutex_);
    until = done_batch_;
  }
  for (const Waiting& each : std::exchange(waiting_, {}))
    if (each.batch <= until)
      each.done();
    else
      waiting_.push_back(each);
}

// Before anything else, because it has the pipe open until then.
void Scribe::await_maker() {
  char byte = 0;
  while (made_ && ::read(made_.get(), &byte, 1) < 0 && errno == EINTR) continue;
  made_.reset();
}

void Scribe::work() {
  await_maker();
  MutexLock lock(mutex_);
  for (;;) {
    while (done_batch_ == last_batch_ && !closing_) changed_.wait(lock);
    if (done_batch_ == last_batch_) return;
    const std::vector<netlog::Record> records = std::exchange(records_, {});
    const netlog::Losses dropped = std::exchange(dropped_, {});
    const std::uint64_t batch = last_batch_;
    lock.unlock();
    const netlog::Losses known = write_down(records, dropped);
    lock.lock();
    known_ = known;
    done_batch_ = batch;
    const std::uint64_t one = 1;
    (void)!::write(wake_up_.get(), &one, sizeof one);
  }
}

Result<> Scribe::open() {
  if (writer_) return Ok{};
  TRY_ASSIGN(netlog::Writer writer, netlog::Writer::open(path_));
  writer.lose(std::exchange(homeless_, {}));
  writer_.emplace(std::move(writer));
  return Ok{};
}

netlog::Losses Scribe::write_down(const std::vector<netlog::Record>& records, const netlog::Losses& dropped) {
  auto written = open();
  if (!written) {
    homeless_.add(dropped);
    homeless_.add(records);
  } else {
    writer_->lose(dropped);
    written = writer_->write(records);
  }
  say(written);
  return writer_ ? writer_->losses() : homeless_;
}

// One line when it begins to fail and one when it works again, however much is lost between.
void Scribe::say(const Result<>& written) {
  if (!written && !failing_) log_error("the network log loses decisions: {}", written.error().what());
  if (written && failing_)
    log_warning("the network log is written again; it has lost {} decisions", writer_->losses().count);
  failing_ = !written;
}

}  // namespace sbx::gate
