// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/decompress.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include "base/child.h"
#include "base/fd.h"
#include "base/text.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::chrono::seconds kLimit{60};
constexpr std::size_t kMostBytes = 1u << 30;
constexpr std::string_view kGzip = "\x1f\x8b";

struct Format {
  std::string_view magic;
  const char* program;  // with -dc
  const char* package;
};

constexpr std::array kFormats{
    Format{{"\x02\x21\x4c\x18", 4}, "lz4", "lz4"},  // the legacy form, which kernels are made with
    Format{{"\x04\x22\x4d\x18", 4}, "lz4", "lz4"},
    Format{{"\x28\xb5\x2f\xfd", 4}, "zstd", "zstd"},
    Format{{"\xfd\x37\x7a\x58\x5a\x00", 6}, "xz", "xz-utils"},
    Format{{"\x5d\x00\x00", 3}, "xz", "xz-utils"},  // lzma
    Format{"BZh", "bzip2", "bzip2"},
    Format{kGzip, "gzip", "gzip"},
};

Result<const Format*> format_of(std::string_view bytes) {
  for (const Format& format : kFormats)
    if (bytes.starts_with(format.magic)) return &format;
  return fail(Code::kInvalid, "decompress: no known format");
}

// A file without a name: unlike a pipe it takes everything before it is read.
Result<Fd> make_memory_file(std::string_view content) {
  Fd file(::memfd_create("sandboxd", MFD_CLOEXEC));
  if (!file) return fail_errno("make a file in memory");
  TRY_WITHIN("fill a file in memory", write_all(file, content));
  return file;
}

Result<> rewind(const Fd& file) {
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return fail_errno("go to the start of a file in memory");
  return Ok{};
}

// The last line that a program said, for an error of one line.
std::string last_words(const std::string& said) {
  const auto lines = split(trimmed(said), '\n');
  return printable(trimmed(lines.back()));
}

Result<> run_filter(const Format& format, const Fd& in, const Fd& out) {
  TRY_ASSIGN(const Fd err, make_memory_file({}));
  Command command;
  command.argv = {format.program, "-dc"};
  command.stdin_fd = in.get();
  command.stdout_fd = out.get();
  command.stderr_fd = err.get();
  TRY_ASSIGN(Child child, Child::start(command));
  TRY_ASSIGN(const auto exit, child.wait_for(kLimit));
  if (!exit) return fail(Code::kTimeout, std::string(format.program) + " did not end in time");
  if (exit->code == 0) return Ok{};
  TRY(rewind(err));
  TRY_ASSIGN(const std::string said, read_all(err, 1u << 20));
  return fail(Code::kInvalid, std::string(format.program) + ": " + last_words(said));
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with(kGzip); }

Result<std::string> decompressed(std::string_view bytes) {
  TRY_ASSIGN(const Format* format, format_of(bytes));
  if (!find_program(format->program))
    return fail(Code::kUnavailable, std::string(format->program) + " is not installed",
                "sudo apt-get install " + std::string(format->package));
  TRY_ASSIGN(const Fd in, make_memory_file(bytes));
  TRY_ASSIGN(const Fd out, make_memory_file({}));
  TRY(rewind(in));
  TRY_WITHIN("decompress", run_filter(*format, in, out));
  TRY(rewind(out));
  return read_all(out, kMostBytes);
}

}  // namespace sbx::backends::qemu
