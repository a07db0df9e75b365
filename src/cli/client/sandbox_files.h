// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/stream.h"
#include "base/members.h"
#include "base/result.h"
#include "cli/client/client.h"
#include "exchange/exec_stream.h"
#include "wire/exec.h"

namespace sbx::cli {

// What is at a path of a sandbox, as its init says.
struct FileInfo {
  std::string name;  // of an entry of a directory
  bool exists = false;
  std::string type;  // file, directory, link, other
  std::int64_t size = 0;
  unsigned mode = 0;
  std::int64_t modified = 0;  // seconds since 1970
  std::string link;           // where a symbolic link leads

  bool is_directory() const { return type == "directory"; }
};
void describe(Members& members, FileInfo& info);

// The file system of one sandbox, through the programs of its init, as the user `agent`. What the sandbox says is
// hostile: archives go through archive::unpack or ArchiveReader, and every answer is bounded.
class SandboxFiles {
 public:
  using OnWarning = std::function<void(std::string_view line)>;

  // `client` must outlive it.
  SandboxFiles(
      const Client& client, std::string sandbox, OnWarning warn = [](std::string_view) {})
      : client_(client), sandbox_(std::move(sandbox)), warn_(std::move(warn)) {}

  Result<FileInfo> look(const std::string& path, bool follow) const;
  Result<std::vector<FileInfo>> list(const std::string& directory) const;
  // Some bytes of a file, and how many it has. Links are followed.
  struct Part {
    std::string bytes;
    std::int64_t size = 0;
  };
  Result<Part> read(const std::string& file, std::int64_t offset, std::int64_t most) const;
  // Unpacks, beneath a directory of the sandbox's, what `produce` writes.
  Result<> receive(const std::string& directory, const std::function<Result<>(const archive::Sink&)>& produce) const;
  // Packs a path of the sandbox's and lets `consume` read the archive.
  Result<> send(const std::string& path, bool follow,
                const std::function<Result<>(const archive::Source&)>& consume) const;

 private:
  Result<exchange::ExecStream> open(const wire::ExecRequest& request) const;
  void show_warnings(const exchange::ExecStream& stream) const;

  const Client& client_;
  std::string sandbox_;
  OnWarning warn_;
};

}  // namespace sbx::cli
