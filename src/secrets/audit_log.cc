// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/audit_log.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <deque>
#include <fstream>
#include <optional>

#include "base/fd.h"
#include "base/file.h"
#include "base/format.h"
#include "base/value.h"
#include "secrets/private_path.h"

namespace sbx::secrets {
namespace {

constexpr std::size_t kHash = crypto_generichash_BYTES;
constexpr std::string_view kMember = ",\"chain\":\"";
constexpr std::string_view kEnd = "\"}";
constexpr std::size_t kTail = kMember.size() + 2 * kHash + kEnd.size();

// A line as it is in the file: what is hashed, and its chain.
struct ChainedLine {
  std::string entry;
  std::string chain;
};

std::optional<ChainedLine> parse_line(const std::string& line) {
  if (line.size() <= kTail || !line.ends_with(kEnd)) return std::nullopt;
  const std::size_t at = line.size() - kTail;
  if (line.compare(at, kMember.size(), kMember) != 0) return std::nullopt;
  return ChainedLine{line.substr(0, at) + "}", line.substr(at + kMember.size(), 2 * kHash)};
}

}  // namespace

void describe(Members& members, AuditMark& mark) {
  members.required("lines", mark.lines);
  members.required("chain", mark.chain);
}

void describe(Members& members, AuditHead& head) {
  describe(members, static_cast<AuditMark&>(head));
  members.optional("oldest", head.oldest);
  members.optional("current", head.current);
}

void AuditLog::for_each_line(const std::function<bool(std::string)>& see) const {
  for (const std::string& path : {older(), path_}) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
      if (!see(std::move(line))) return;
  }
}

bool AuditLog::is_large() const {
  struct stat info {};
  return ::stat(path_.c_str(), &info) == 0 && info.st_size >= largest_;
}

void AuditLog::begin_rotation(AuditHead& head) {
  head.oldest = head.current;
  head.current = head;
}

bool AuditLog::begins_at(const AuditMark& mark) const {
  std::ifstream file(path_);
  std::string line;
  const auto parsed = std::getline(file, line) ? parse_line(line) : std::nullopt;
  return parsed && parsed->chain == chain_of(mark.chain, parsed->entry);
}

Result<> AuditLog::finish_rotation(const AuditHead& head) const {
  if (head.oldest == head.current || !begins_at(head.oldest)) return Ok{};
  if (std::rename(path_.c_str(), older().c_str()) != 0) return fail_errno("rename " + path_);
  return sync_directory_of(path_);
}

std::string AuditLog::chain_of(const std::string& before, std::string_view entry) const {
  const std::string input = before + "\n" + std::string(entry);
  std::array<unsigned char, kHash> hash{};
  ::crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(input.data()), input.size(),
                       key_.data(), key_.size());
  std::string hex(2 * kHash + 1, '0');
  ::sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  hex.pop_back();
  return hex;
}

std::string AuditLog::lines_for(std::vector<wire::AuditEntry> entries, AuditHead& head) const {
  std::string lines;
  for (wire::AuditEntry& entry : entries) {
    entry.line = ++head.lines;
    std::string text = text_of(entry);
    head.chain = chain_of(head.chain, text);
    text.pop_back();
    lines += text.append(kMember).append(head.chain).append(kEnd) + "\n";
  }
  return lines;
}

Result<> AuditLog::append(const std::string& lines) const {
  TRY_ASSIGN(const Fd file, open_path(path_, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600));
  struct stat before {};
  if (::fstat(file.get(), &before) != 0) return fail_errno("look at " + path_);
  auto written = write_all(file, lines);
  if (written && ::fsync(file.get()) != 0) written = fail_errno("sync");
  if (written) return Ok{};
  if (::ftruncate(file.get(), before.st_size) != 0) return fail_errno("take back half a line of " + path_);
  return fail(std::move(written).error().within("write " + path_));
}

Result<wire::AuditTail> AuditLog::tail(std::size_t count) const {
  std::deque<std::string> lines;
  for_each_line([&](std::string line) {
    lines.push_back(std::move(line));
    if (count != 0 && lines.size() > count) lines.pop_front();
    return true;
  });
  wire::AuditTail tail;
  for (const std::string& line : lines) {
    const auto parsed = parse_line(line);
    auto entry =
        parsed ? value_in<wire::AuditEntry>(parsed->entry, "audit line", Unknown::kIgnored) : fail(Code::kInternal, "");
    if (!entry)
      return fail(Code::kInternal, path_ + " has a line that is not one of ours", "sandbox secret audit --verify");
    tail.entries.push_back(std::move(*entry));
  }
  return tail;
}

wire::AuditReport AuditLog::verify(const AuditHead& head) const {
  wire::AuditReport report;
  AuditMark at = head.oldest;
  const auto broken = [&](const std::string& why) {
    report.problem = at.lines + 1;
    report.reason = sbx::format("line {} {}", report.problem, why);
    return report;
  };
  for (const std::string& path : {older(), path_})
    if (const auto is_private = check_private_file(path); !is_private && is_private.error().code() != Code::kNotFound)
      return broken("cannot be trusted: " + is_private.error().what());
  bool intact = true;
  for_each_line([&](const std::string& line) {
    const auto parsed = parse_line(line);
    intact = parsed && parsed->chain == chain_of(at.chain, parsed->entry) &&
             (at.lines + 1 != head.lines || parsed->chain == head.chain);
    if (!intact) return false;
    at = {at.lines + 1, parsed->chain};
    ++report.lines;
    return true;
  });
  if (!intact) return broken("was changed, or lines before it are missing");
  if (at.lines < head.lines) return broken(sbx::format("is missing: the log was cut off, it had {} lines", head.lines));
  report.intact = true;
  return report;
}

AuditHead AuditLog::caught_up(AuditHead head) const {
  std::int64_t number = head.oldest.lines;
  for_each_line([&, kept = head.lines](const std::string& line) {
    if (++number <= kept) return true;
    const auto parsed = parse_line(line);
    if (!parsed || parsed->chain != chain_of(head.chain, parsed->entry)) return false;
    head.lines = number;
    head.chain = parsed->chain;
    return true;
  });
  return head;
}

}  // namespace sbx::secrets
