// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/started_execs.h"

#include <unistd.h>

#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "base/format.h"
#include "base/log.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::shim {
namespace {

// A line of the file: an exec's number in 16 hexadecimal digits, and its key. All are equally long, and the file is a
// ring: an exec's line takes the place of the one that was kMost execs ago.
constexpr std::size_t kDigits = 16;
constexpr std::size_t kLine = kDigits + 1 + wire::RequestKey::kLongest + 1;
constexpr std::size_t kLargestFile = StartedExecs::kMost * kLine;

std::string line_of(std::uint64_t number, const std::string& key) {
  return sbx::format("{:016x} {:<64}\n", number, key);
}

struct Entry {
  std::uint64_t number;
  std::string key;
};

std::optional<Entry> entry_of(std::string_view line) {
  if (line.size() != kLine || line[kDigits] != ' ' || line.back() != '\n') return std::nullopt;
  Entry entry{};
  const auto parsed = std::from_chars(line.data(), line.data() + kDigits, entry.number, 16);
  const auto key = wire::RequestKey::parse(trimmed(line.substr(kDigits)));
  if (parsed.ec != std::errc() || parsed.ptr != line.data() + kDigits || !key) return std::nullopt;
  entry.key = key->text();
  return entry;
}

// It recognises a mistake, not an attack: who may ask at all may also take another key.
std::size_t hash_of(const wire::ExecRequest& request) { return std::hash<std::string>()(text_of(request)); }

}  // namespace

StartedExecs::StartedExecs(Fd file) : file_(std::move(file)) { read_file(); }

void StartedExecs::read_file() {
  const auto text = read_all(file_, kLargestFile);
  if (!text) return log_warning("read the keys of earlier execs: {}", text.error().what());
  std::map<std::uint64_t, std::string> by_number;
  for (std::size_t at = 0; at < text->size(); at += kLine)
    if (auto entry = entry_of(std::string_view(*text).substr(at, kLine)))
      by_number[entry->number] = std::move(entry->key);
  for (const auto& [number, key] : by_number) remember(key, std::make_shared<Exec>());
  if (!by_number.empty()) next_ = by_number.rbegin()->first + 1;
}

Result<std::shared_ptr<StartedExecs::Exec>> StartedExecs::find(const wire::RequestKey& key,
                                                               const wire::ExecRequest& request) const {
  const auto it = execs_.find(key.text());
  if (it == execs_.end()) return std::shared_ptr<Exec>();
  const std::shared_ptr<Exec>& exec = it->second;
  if (!exec->request) return fail(Code::kConflict, "the command was already started, and the sandbox has ended since");
  if (exec->request != hash_of(request))
    return fail(Code::kConflict, "the key " + key.text() + " was already used for another command");
  if (!request.detach) return fail(Code::kConflict, "the command was already started");
  return exec;
}

std::shared_ptr<StartedExecs::Exec> StartedExecs::add(const wire::RequestKey& key, const wire::ExecRequest& request) {
  const auto exec = std::make_shared<Exec>(Exec{.request = hash_of(request)});
  remember(key.text(), exec);
  write_down(key.text());
  return exec;
}

void StartedExecs::remember(const std::string& key, std::shared_ptr<Exec> exec) {
  if (!execs_.insert_or_assign(key, std::move(exec)).second) return;
  keys_.push_back(key);
  if (keys_.size() <= kMost) return;
  execs_.erase(keys_.front());
  keys_.pop_front();
}

// A full disk costs what the next shim would know, never the exec.
void StartedExecs::write_down(const std::string& key) {
  const std::uint64_t number = next_++;
  const auto place = static_cast<off_t>(number % kMost * kLine);
  if (::lseek(file_.get(), place, SEEK_SET) == place) (void)write_all(file_, line_of(number, key));
}

}  // namespace sbx::shim
