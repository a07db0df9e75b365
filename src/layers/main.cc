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
#include <memory>
#include <string_view>

#include "base/fd.h"
#include "base/value.h"
#include "layers/documents.h"
#include "layers/jail.h"
#include "layers/tar_stream.h"
#include "layers/unpack.h"
#include "wire/error.h"

// sandbox-layer DIRECTORY trusted|user BYTES: unpacks the layer that comes on standard input into DIRECTORY
// (images/unpacker.h starts it, as the guest's root). Says, in lines of JSON: {"read":N}, several times, how much of
// the blob has been read; then {"layer":{...}} or {"error":{...}}.
//
// sandbox-layer DIRECTORY look BYTES: says what the archive on standard input has of the files by which it can be told
// what it is, {"documents":{...}}, from the same jail.
//
// sandbox-layer DIRECTORY plain BYTES: writes that archive to DIRECTORY/plain, uncompressed: {"plain":{...}}.
namespace sbx::layers {
namespace {

// What an archive may have besides the content of its files.
constexpr std::int64_t kHeaders = std::int64_t{1} << 30;
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

Result<std::unique_ptr<TarStream>> input_in_jail(const std::string& directory) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::umask(0);
  std::setlocale(LC_CTYPE, "C.UTF-8");  // while its files can be found
  TRY(enter_jail(directory));
  return TarStream::open(STDIN_FILENO);
}

Result<Documents> look_into_input(const std::string& directory, std::int64_t bytes) {
  TRY_ASSIGN(const auto stream, input_in_jail(directory));
  return documents_in(*stream, bytes);
}

Result<Plain> write_input_plain(const std::string& directory, std::int64_t bytes) {
  TRY_ASSIGN(const auto stream, input_in_jail(directory));
  return write_plain(*stream, bytes);
}

Result<Unpacked> unpack_input(const std::string& directory, std::string_view opaque, std::int64_t bytes) {
  TRY_ASSIGN(const auto stream, input_in_jail(directory));
  Reports reports;
  return unpack(*stream, opaque == "trusted" ? kOpaqueOfRoot : kOpaqueOfUser,
                {.bytes = bytes, .archive = 2 * bytes + kHeaders}, std::ref(reports));
}

template <class T>
int finish(const char* what, const Result<T>& result) {
  say(result ? Json{{what, json_of(*result)}} : wire::encode(result.error()));
  return result ? 0 : 1;
}

}  // namespace
}  // namespace sbx::layers

int main(int argc, char** argv) {
  using namespace sbx::layers;
  if (argc != 4) {
    std::fputs("usage: sandbox-layer DIRECTORY trusted|user|look|plain BYTES\n", stderr);
    return 2;
  }
  const std::string_view how = argv[2];
  const long long bytes = std::strtoll(argv[3], nullptr, 10);
  if (how == "look") return finish("documents", look_into_input(argv[1], bytes));
  if (how == "plain") return finish("plain", write_input_plain(argv[1], bytes));
  return finish("layer", unpack_input(argv[1], how, bytes));
}
