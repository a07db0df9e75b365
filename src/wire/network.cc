// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/network.h"

namespace sbx::wire {
namespace {

std::uint16_t port_of(Fields& fields, const char* name, std::int64_t least) {
  const std::int64_t port = fields.integer(name, -1);
  if (port < least || port > 65535) fields.reject("\"" + std::string(name) + "\" is not a port");
  return static_cast<std::uint16_t>(port);
}

template <class T>
std::vector<T> decode_list(Fields& fields, const char* name, Result<T> (*decode)(const Json&)) {
  std::vector<T> values;
  for (const Json* item : fields.list(name)) {
    auto value = decode(*item);
    if (value)
      values.push_back(std::move(*value));
    else
      fields.reject(value.error().what());
  }
  return values;
}

template <class T>
Json encode_list(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(encode(value));
  return list;
}

}  // namespace

std::string text(const PublishedPort& port) {
  const bool is_v6 = port.host_ip.find(':') != std::string::npos;
  return (is_v6 ? "[" + port.host_ip + "]" : port.host_ip) + ":" +
         (port.host_port == 0 ? "any" : std::to_string(port.host_port)) + "->" + std::to_string(port.port) + "/tcp";
}

Result<Connect> decode_connect(const Json& json) {
  Fields fields(json, "connect");
  Connect connect{fields.text("host"), port_of(fields, "port", 1)};
  TRY(fields.finish());
  return connect;
}

Json encode(const Connect& connect) { return {{"host", connect.host}, {"port", connect.port}}; }

Result<Accept> decode_accept(const Json& json) {
  Fields fields(json, "accept");
  const Accept accept{port_of(fields, "port", 1)};
  TRY(fields.finish());
  return accept;
}

Json encode(const Accept& accept) { return {{"port", accept.port}}; }

Result<PublishedPort> decode_published_port(const Json& json) {
  Fields fields(json, "published port");
  PublishedPort port{fields.text("host_ip"), port_of(fields, "host_port", 0), port_of(fields, "port", 1)};
  TRY(fields.finish());
  return port;
}

Json encode(const PublishedPort& port) {
  return {{"host_ip", port.host_ip}, {"host_port", port.host_port}, {"port", port.port}};
}

Result<StaticHost> decode_static_host(const Json& json) {
  Fields fields(json, "static host");
  StaticHost host{fields.text("name"), fields.text("address")};
  TRY(fields.finish());
  return host;
}

Json encode(const StaticHost& host) { return {{"name", host.name}, {"address", host.address}}; }

std::vector<PublishedPort> decode_ports(Fields& fields, const char* name) {
  return decode_list(fields, name, decode_published_port);
}
std::vector<StaticHost> decode_hosts(Fields& fields, const char* name) {
  return decode_list(fields, name, decode_static_host);
}
Json encode_ports(const std::vector<PublishedPort>& ports) { return encode_list(ports); }
Json encode_hosts(const std::vector<StaticHost>& hosts) { return encode_list(hosts); }

Result<NetworkConfig> decode_network_config(const Json& json) {
  Fields fields(json, "network configuration");
  NetworkConfig config;
  const Json* rules = fields.value("rules");
  if (rules == nullptr) fields.reject("\"rules\" is missing");
  config.hosts = decode_hosts(fields, "hosts");
  config.ports = decode_ports(fields, "ports");
  config.ca_certificate = fields.text("ca_certificate");
  TRY(fields.finish());
  config.rules = *rules;
  return config;
}

Json encode(const NetworkConfig& config) {
  return {{"rules", config.rules},
          {"hosts", encode_hosts(config.hosts)},
          {"ports", encode_ports(config.ports)},
          {"ca_certificate", config.ca_certificate}};
}

}  // namespace sbx::wire
