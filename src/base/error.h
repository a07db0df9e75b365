// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/choice.h"

namespace sbx {

// What kind of failure it is: decides the HTTP status and the exit code, never the wording.
enum class Code {
  kInternal,     // ours, or the machine's: 500, exit 125
  kInvalid,      // the request cannot be meant: 400, exit 2 from the command line
  kNotFound,     // no such sandbox, file, command: 404
  kConflict,     // the name is taken, the state does not allow it: 409
  kForbidden,    // refused by a rule: 403
  kTooLarge,     // over a stated bound: 413
  kUnavailable,  // missing program, no daemon, no resource: 503
  kTimeout,      // no answer in time: 504
  kUnsupported,  // an older program was asked for what it does not know: 501
};

constexpr auto choices(Code) {
  return std::to_array<Choice<Code>>({{Code::kInternal, "internal"},
                                      {Code::kInvalid, "invalid"},
                                      {Code::kNotFound, "not_found"},
                                      {Code::kConflict, "conflict"},
                                      {Code::kForbidden, "forbidden"},
                                      {Code::kTooLarge, "too_large"},
                                      {Code::kUnavailable, "unavailable"},
                                      {Code::kTimeout, "timeout"},
                                      {Code::kUnsupported, "unsupported"}});
}

// An Error says what we were doing, to what, and why it failed. Context is added on the way up with
// within(), and the whole is shown once, at the edge:
//   start box-7: boot qemu: open kernel /boot/vmlinuz: No such file or directory
// The hint, where there is one, is a command or a step that would help; it is shown on a line of its own.
class [[nodiscard]] Error {
 public:
  Error(Code code, std::string what, std::string hint = {});
  // Reads errno (or the one given) at once: call it before anything else can change it.
  static Error from_errno(std::string_view doing, int number = 0);

  Error within(std::string_view doing) &&;
  Error with_hint(std::string hint) &&;
  Error as(Code code) &&;

  Code code() const { return code_; }
  const std::string& what() const { return what_; }
  const std::string& hint() const { return hint_; }

 private:
  Code code_;
  std::string what_;
  std::string hint_;
};

}  // namespace sbx
