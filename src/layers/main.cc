// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "base/fd.h"
#include "base/value.h"
#include "layers/jail.h"
#include "layers/tar_stream.h"
#include "layers/unpack.h"
#include "wire/error.h"

// sandbox-layer DIRECTORY trusted|user BYTES: unpacks the layer that comes on standard input into DIRECTORY
// (images/unpacker.h starts it, as the guest's root). Says, in lines of JSON: {"read":N}, several times, how much of
// the blob has been read; then {"layer":{...}} or {"error":{...}}.
namespace sbx::layers {
namespace {

constexpr auto kBetweenReports = std::chrono::milliseconds(100);

void say(const Json& json) {
  const std::string line = dump(json) + "\n";
  (void)!::write(STDOUT_FILENO, line.data(), line.size());
}

class Reports {
 public:
  void operator()(std::int64_t bytes) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + kBetweenReports;
    say(Json{{"read", bytes}});
  }

 private:
  std::chrono::steady_clock::time_point next_;
};

Result<Unpacked> unpack_input(const std::string& directory, std::string_view opaque, std::int64_t bytes) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::umask(0);
  std::setlocale(LC_CTYPE, "C.UTF-8");  // while its files can be found
  TRY(enter_jail(directory));
  TRY_ASSIGN(const auto stream, TarStream::open(STDIN_FILENO));
  Reports reports;
  return unpack(*stream, opaque == "trusted" ? kOpaqueOfRoot : kOpaqueOfUser, {.bytes = bytes}, std::ref(reports));
}

}  // namespace
}  // namespace sbx::layers

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: sandbox-layer DIRECTORY trusted|user BYTES\n", stderr);
    return 2;
  }
  const auto unpacked = sbx::layers::unpack_input(argv[1], argv[2], std::strtoll(argv[3], nullptr, 10));
  if (unpacked)
    sbx::layers::say(sbx::Json{{"layer", sbx::json_of(*unpacked)}});
  else
    sbx::layers::say(sbx::wire::encode(unpacked.error()));
  return unpacked ? 0 : 1;
}
