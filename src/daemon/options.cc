// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "daemon/options.h"

#include <array>
#include <functional>
#include <string_view>

#include "base/text.h"

namespace sbx::daemon {
namespace {

struct Flag {
  std::string_view name;
  std::string_view value;  // empty: it takes none
  std::string_view help;
  Result<> (*apply)(Options& options, const std::string& value);
};

Result<> set_home(Options& options, const std::string& value) {
  if (!value.starts_with('/')) return fail(Code::kInvalid, "--home: it must be an absolute path");
  options.home = value;
  return Ok{};
}

Result<> set_ready_fd(Options& options, const std::string& value) {
  const auto number = parse_integer(value);
  if (!number || *number < 0 || *number > 65535) return fail(Code::kInvalid, "--ready-fd: not a descriptor");
  options.ready_fd = static_cast<int>(*number);
  return Ok{};
}

template <bool Options::*member>
Result<> turn_on(Options& options, const std::string&) {
  options.*member = true;
  return Ok{};
}

constexpr std::array kFlags{
    Flag{"--home", "DIR", "where state lives (default: $SANDBOXES_HOME or ~/.docker/sandboxes)", set_home},
    Flag{"--ready-fd", "N", "write a newline to this descriptor when serving", set_ready_fd},
    Flag{"-D", "", "log more", turn_on<&Options::debug>},
    Flag{"--debug", "", "the same", turn_on<&Options::debug>},
    Flag{"--version", "", "print the version", turn_on<&Options::show_version>},
    Flag{"--fault-points", "", "print the places where tests may end a process", turn_on<&Options::show_fault_points>},
    Flag{"--help", "", "print this", turn_on<&Options::show_help>},
};

const Flag* find(std::string_view name) {
  for (const Flag& flag : kFlags)
    if (flag.name == name) return &flag;
  return nullptr;
}

}  // namespace

Result<Options> parse_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto equals = arguments[i].starts_with("--") ? arguments[i].find('=') : std::string::npos;
    const Flag* flag = find(std::string_view(arguments[i]).substr(0, equals));
    const bool inline_value = equals != std::string::npos;
    if (flag == nullptr || (inline_value && flag->value.empty()))
      return fail(Code::kInvalid, "unknown option " + arguments[i], "sandboxd --help");
    std::string value = inline_value ? arguments[i].substr(equals + 1) : std::string();
    if (!flag->value.empty() && !inline_value) {
      if (++i == arguments.size()) return fail(Code::kInvalid, std::string(flag->name) + " needs a value");
      value = arguments[i];
    }
    TRY(flag->apply(options, value));
  }
  return options;
}

std::string usage() {
  std::string text = "Usage: sandboxd [OPTIONS]\n\nThe daemon behind `sandbox`. It is started on demand.\n\n";
  for (const Flag& flag : kFlags) {
    std::string left = "  " + std::string(flag.name) + " " + std::string(flag.value);
    left.resize(std::max<std::size_t>(left.size() + 1, 20), ' ');
    text += left + std::string(flag.help) + "\n";
  }
  return text;
}

}  // namespace sbx::daemon
