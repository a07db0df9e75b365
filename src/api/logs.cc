// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>

#include "api/body.h"
#include "api/chunked_body.h"
#include "api/handlers.h"
#include "base/text.h"
#include "wire/log_head.h"

namespace sbx::api {
namespace {

constexpr std::size_t kChunk = 64u << 10;
constexpr int kLogPollMilliseconds = 1000;

struct WantedLines {
  std::optional<std::int64_t> tail;  // lines; nothing: all
  std::optional<std::int64_t> from;  // a number of the output (wire/log_head.h); rather than a tail
  bool follow = false;
  bool console = false;
};

Result<WantedLines> wanted_lines(const http::Request& request) {
  TRY(check_parameters(request, {"tail", "from", "follow", "console"}));
  WantedLines wanted;
  if (const auto from = request.parameter("from")) {
    wanted.from = parse_integer(*from);
    if (!wanted.from || *wanted.from < 0) return fail(Code::kInvalid, "\"from\" must be a number of bytes");
  }
  if (const auto tail = request.parameter("tail"); tail && *tail != "all") {
    wanted.tail = parse_integer(*tail);
    if (!wanted.tail || *wanted.tail < 0) return fail(Code::kInvalid, "\"tail\" must be a number of lines");
  }
  TRY_ASSIGN(wanted.follow, is_on(request, "follow"));
  TRY_ASSIGN(wanted.console, is_on(request, "console"));
  return wanted;
}

off_t size_of(const Fd& file) {
  struct stat info {};
  return ::fstat(file.get(), &info) == 0 ? info.st_size : 0;
}

// Where the last `lines` lines begin. Reads backwards, so that the end of a large log is found at once.
off_t tail_offset(const Fd& file, std::int64_t lines) {
  const off_t size = size_of(file);
  std::array<char, kChunk> chunk;
  off_t end = size;
  while (end > 0) {
    const auto begin = std::max<off_t>(0, end - static_cast<off_t>(chunk.size()));
    const ssize_t n = ::pread(file.get(), chunk.data(), static_cast<std::size_t>(end - begin), begin);
    if (n <= 0) return size;
    for (off_t at = begin + n - 1; at >= begin; --at)
      // The newline at the very end closes the last line; each one before it begins one.
      if (chunk[static_cast<std::size_t>(at - begin)] == '\n' && at + 1 != size && --lines <= 0) return at + 1;
    end = begin;
  }
  return 0;
}

wire::LogHead head_of(const Fd& file) {
  std::array<char, wire::LogHead::kLongest> beginning;
  const ssize_t n = ::pread(file.get(), beginning.data(), beginning.size(), 0);
  return n > 0 ? wire::LogHead::of({beginning.data(), static_cast<std::size_t>(n)}) : wire::LogHead();
}

// A place in a log that may be begun anew at any time.
struct LogPlace {
  wire::LogHead head;
  off_t offset = 0;

  std::int64_t number() const { return head.number_at(offset); }
};

// One that has never come so far is another log, and is shown from its beginning.
off_t offset_from(const wire::LogHead& head, const Fd& file, std::int64_t number) {
  const off_t offset = head.offset_of(number);
  return offset <= size_of(file) ? offset : 0;
}

LogPlace first_place(const Fd& file, const WantedLines& wanted) {
  const wire::LogHead head = head_of(file);
  if (wanted.from) return {head, offset_from(head, file, *wanted.from)};
  if (wanted.tail == 0) return {head, size_of(file)};
  return {head, wanted.tail ? tail_offset(file, *wanted.tail) : 0};
}

// The same number in a log that was begun anew since; what was missed is told by its first line. One that is empty is
// just being begun, and its first line is about to come.
LogPlace place_now(const Fd& file, const LogPlace& place) {
  const off_t size = size_of(file);
  const wire::LogHead head = head_of(file);
  if (size == 0 || (head.dropped == place.head.dropped && size >= place.offset)) return place;
  return {head, offset_from(head, file, place.number())};
}

// From there to the present end, which is the new place.
Result<LogPlace> send_from(ChunkedBody& body, const Fd& file, LogPlace place) {
  std::array<char, kChunk> chunk;
  for (;;) {
    place = place_now(file, place);
    const ssize_t n = ::pread(file.get(), chunk.data(), chunk.size(), place.offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("read the log");
    if (n == 0) return place;
    if (head_of(file).dropped != place.head.dropped) continue;  // begun anew before it was read, or after
    TRY(body.send(std::string_view(chunk.data(), static_cast<std::size_t>(n))));
    place.offset += n;
  }
}

// Whether the shim has closed the log, as it does only by ending.
bool writer_has_ended(const Fd& changes) {
  alignas(inotify_event) std::array<char, 4096> buffer;
  const ssize_t size = ::read(changes.get(), buffer.data(), buffer.size());
  for (ssize_t at = 0; at < size;) {
    inotify_event event{};
    std::memcpy(&event, buffer.data() + at, sizeof event);
    if ((event.mask & IN_CLOSE_WRITE) != 0) return true;
    at += static_cast<ssize_t>(sizeof event + event.len);
  }
  return false;
}

Result<Fd> watch(const std::string& path) {
  Fd changes(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!changes || ::inotify_add_watch(changes.get(), path.c_str(), IN_MODIFY | IN_CLOSE_WRITE) < 0)
    return fail_errno("watch " + path);
  return changes;
}

// Until the client hangs up or the sandbox stops. `running` is asked now and then, too, because a shim that ended just
// before its log was watched may still have been taken for running.
Result<LogPlace> follow(const Connection& connection, ChunkedBody& body, const Fd& file, const Fd& changes,
                        LogPlace place, const std::function<bool()>& running) {
  for (bool ended = !running();;) {
    TRY_ASSIGN(place, send_from(body, file, place));
    if (ended) return place;
    std::array<pollfd, 2> ready{{{changes.get(), POLLIN, 0}, {connection.socket().get(), POLLRDHUP, 0}}};
    const int n = ::poll(ready.data(), ready.size(), kLogPollMilliseconds);
    if (n < 0 && errno != EINTR) return fail_errno("poll");
    if (n > 0 && ready[1].revents != 0) return place;
    ended = writer_has_ended(changes) || (n == 0 && !running());
  }
}

Result<std::string> log_of(const wire::SandboxInfo& sandbox, bool console) {
  if (!console) return sandbox.state_directory + "/output.log";
  if (wire::is_microvm(sandbox.isolation)) return sandbox.state_directory + "/console.log";
  return fail(Code::kInvalid, "sandbox " + sandbox.name + " has no console: its kernel is the host's");
}

}  // namespace

Result<Answer> get_logs(Services& services, Call& call) {
  TRY_ASSIGN(const WantedLines wanted, wanted_lines(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.registry.info(call.name()));
  TRY_ASSIGN(const std::string path, log_of(info, wanted.console));
  // A log that has not been written yet is an empty one, also for a follower that waits for its first line.
  TRY_ASSIGN(const Fd file, open_path(path, O_RDONLY | O_CREAT | O_NOFOLLOW));
  // Before the first byte is sent, so that no end is missed that a client could cause by it.
  Fd changes;
  if (wanted.follow) {
    TRY_ASSIGN(changes, watch(path));
  }
  // So is where it begins: a client that has seen the head misses nothing that is written from then on.
  const LogPlace place = first_place(file, wanted);
  TRY_ASSIGN(ChunkedBody body, ChunkedBody::open(call.connection, {{"Content-Type", "text/plain; charset=utf-8"},
                                                                   {"Log-Position", std::to_string(place.number())}}));
  auto sent = send_from(body, file, place);
  const auto running = [&] {
    const auto now = services.sandboxes.registry.info(call.name());
    return now && now->status == wire::Status::kRunning;
  };
  if (sent && wanted.follow) sent = follow(call.connection, body, file, changes, *sent, running);
  if (sent) body.end();  // a client that misses it knows that it has not got all
  return Streamed{};
}

}  // namespace sbx::api
