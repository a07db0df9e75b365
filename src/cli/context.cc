// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/context.h"

#include <algorithm>
#include <vector>

#include "cli/commands.h"
#include "cli/views/output.h"

namespace sbx::cli {

std::string Context::as_typed(const std::string& text) const {
  constexpr std::string_view kOurs = "sandbox ";
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-_/.";
  if (program == "sandbox") return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.find(kOurs, at), text.size());
    out += text.substr(at, found - at);
    if (found == text.size()) break;
    const std::size_t next = found + kOurs.size();
    const std::vector<std::string> word{text.substr(next, text.find_first_not_of(kLetters, next) - next)};
    std::size_t used = 0;
    const bool begins_word = found == 0 || kLetters.find(text[found - 1]) == std::string_view::npos;
    const bool is_typed = std::string_view(text).substr(0, found).ends_with("docker ");
    out += begins_word && !is_typed && find_command(word, used) != nullptr ? program + " " : std::string(kOurs);
    at = next;
  }
  return out;
}

void Context::print_error(const Error& error) const {
  cli::print_error(Error(error).with_hint(as_typed(error.hint())), streams.err);
}

Result<std::string> Context::socket_path() const {
  if (!socket.empty()) return socket;
  TRY_ASSIGN(const Home home, Home::find());
  return home.socket();
}

Result<Client> Context::client() const {
  if (!socket.empty()) return Client(socket, std::nullopt);
  TRY_ASSIGN(Home home, Home::find());
  return Client(home.socket(), home);
}

Result<Client> Context::client_of_running_daemon() const {
  TRY_ASSIGN(std::string path, socket_path());
  return Client(std::move(path), std::nullopt);
}

}  // namespace sbx::cli
