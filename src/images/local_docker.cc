// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/local_docker.h"

#include "base/format.h"
#include "base/socket.h"
#include "base/value.h"
#include "exchange/exchange.h"
#include "images/sources.h"

namespace sbx::images {
namespace {

constexpr std::string_view kUnixScheme = "unix://";
constexpr std::chrono::seconds kDockerAnswers(10);
constexpr std::size_t kLargestAnswer = 4u << 20;

struct InspectedImage {
  std::string id;
};
void describe(Members& members, InspectedImage& image) { members.required("Id", image.id); }

Result<Fd> connect_docker() {
  const auto host = docker_host();
  if (!host) return fail(Code::kUnavailable, "there is no Docker here");
  if (!host->starts_with(kUnixScheme)) return fail(Code::kUnsupported, "Docker is not on a socket of this host");
  TRY_ASSIGN(Fd socket, connect_unix(host->substr(kUnixScheme.size())));
  TRY(set_timeouts(socket, kDockerAnswers));
  return socket;
}

Result<std::string> asked_docker(const std::string& name) {
  auto socket = connect_docker();
  if (!socket) return fail(std::move(socket).error());
  http::Request request;
  request.method = "GET";
  request.segments = {"images", name, "json"};
  request.headers = {{"Host", "docker"}, {"Connection", "close"}};
  TRY_ASSIGN(auto answer, exchange::Exchange::begin(std::move(*socket), request));
  if (!answer) return fail(Code::kUnavailable, "Docker does not answer");
  if (answer->response().status == 404) return fail(Code::kNotFound, "Docker has no such image");
  if (answer->response().status != 200)
    return fail(Code::kUnavailable, sbx::format("Docker answers with {}", answer->response().status));
  TRY_ASSIGN(const std::string body, answer->whole_body(kLargestAnswer));
  TRY_ASSIGN(InspectedImage image, value_in<InspectedImage>(body, "image", Unknown::kIgnored));
  return std::move(image.id);
}

}  // namespace

Result<std::string> image_in_docker(const std::string& name) {
  auto id = asked_docker(name);
  if (!id) return fail(std::move(id).error().within("ask Docker for " + name));
  return id;
}

}  // namespace sbx::images
