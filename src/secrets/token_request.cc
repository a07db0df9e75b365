// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/token_request.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdlib>

#include "base/child.h"
#include "base/json.h"
#include "base/text.h"

namespace sbx::secrets {
namespace {

constexpr std::size_t kLargestAnswer = 64u << 10;
constexpr std::size_t kPipe = 64u << 10;  // holds so much without a reader
constexpr std::chrono::seconds kGrace{5};

std::string body_for(const TokenEndpoint& endpoint, const OAuthRecord& record) {
  Json body{
      {"grant_type", "refresh_token"}, {"refresh_token", record.refresh_token}, {"client_id", endpoint.client_id}};
  if (endpoint.names_scopes && !record.scopes.empty()) body["scope"] = join(record.scopes, " ");
  return dump(body);
}

// The token is on standard input: arguments can be seen by every user.
std::vector<std::string> curl_words(const TokenEndpoint& endpoint) {
  std::vector<std::string> words{"curl",
                                 "--disable",
                                 "--silent",
                                 "--show-error",
                                 "--proto",
                                 "=https",
                                 "--tlsv1.2",
                                 "--connect-timeout",
                                 "10",
                                 "--max-time",
                                 std::to_string(kTokenRequestLimit.count()),
                                 "--max-filesize",
                                 std::to_string(kLargestAnswer),
                                 "--user-agent",
                                 "sandboxd",
                                 "--header",
                                 "Content-Type: application/json",
                                 "--header",
                                 "Accept: application/json",
                                 "--data-binary",
                                 "@-",
                                 "--write-out",
                                 "\\n%{http_code} %{size_upload}",
                                 "https://" + endpoint.host + endpoint.path};
  // As for sandboxes; curl itself would look at CURL_CA_BUNDLE first.
  if (const char* roots = std::getenv("SSL_CERT_FILE"); roots != nullptr && *roots != 0)
    words.insert(words.end(), {"--cacert", roots});
  return words;
}

int leave_no_core() {
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0 || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return 0;
}

TokenAnswer not_sent(std::string why) { return {0, false, "", std::move(why)}; }

// The body, and the line that --write-out has put behind it.
TokenAnswer answer_in(const RunOutput& ran) {
  const std::size_t line = ran.out.rfind('\n');
  const std::vector<std::string> words =
      split(line == std::string::npos ? "" : std::string_view(ran.out).substr(line + 1), ' ');
  const auto status = parse_integer(words.front());
  const auto uploaded = words.size() == 2 ? parse_integer(words[1]) : std::nullopt;
  TokenAnswer answer;
  answer.sent = !uploaded || *uploaded > 0;
  // An answer that was cut off is none.
  if (status && ran.exit.code == 0) answer.status = static_cast<int>(*status);
  if (answer.status != 0)
    answer.body = ran.out.substr(0, line);
  else
    answer.why = printable(trimmed(ran.err.substr(0, ran.err.find('\n'))));
  return answer;
}

}  // namespace

TokenAnswer request_tokens(const TokenEndpoint& endpoint, const OAuthRecord& record) {
  const std::string body = body_for(endpoint, record);
  if (body.size() > kPipe) return not_sent("the login is too large");
  auto pipe = make_pipe();
  if (!pipe) return not_sent(pipe.error().what());
  if (const auto written = write_all(pipe->write, body); !written) return not_sent(written.error().what());
  pipe->write.reset();
  if (!find_program("curl")) return not_sent("there is no curl here, which makes the request");
  const auto ran = run({.argv = curl_words(endpoint), .stdin_fd = pipe->read.get(), .before_exec = leave_no_core},
                       kTokenRequestLimit + kGrace);
  if (!ran) return {0, true, "", ran.error().what()};
  return answer_in(*ran);
}

}  // namespace sbx::secrets
