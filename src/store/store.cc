// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/file.h"
#include "base/log.h"
#include "base/value.h"
#include "store/name.h"

namespace sbx::store {
namespace {

bool is_directory(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

Result<Record> decoded(const std::string& text, const std::string& name) {
  TRY_ASSIGN(Json json, parse_json(text));
  TRY_ASSIGN(Record record, decode_record(std::move(json)));
  if (record.name != name) return fail(Code::kInvalid, "it is the record of \"" + record.name + "\"");
  return record;
}

}  // namespace

Result<std::vector<std::string>> Store::names() const {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(home_.machines().c_str()), &::closedir);
  if (!entries)
    return errno == ENOENT ? Result<std::vector<std::string>>(names) : fail_errno("list " + home_.machines());
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != ".." && check_name(name) && is_directory(home_.machine(name))) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Result<Record> Store::load(const std::string& name) const {
  auto text = read_file(path(name), 1u << 20);
  if (!text) return fail(std::move(text).error());
  auto record = decoded(*text, name);
  if (!record) return fail(std::move(record).error().within("read " + path(name)));
  return record;
}

Result<> Store::reserve(const std::string& name) const {
  TRY(make_directories(home_.machines()));
  const std::string directory = home_.machine(name);
  if (::mkdir(directory.c_str(), 0700) == 0) return Ok{};
  if (errno == EEXIST) return fail(Code::kConflict, "sandbox " + name + " already exists", "sandbox rm " + name);
  return fail_errno("make directory " + directory);
}

Result<> Store::sketch(const Record& record) const {
  return replace_file(path(record.name), dump_pretty(encode(record)) + "\n");
}

Result<> Store::save(const Record& record) const {
  return write_file_atomically(path(record.name), dump_pretty(encode(record)) + "\n");
}

Result<> Store::save_removing(const Record& record) const {
  if (save(record)) return Ok{};
  return write_file(path(record.name), dump_pretty(encode(record)) + "\n");
}

Result<> Store::forget(const std::string& name) const {
  if (::unlink(path(name).c_str()) != 0 && errno != ENOENT) return fail_errno("remove " + path(name));
  return Ok{};
}

LastRun Store::last_run(const std::string& name) const {
  const auto text = read_file(run_path(name), 1u << 20);
  if (!text) return {};
  return value_in<LastRun>(*text, "last run", Unknown::kIgnored).value_or(LastRun{});
}

void Store::note(const std::string& name, const LastRun& run) const {
  const auto written = replace_file(run_path(name), text_of(run) + "\n");
  if (!written) log_warning("note the last run of {}: {}", name, written.error().what());
}

}  // namespace sbx::store
