// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/audit_log.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <fstream>
#include <functional>
#include <optional>

#include "base/fd.h"
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

void describe(Members& members, AuditHead& head) {
  members.required("lines", head.lines);
  members.required("chain", head.chain);
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
  std::ifstream file(path_);
  std::deque<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(std::move(line));
    if (count != 0 && lines.size() > count) lines.pop_front();
  }
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
  const auto broken = [&](const std::string& why) {
    report.problem = report.lines + 1;
    report.reason = sbx::format("line {} {}", report.problem, why);
    return report;
  };
  if (const auto is_private = check_private_file(path_); !is_private && is_private.error().code() != Code::kNotFound)
    return broken("cannot be trusted: " + is_private.error().what());
  std::ifstream file(path_);
  std::string before;
  for (std::string line; std::getline(file, line);) {
    const auto parsed = parse_line(line);
    if (!parsed || parsed->chain != chain_of(before, parsed->entry))
      return broken("was changed, or lines before it are missing");
    before = parsed->chain;
    ++report.lines;
    if (report.lines == head.lines && before != head.chain) return broken("was changed");
  }
  if (report.lines < head.lines)
    return broken(sbx::format("is missing: the log was cut off, it had {} lines", head.lines));
  report.intact = true;
  return report;
}

AuditHead AuditLog::caught_up(AuditHead head) const {
  std::ifstream file(path_);
  std::int64_t number = 0;
  AuditHead next = head;
  for (std::string line; std::getline(file, line);) {
    if (++number <= head.lines) continue;
    const auto parsed = parse_line(line);
    if (!parsed || parsed->chain != chain_of(next.chain, parsed->entry)) return next;
    next = {number, parsed->chain};
  }
  return next;
}

}  // namespace sbx::secrets
