// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

// The table of a guest's system calls, which seccomp_profile() compiles. What is in none of the lists is not there.
namespace sbx::backends::oci {

// A value of an argument: (argument & mask) == value.
struct Masked {
  std::uint64_t mask;
  std::uint64_t value;
};

// A call that is allowed if one of its arguments has one of these values, and otherwise is not there.
//
// The kernel reads an `int` where a filter sees all 64 bits of the register, so that a comparison without a mask is one
// that the guest evades by setting a bit above. For the same reason these are lists of what is allowed: "anything but
// X" cannot be said with a mask.
struct RestrictedArgument {
  const char* name;
  unsigned argument;  // from 0
  std::vector<Masked> values;
};

// The same, but what is refused says so: a program that gets EPERM for a namespace goes on without one.
struct RefusedArgument {
  const char* name;
  unsigned argument;
  Masked value;
  int error;
};

// Allowed, whatever their arguments are.
std::span<const char* const> allowed_calls();
std::span<const RestrictedArgument> restricted_calls();
std::span<const RefusedArgument> refused_calls();

}  // namespace sbx::backends::oci
