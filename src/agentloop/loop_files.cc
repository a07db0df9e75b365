// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/loop_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <thread>

#include "agentloop/context.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::agentloop {
namespace {

constexpr std::size_t kLongestId = 40;
constexpr off_t kLargestLog = 64 << 20;
constexpr off_t kRoomForOurs = 1 << 20;  // beyond that
constexpr std::string_view kLogIsFull = "\n=== the log is full: what the agent says is kept no more\n";
constexpr std::chrono::milliseconds kLookAtLock(20);
constexpr std::chrono::seconds kLongestExit(30);

std::string loops_in(const std::string& home) { return home + "/loops"; }

// A lock of the open file, as flock's, but one may look for it without taking it, which would be in the way of others.
struct flock whole_file() {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

template <class T>
Result<T> value_in_file(std::string_view text, const std::string& path) {
  auto value = value_in<T>(text, path, Unknown::kIgnored);
  if (!value) return fail(Error(value.error()).within("read " + path));
  return value;
}

// Those that say what became of an iteration.
std::string our_lines(std::string_view text) {
  std::string ours;
  for (const std::string& line : split(text, '\n'))
    if (line.starts_with("===") || line.starts_with("---")) ours += line + "\n";
  return ours;
}

Failure no_loop(const std::string& id) { return fail(Code::kNotFound, "no loop " + printable(id), "sandbox loop ls"); }

}  // namespace

bool is_loop_id(std::string_view id) {
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  return !id.empty() && id.size() <= kLongestId && std::isalnum(static_cast<unsigned char>(id.front())) != 0 &&
         std::ranges::all_of(id, is_allowed);
}

Result<LoopFiles> LoopFiles::create(const std::string& home, const Settings& settings) {
  LoopFiles files(loops_in(home) + "/" + settings.id);
  if (exists(files.file("settings.json")))
    return fail(Code::kConflict, "there is a loop " + settings.id, "sandbox loop resume " + settings.id);
  TRY(make_directories(files.file("prompts"), 0700));
  TRY(create_file(files.file("settings.json"), dump_pretty(json_of(settings)) + "\n"));
  TRY(files.save(State{}));
  return files;
}

Result<LoopFiles> LoopFiles::open(const std::string& home, const std::string& id) {
  LoopFiles files(loops_in(home) + "/" + id);
  if (!is_loop_id(id) || !exists(files.file("settings.json"))) return no_loop(id);
  return files;
}

std::vector<std::string> LoopFiles::ids(const std::string& home) {
  std::vector<std::string> ids = names_in(loops_in(home));
  std::erase_if(ids, [&](const std::string& id) { return !open(home, id); });
  return ids;
}

Result<Settings> LoopFiles::settings() const {
  TRY_ASSIGN(const std::string text, read_file(file("settings.json")));
  return value_in_file<Settings>(text, file("settings.json"));
}

Result<> LoopFiles::replace_settings(const Settings& settings) const {
  return write_file_atomically(file("settings.json"), dump_pretty(json_of(settings)) + "\n");
}

// create() makes the settings first: a loop that died there has no state yet.
Result<State> LoopFiles::state() const {
  const auto text = read_file(file("state.json"));
  if (!text && text.error().code() == Code::kNotFound) return State{};
  TRY(text);
  return value_in_file<State>(*text, file("state.json"));
}

Result<Fd> LoopFiles::take_lock() const {
  TRY_ASSIGN(Fd lock, open_path(file("lock"), O_RDWR | O_CREAT));
  struct flock range = whole_file();
  if (::fcntl(lock.get(), F_OFD_SETLK, &range) == 0) return lock;
  if (errno != EAGAIN && errno != EACCES) return fail_errno("lock " + file("lock"));
  return fail(Code::kConflict, "the loop is being run by another process");
}

Result<Fd> LoopFiles::take_lock_after_end() const {
  const SteadyTime deadline = steady_now() + kLongestExit;
  for (;; std::this_thread::sleep_for(kLookAtLock)) {
    auto lock = take_lock();
    if (lock || lock.error().code() != Code::kConflict || steady_now() > deadline) return lock;
    TRY_ASSIGN(const State state, this->state());
    if (state.status != Status::kEnded) return lock;
  }
}

bool LoopFiles::is_run() const {
  const auto lock = open_path(file("lock"), O_RDONLY);
  struct flock range = whole_file();
  return lock && ::fcntl(lock->get(), F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

std::optional<std::int64_t> LoopFiles::most() const {
  const auto settings = this->settings();
  return settings ? std::optional(settings->most) : std::nullopt;
}

Result<> LoopFiles::want(std::string_view what, bool wanted) const {
  return wanted ? write_file(file(what), "") : remove_file(file(what));
}

bool LoopFiles::is_cancelled() const { return exists(file("cancel")); }
bool LoopFiles::is_paused() const { return exists(file("pause")); }

Result<> LoopFiles::save(const State& state) {
  return replace_file(file("state.json"), dump_pretty(json_of(state)) + "\n");
}

Result<> LoopFiles::add_context(std::string_view text) const {
  return agentloop::add_context(file("context.md"), text);
}

Result<std::string> LoopFiles::take_context() {
  return agentloop::take_context(file("context.md"), file("context.taken"));
}

Result<> LoopFiles::keep_prompt(std::int64_t iteration, const std::string& prompt) {
  TRY(replace_file(file("prompts/" + std::to_string(iteration)), prompt));
  return remove_file(file("context.taken"));
}

std::optional<std::string> LoopFiles::prompt(std::int64_t iteration) const {
  auto text = read_file(file("prompts/" + std::to_string(iteration)));
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

// A log that cannot be written must not end a loop that works.
void LoopFiles::show(std::int64_t, std::string_view text) {
  const auto log_file = open_path(log(), O_WRONLY | O_CREAT | O_APPEND);
  struct stat status {};
  if (!log_file || ::fstat(log_file->get(), &status) != 0) return;
  if (status.st_size > kLargestLog + kRoomForOurs) return;
  if (status.st_size > kLargestLog) return (void)write_all(*log_file, our_lines(text));
  (void)write_all(*log_file, text);
  if (status.st_size + static_cast<off_t>(text.size()) > kLargestLog) (void)write_all(*log_file, kLogIsFull);
}

}  // namespace sbx::agentloop
