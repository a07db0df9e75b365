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

#include "archive/changes.h"
#include "archive/writer.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/value.h"
#include "layers/documents.h"
#include "layers/jail.h"
#include "layers/pack_job.h"
#include "layers/tar_stream.h"
#include "layers/unpack.h"
#include "wire/error.h"

// sandbox-layer unpack DIRECTORY trusted|user BYTES: unpacks the layer that comes on standard input into DIRECTORY
// (images/unpacker.h starts it, as the guest's root). Says, in lines of JSON: {"read":N}, several times, how much of
// the blob has been read; then {"layer":{...}} or {"error":{...}}.
//
// sandbox-layer pack JOB: writes what the PackJob says as a layer to standard output (images/packer.h starts it). What
// goes wrong is {"error":{...}} on standard error, and the layer is not whole then.
//
// sandbox-layer look DIRECTORY BYTES: says what the archive on standard input has of the files by which it can be told
// what it is, {"documents":{...}}, from the same jail.
//
// sandbox-layer plain DIRECTORY BYTES: writes that archive to DIRECTORY/plain, uncompressed: {"plain":{...}}.
namespace sbx::layers {
namespace {

// What an archive may have besides the content of its files.
constexpr std::int64_t kHeaders = std::int64_t{1} << 30;
constexpr auto kBetweenReports = std::chrono::milliseconds(100);

void say(const Json& json, int where = STDOUT_FILENO) {
  const std::string line = dump(json) + "\n";
  (void)!::write(where, line.data(), line.size());
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

void prepare() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::umask(0);
  std::setlocale(LC_CTYPE, "C.UTF-8");  // while its files can be found
}

Result<std::unique_ptr<TarStream>> input_in_jail(const std::string& directory) {
  TRY(enter_jail(directory, Task::kUnpack));
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

Result<> pack_output(std::string_view text) {
  TRY_ASSIGN(const PackJob job, value_in<PackJob>(text, "job"));
  const Fd output(STDOUT_FILENO);
  if (!exists(job.directory)) return archive::ArchiveWriter(archive::sink_of(output)).finish();
  TRY(enter_jail(job.directory, Task::kPack));
  TRY_ASSIGN(const Fd root, open_path("/", O_RDONLY | O_DIRECTORY));
  TRY(archive::pack_changes(root, archive::sink_of(output), options_of(job)));
  return Ok{};
}

template <class T>
int finish(const char* what, const Result<T>& result) {
  say(result ? Json{{what, json_of(*result)}} : wire::encode(result.error()));
  return result ? 0 : 1;
}

int unpack_layer(char** argv) {
  return finish("layer", unpack_input(argv[0], argv[1], std::strtoll(argv[2], nullptr, 10)));
}

int look_into_archive(char** argv) {
  return finish("documents", look_into_input(argv[0], std::strtoll(argv[1], nullptr, 10)));
}

int write_plain_archive(char** argv) {
  return finish("plain", write_input_plain(argv[0], std::strtoll(argv[1], nullptr, 10)));
}

int pack_layer(char** argv) {
  const auto packed = pack_output(argv[0]);
  if (!packed) say(wire::encode(packed.error()), STDERR_FILENO);
  return packed ? 0 : 1;
}

struct Mode {
  std::string_view name;
  int arguments;
  int (*run)(char** argv);
};
constexpr Mode kModes[] = {{"unpack", 3, unpack_layer},
                           {"pack", 1, pack_layer},
                           {"look", 2, look_into_archive},
                           {"plain", 2, write_plain_archive}};

int run(int argc, char** argv) {
  prepare();
  for (const Mode& mode : kModes)
    if (argc == mode.arguments + 2 && argv[1] == mode.name) return mode.run(argv + 2);
  std::fputs("usage: sandbox-layer unpack DIRECTORY trusted|user BYTES | pack JOB | look|plain DIRECTORY BYTES\n",
             stderr);
  return 2;
}

}  // namespace
}  // namespace sbx::layers

int main(int argc, char** argv) { return sbx::layers::run(argc, argv); }
