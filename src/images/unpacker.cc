// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/unpacker.h"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/value.h"
#include "idmap/idmap.h"
#include "wire/error.h"

namespace sbx::images {
namespace {

constexpr std::size_t kLongestLine = 64u << 10;
constexpr std::size_t kLongestDocuments = 32u << 20;  // a byte may be six in JSON

// What sandbox-layer has to say, as the member `name` of its one line.
Result<Json> answer_of(std::vector<std::string> argv, const Fd& blob, const char* name) {
  TRY_ASSIGN(Pipe output, make_pipe());
  Command command;
  command.argv = std::move(argv);
  command.environment.emplace();
  command.stdin_fd = blob.get();
  command.stdout_fd = output.write.get();
  TRY_ASSIGN(Child child, idmap::start_as_guest_root(command));
  output.write.reset();
  TRY_ASSIGN(const std::string said, read_all(output.read, kLongestDocuments));
  TRY(child.wait());
  TRY_ASSIGN(const Json json, parse_json(said));
  if (!json.contains(name)) return fail(wire::decode_error(json, 500));
  return json[name];
}

}  // namespace

Result<Unpacker> Unpacker::start(const std::string& program, const Fd& blob, const std::string& directory,
                                 std::int64_t most, const Fd& lock) {
  TRY_ASSIGN(Pipe output, make_pipe());
  Command command;
  command.argv = {program, "unpack", directory, idmap::privileged() ? "trusted" : "user", std::to_string(most)};
  command.environment.emplace();
  command.stdin_fd = blob.get();
  command.stdout_fd = output.write.get();
  command.passed_fds = {lock.get()};
  TRY_ASSIGN(Child child, idmap::start_as_guest_root(command));
  return Unpacker(std::move(child), std::move(output.read));
}

Result<layers::Documents> Unpacker::look(const std::string& program, const Fd& blob, const std::string& directory,
                                         std::int64_t most) {
  TRY_ASSIGN(const Json answer, answer_of({program, "look", directory, std::to_string(most)}, blob, "documents"));
  return value_of<layers::Documents>(answer, "documents");
}

Result<> Unpacker::write_plain(const std::string& program, const Fd& blob, const std::string& directory,
                               std::int64_t most) {
  TRY(answer_of({program, "plain", directory, std::to_string(most)}, blob, "plain"));
  return Ok{};
}

Result<bool> Unpacker::listen(const layers::BytesRead& progress) {
  std::array<char, 4096> buffer;
  const ssize_t n = ::read(output_.get(), buffer.data(), buffer.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN ? Result<bool>(true) : fail_errno("read from sandbox-layer");
  if (n == 0) return false;
  partial_.append(buffer.data(), static_cast<std::size_t>(n));
  for (auto end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n')) {
    TRY(line(partial_.substr(0, end), progress));
    partial_.erase(0, end + 1);
  }
  if (partial_.size() > kLongestLine) return fail(Code::kInternal, "sandbox-layer says too much");
  return true;
}

Result<> Unpacker::line(const std::string& text, const layers::BytesRead& progress) {
  TRY_ASSIGN(const Json json, parse_json(text));
  if (json.contains("read") && json["read"].is_number_integer()) {
    if (progress) progress(json["read"].get<std::int64_t>());
  } else if (json.contains("layer")) {
    TRY_ASSIGN(unpacked_, value_of<layers::Unpacked>(json["layer"], "layer"));
  } else {
    error_ = wire::decode_error(json, 500);
  }
  return Ok{};
}

Result<layers::Unpacked> Unpacker::finish(const layers::BytesRead& progress) {
  for (bool more = true; more;) {
    TRY_ASSIGN(more, listen(progress));
  }
  TRY_ASSIGN(const Exit exit, child_.wait());
  if (error_) return fail(std::move(*error_));
  if (exit.code != 0 || !unpacked_)
    return fail(Code::kInternal, "sandbox-layer ended " + (exit.signal != 0 ? "by signal " + std::to_string(exit.signal)
                                                                            : "with " + std::to_string(exit.code)));
  return *unpacked_;
}

}  // namespace sbx::images
