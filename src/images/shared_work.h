// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "images/progress.h"

namespace sbx::images {

// Work that several threads may ask for at once and that is done once: the first does it, the others wait, hear of its
// progress, and get the same result.
//   return work.once("claude", progress, [&](const Progress& all) { return build(all); });
template <class T>
class SharedWork {
 public:
  using Do = std::function<Result<T>(const Progress&)>;

  Result<T> once(const std::string& key, const Progress& progress, const Do& work) {
    std::unique_lock lock(mutex_);
    if (const auto running = running_.find(key); running != running_.end())
      return follow(running->second, progress, lock);
    const auto job = running_[key] = std::make_shared<Job>();
    lock.unlock();
    Result<T> result = work([&](std::string_view step, std::int64_t done, std::int64_t total) {
      tell(*job, step, done, total);
      if (progress) progress(step, done, total);
    });
    lock.lock();
    running_.erase(key);
    job->result = result;
    changed_.notify_all();
    return result;
  }

 private:
  struct Job {
    std::string step;
    std::int64_t done = 0;
    std::int64_t total = 0;
    int reports = 0;
    std::optional<Result<T>> result;
  };

  void tell(Job& job, std::string_view step, std::int64_t done, std::int64_t total) {
    const std::scoped_lock lock(mutex_);
    job.step = step;
    job.done = done;
    job.total = total;
    ++job.reports;
    changed_.notify_all();
  }

  Result<T> follow(std::shared_ptr<Job> job, const Progress& progress, std::unique_lock<std::mutex>& lock) {
    for (int heard = 0;;) {
      changed_.wait(lock, [&] { return job->result || job->reports != heard; });
      if (job->result) return *job->result;
      const Job now{job->step, job->done, job->total, job->reports, {}};
      heard = now.reports;
      lock.unlock();
      if (progress) progress(now.step, now.done, now.total);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<Job>> running_;
};

}  // namespace sbx::images
