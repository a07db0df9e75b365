// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// network.db of one sandbox or of all, in the vendor's form, or as it grows.
#include "wire/network_log.h"

#include <poll.h>

#include <algorithm>
#include <map>
#include <utility>

#include "api/body.h"
#include "api/event_stream.h"
#include "api/handlers.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/log.h"
#include "base/text.h"
#include "base/value.h"
#include "netlog/database.h"
#include "netlog/tail.h"

namespace sbx::api {
namespace {

constexpr int kDatabasePollMilliseconds = 250;
constexpr auto kFlushLimit = std::chrono::seconds(1);

struct WantedDecisions {
  std::string sandbox;  // empty: all
  std::size_t limit = 0;
  bool blocked = false;
  bool follow = false;
};

Result<WantedDecisions> wanted_decisions(const http::Request& request) {
  TRY(check_parameters(request, {"sandbox", "limit", "blocked", "follow"}));
  WantedDecisions wanted;
  wanted.sandbox = request.parameter("sandbox").value_or("");
  const auto limit = parse_integer(request.parameter("limit").value_or("0"));
  if (!limit || *limit < 0) return fail(Code::kInvalid, "\"limit\" must be a number");
  wanted.limit = static_cast<std::size_t>(*limit);
  TRY_ASSIGN(wanted.blocked, is_on(request, "blocked"));
  TRY_ASSIGN(wanted.follow, is_on(request, "follow"));
  return wanted;
}

// Those whose logs are wanted. One that was asked for by name has to be there.
Result<std::vector<wire::SandboxInfo>> chosen(const Services& services, const std::string& name) {
  if (name.empty()) return services.sandboxes.registry.list();
  TRY_ASSIGN(auto info, services.sandboxes.registry.info(name));
  return std::vector{std::move(info)};
}

std::string time_text(std::int64_t microseconds) {
  return rfc3339(WallTime(std::chrono::duration_cast<WallTime::duration>(std::chrono::microseconds(microseconds))));
}

template <class T>
struct Line {
  std::int64_t last_us;
  T value;
};

template <class T>
std::vector<T> newest_first(std::vector<Line<T>> lines, std::size_t limit) {
  std::ranges::stable_sort(lines, std::ranges::greater(), &Line<T>::last_us);
  if (limit != 0 && lines.size() > limit) lines.resize(limit);
  std::vector<T> list;
  for (Line<T>& line : lines) list.push_back(std::move(line.value));
  return list;
}

// The same words in another room, which clients do not know.
wire::ProxyType proxy_type(netlog::Path path) { return *from_word<wire::ProxyType>(word_of(path)); }

wire::LoggedHost logged(const std::string& sandbox, const netlog::Summary& summary) {
  return {.host = summary.host.empty() ? wire::LoggedHost::kOthers : sbx::format("{}:{}", summary.host, summary.port),
          .sandbox = sandbox,
          .proxy_type = proxy_type(summary.path),
          .rule = summary.rule,
          .last_seen = time_text(summary.last_us),
          .since = time_text(summary.first_us),
          .count = summary.count,
          .reason = summary.reason};
}

wire::UnwrittenDecisions unwritten(const std::string& sandbox, const netlog::Losses& losses) {
  return {sandbox, losses.count, time_text(losses.first_us), time_text(losses.last_us)};
}

wire::LoggedDecision logged(const std::string& sandbox, const netlog::Record& record) {
  return {.time = time_text(record.time_us),
          .sandbox = sandbox,
          .host = sbx::format("{}:{}", record.host, record.port),
          .proxy_type = proxy_type(record.path),
          .allowed = record.allowed,
          .method = record.method,
          .path = record.url_path,
          .rule = record.rule,
          .reason = record.reason,
          .status = record.status,
          .sent = static_cast<std::int64_t>(record.sent),
          .received = static_cast<std::int64_t>(record.received),
          .duration_us = record.duration_us};
}

// What the logs of sandboxes have lost, by their ids.
using LossesOf = std::map<std::string, netlog::Losses>;

// Records are written a little later than they are made. An answer has all that was decided before it, unless a gate
// does not answer: one that hangs costs a second, and so do many. A gate knows of losses that it cannot write down,
// too.
LossesOf flush(const Services& services, const std::vector<wire::SandboxInfo>& sandboxes) {
  const SteadyTime deadline = steady_now() + kFlushLimit;
  LossesOf losses;
  for (const auto& sandbox : sandboxes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_now());
    if (left <= std::chrono::milliseconds(0)) break;
    losses[sandbox.id] = services.sandboxes.networks.flush_log(sandbox.name, left);
  }
  return losses;
}

// What the logs add up to. One that is garbled, which a guest may have to do with, does not hide the others.
class Summing {
 public:
  explicit Summing(bool blocked_only) : blocked_only_(blocked_only) {}

  Result<> add(const wire::SandboxInfo& sandbox, const netlog::Losses& told) {
    const netlog::Database log(sandbox.state_directory);
    TRY_ASSIGN(const auto summaries, log.summaries(blocked_only_));
    TRY_ASSIGN(const auto written, log.losses());
    for (const auto& summary : summaries)
      (summary.allowed ? allowed_ : blocked_).push_back({summary.last_us, logged(sandbox.name, summary)});
    // Both count from the log's beginning.
    const netlog::Losses& losses = told.count > written.count ? told : written;
    if (losses) unwritten_.push_back({losses.last_us, unwritten(sandbox.name, losses)});
    return Ok{};
  }

  wire::NetworkLog log(std::size_t limit) && {
    return {newest_first(std::move(blocked_), limit), newest_first(std::move(allowed_), limit),
            newest_first(std::move(unwritten_), 0)};
  }

 private:
  bool blocked_only_;
  std::vector<Line<wire::LoggedHost>> blocked_;
  std::vector<Line<wire::LoggedHost>> allowed_;
  std::vector<Line<wire::UnwrittenDecisions>> unwritten_;
};

Result<Answer> summarize(const Services& services, const WantedDecisions& wanted) {
  TRY_ASSIGN(const auto sandboxes, chosen(services, wanted.sandbox));
  LossesOf told = flush(services, sandboxes);
  Summing sums(wanted.blocked);
  for (const auto& sandbox : sandboxes) {
    const auto added = sums.add(sandbox, told[sandbox.id]);
    if (!added && !wanted.sandbox.empty()) return fail(added.error());
    if (!added) log_warning("the network log of {}: {}", sandbox.name, added.error().what());
  }
  return json_response(200, json_of(std::move(sums).log(wanted.limit)));
}

// The logs of all that are followed, also of those that come to be meanwhile.
class Follower {
 public:
  Follower(const Services& services, WantedDecisions wanted) : services_(services), wanted_(std::move(wanted)) {}

  // What was there before counts as told, and the last of it is, by send_last().
  Result<> begin() {
    TRY_ASSIGN(const auto sandboxes, chosen(services_, wanted_.sandbox));
    (void)flush(services_, sandboxes);
    for (const auto& sandbox : sandboxes) {
      const auto before = netlog::Database(sandbox.state_directory)
                              .records({0, wanted_.blocked, std::max<std::size_t>(wanted_.limit, 1)})
                              .value_or(std::vector<netlog::Record>());
      netlog::Tail& tail = tails_[sandbox.id];
      if (wanted_.limit != 0)
        last_.emplace_back(sandbox.name, tail.news(before));
      else if (!before.empty())
        tail = netlog::Tail(before.back().id);
    }
    return Ok{};
  }

  Result<> send_last(EventStream& stream) {
    for (const auto& [name, records] : last_) TRY(send(stream, name, records));
    last_.clear();
    return Ok{};
  }

  Result<> send_news(EventStream& stream) {
    TRY_ASSIGN(const auto sandboxes, chosen(services_, wanted_.sandbox));
    for (const auto& sandbox : sandboxes) {
      netlog::Tail& tail = tails_[sandbox.id];
      const auto records = netlog::Database(sandbox.state_directory).records({tail.after(), wanted_.blocked, 0});
      if (!records) continue;  // it is read again in a moment
      TRY(send(stream, sandbox.name, tail.news(*records)));
    }
    return Ok{};
  }

 private:
  static Result<> send(EventStream& stream, const std::string& name, const std::vector<netlog::Record>& records) {
    for (const auto& record : records) TRY(stream.send("decision", json_of(logged(name, record))));
    return Ok{};
  }

  const Services& services_;
  const WantedDecisions wanted_;
  std::map<std::string, netlog::Tail> tails_;                              // by the sandbox's id
  std::vector<std::pair<std::string, std::vector<netlog::Record>>> last_;  // of before, by the sandbox's name
};

bool client_waits(const Connection& connection) {
  pollfd state{connection.socket().get(), POLLRDHUP, 0};
  return ::poll(&state, 1, kDatabasePollMilliseconds) <= 0;
}

Result<Answer> follow(const Services& services, const WantedDecisions& wanted, Connection& connection) {
  Follower follower(services, wanted);
  // Where it begins is settled before the head is sent: a client that has seen it misses nothing from then on.
  TRY(follower.begin());
  TRY_ASSIGN(EventStream stream, EventStream::open(connection));
  auto sent = follower.send_last(stream);
  while (sent && client_waits(connection)) sent = follower.send_news(stream);
  stream.end();
  return Streamed{};
}

}  // namespace

Result<Answer> get_network_log(Services& services, Call& call) {
  TRY_ASSIGN(const WantedDecisions wanted, wanted_decisions(call.request));
  return wanted.follow ? follow(services, wanted, call.connection) : summarize(services, wanted);
}

}  // namespace sbx::api
