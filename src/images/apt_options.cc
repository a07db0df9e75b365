// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/apt_options.h"

#include <array>

#include "base/child.h"
#include "base/text.h"

namespace sbx::images {
namespace {

struct Carried {
  std::string_view prefix;
  bool to_guest;
};

// The first row that fits decides. What names a program, a file or a key of the host stays on the host.
constexpr std::array<Carried, 12> kCarried = {{
    {"Acquire::http::Proxy-Auto-Detect", false},
    {"Acquire::https::Proxy-Auto-Detect", false},
    {"Acquire::http::ProxyAutoDetect", false},
    {"Acquire::https::ProxyAutoDetect", false},
    {"Acquire::http::Proxy", true},
    {"Acquire::https::Proxy", true},
    {"Acquire::http::", false},
    {"Acquire::https::", false},
    {"Acquire::Retries", true},
    {"Acquire::ForceIPv", true},
    {"Acquire::Check-Valid-Until", true},
    {"Acquire::Max-FutureTime", true},
}};

constexpr std::array<std::string_view, 4> kLoopback = {"://127.", "://localhost", "://[::1]", "://0.0.0.0"};

const Carried* row_for(std::string_view setting) {
  for (const Carried& row : kCarried)
    if (setting.starts_with(row.prefix)) return &row;
  return nullptr;
}

// SECURITY: a proxy address with a password in it is a credential, and none ever enters a sandbox.
bool means_the_same_in_a_guest(std::string_view setting) {
  for (const std::string_view loopback : kLoopback)
    if (setting.find(loopback) != std::string_view::npos) return false;
  return setting.find('@') == std::string_view::npos;
}

}  // namespace

AptOptions select_options(std::string_view dump) {
  AptOptions options;
  for (const std::string& line : split(dump, '\n')) {
    std::string_view setting = trimmed(line);
    if (!setting.ends_with(';')) continue;
    setting.remove_suffix(1);
    const Carried* row = row_for(setting);
    if (row == nullptr || setting.ends_with("\"\"")) continue;
    options.build.emplace_back(setting);
    if (row->to_guest && means_the_same_in_a_guest(setting)) options.guest.emplace_back(setting);
  }
  return options;
}

Result<AptOptions> host_options() {
  Command command;
  command.argv = {"apt-config", "dump", "Acquire"};
  TRY_ASSIGN(const RunOutput output, run(command));
  if (output.exit.code != 0)
    return fail(Code::kUnavailable, "read the apt configuration: " + printable(trimmed(output.err)), "apt-config dump");
  return select_options(output.out);
}

}  // namespace sbx::images
