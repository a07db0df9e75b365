// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// A kernel module's file, an ELF object, perhaps with a signature behind it. To load one takes milliseconds in an
// emulated machine, most of them for what this machine never asks a module for.
namespace sbx::backends::qemu {

// Without its signature, which is four fifths of the instructions of loading it.
std::string without_signature(std::string module);

// Without what serves only those who look into a running kernel or into the file: types (BTF), the calls and
// places to trace functions at, the tables to walk a stack with, which the kernel would sort, notes, what a module says
// to modprobe, and the names of its variables. A file that is not an object of this machine's kind, or whose tables
// leave it, comes back as it is.
std::string without_diagnostics(std::string module);

}  // namespace sbx::backends::qemu
