// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/port_spec.h"

#include "base/format.h"
#include "base/text.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

struct Range {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
  std::size_t size() const { return std::size_t{last} - first + 1; }
};

std::optional<std::uint16_t> parse_port(std::string_view text) {
  const auto number = text.starts_with('+') ? std::nullopt : parse_integer(text);
  if (!number || *number < 0 || *number > 65535) return std::nullopt;
  return static_cast<std::uint16_t>(*number);
}

// N or N-M.
std::optional<Range> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = parse_port(text.substr(0, dash));
  const auto last = dash == text.npos ? first : parse_port(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return Range{*first, *last};
}

// The three parts, from the right.
struct Parts {
  std::optional<std::string> host_ip;
  std::optional<std::string> host_port;
  std::string port;
};

std::optional<std::string> take_last(std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  std::string last = text.substr(colon + 1);
  text.erase(colon);
  return last;
}

Parts split_parts(std::string text) {
  Parts parts;
  const auto last = take_last(text);
  if (!last) return {std::nullopt, std::nullopt, text};
  parts.port = *last;
  const auto middle = take_last(text);
  parts.host_port = middle ? *middle : text;
  if (middle) parts.host_ip = text;
  return parts;
}

// An address without its brackets; IPv6 has to have them.
std::optional<std::string> unbracketed(const std::string& text) {
  const bool has_brackets = text.size() > 2 && text.starts_with('[') && text.ends_with(']');
  if (has_brackets) return text.substr(1, text.size() - 2);
  if (text.empty() || text.find_first_of(":[]") != text.npos) return std::nullopt;
  return text;
}

class Reader {
 public:
  Reader(std::string_view flag, const std::string& text) : flag_(flag), text_(text) {}

  Result<std::vector<PortSpec>> read() const {
    std::string text = text_;
    TRY(take_protocol(text));
    const Parts parts = split_parts(text);
    const auto ports = parse_range(parts.port);
    if (!ports || ports->first == 0) return wrong("\"" + parts.port + "\" is not a port");
    std::optional<std::string> host_ip;
    if (parts.host_ip) host_ip = unbracketed(*parts.host_ip);
    if (parts.host_ip && !host_ip) return wrong("\"" + *parts.host_ip + "\" is not an address");
    TRY_ASSIGN(const Range host, host_range(parts, *ports));
    std::vector<PortSpec> specs;
    for (std::uint16_t i = 0; i < ports->size(); ++i) {
      PortSpec spec{host_ip, std::nullopt, static_cast<std::uint16_t>(ports->first + i)};
      if (host.first != 0) spec.host_port = static_cast<std::uint16_t>(host.first + i);
      specs.push_back(std::move(spec));
    }
    return specs;
  }

 private:
  Failure wrong(const std::string& why) const {
    return fail(Code::kInvalid, sbx::format("--{} {}: {}", flag_, printable(text_), printable(why)));
  }

  Result<> take_protocol(std::string& text) const {
    const auto slash = text.find('/');
    if (slash == text.npos) return Ok{};
    const std::string protocol = text.substr(slash + 1);
    text.erase(slash);
    if (protocol == "tcp") return Ok{};
    return wrong("only TCP can be published, not \"" + protocol + "\"");
  }

  // From 0: any free one.
  Result<Range> host_range(const Parts& parts, const Range& ports) const {
    if (!parts.host_port || parts.host_port->empty() || *parts.host_port == "0") return Range{};
    const auto host = parse_range(*parts.host_port);
    if (!host || host->first == 0) return wrong("\"" + *parts.host_port + "\" is not a port");
    if (host->size() != ports.size()) return wrong("the two ranges are not of the same length");
    return *host;
  }

  std::string_view flag_;
  const std::string& text_;
};

}  // namespace

wire::PublishedPort PortSpec::published() const {
  wire::PublishedPort out;
  if (host_ip) out.host_ip = *host_ip;
  out.host_port = host_port.value_or(0);
  out.port = port;
  return out;
}

bool PortSpec::matches(const wire::PublishedPort& other) const {
  return other.port == port && host_ip.value_or(other.host_ip) == other.host_ip &&
         host_port.value_or(other.host_port) == other.host_port;
}

Result<std::vector<PortSpec>> parse_ports(std::string_view flag, const std::string& text) {
  return Reader(flag, text).read();
}

Result<wire::StaticHost> parse_static_host(const std::string& text) {
  const auto cut = text.find_first_of(":=");
  const std::string name = text.substr(0, cut);
  std::string address = cut == text.npos ? "" : text.substr(cut + 1);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  if (name.empty() || address.empty())
    return fail(Code::kInvalid, sbx::format("--add-host {}: must be NAME:IP", printable(text)));
  return wire::StaticHost{name, address};
}

std::string ports_table(const std::vector<wire::PublishedPort>& ports) {
  std::vector<std::vector<std::string>> rows{{"HOST IP", "HOST PORT", "SANDBOX PORT", "PROTOCOL"}};
  for (const auto& port : ports)
    rows.push_back(
        {port.host_ip, port.host_port == 0 ? "any" : std::to_string(port.host_port), std::to_string(port.port), "tcp"});
  return columns(rows);
}

Json ports_json(const std::vector<wire::PublishedPort>& ports) {
  Json list = Json::array();
  for (const auto& port : ports)
    list.push_back(
        {{"host_ip", port.host_ip}, {"host_port", port.host_port}, {"sandbox_port", port.port}, {"protocol", "tcp"}});
  return list;
}

}  // namespace sbx::cli
