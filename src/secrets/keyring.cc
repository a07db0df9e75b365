// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/keyring.h"

#include <cstdlib>

#include "base/child.h"

namespace sbx::secrets {
namespace {

constexpr std::chrono::seconds kUserUnlocks{60};  // a locked keyring asks the user for its password
constexpr const char* kTool = "secret-tool";

std::vector<std::string> words(const char* verb, const std::string& label) {
  std::vector<std::string> argv{kTool, verb};
  if (std::string_view(verb) == "store") argv.emplace_back("--label=sandboxd: key of the secret store");
  for (const std::string& word : {std::string("service"), std::string("sandboxd"), std::string("store"), label})
    argv.push_back(word);
  return argv;
}

Failure unreachable(const std::string& why) {
  return fail(Code::kUnavailable, "the key of the secret store is in your keyring, which cannot be asked: " + why,
              "unlock the keyring, and start the daemon from your session: sandbox daemon restart");
}

}  // namespace

bool Keyring::is_here() {
  const char* bus = std::getenv("DBUS_SESSION_BUS_ADDRESS");
  return bus != nullptr && *bus != 0 && find_program(kTool).has_value();
}

Result<Secret> Keyring::look_up(const std::string& label) {
  const auto ran = run({.argv = words("lookup", label)}, kUserUnlocks);
  if (!ran) return unreachable(ran.error().what());
  if (ran->exit.code != 0 || ran->out.empty())
    return unreachable(ran->err.empty() ? "it does not have the entry" : ran->err);
  return Secret::copy_of(ran->out);
}

Result<> Keyring::keep(const std::string& label, const Secret& value) {
  TRY_ASSIGN(Pipe pipe, make_pipe());
  TRY(write_all(pipe.write, value.view()));  // a key is far smaller than a pipe
  pipe.write.reset();
  const auto ran = run({.argv = words("store", label), .stdin_fd = pipe.read.get()}, kUserUnlocks);
  if (!ran) return unreachable(ran.error().what());
  if (ran->exit.code != 0) return unreachable(ran->err);
  return Ok{};
}

}  // namespace sbx::secrets
