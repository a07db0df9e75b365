// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/network.h"

namespace sbx::wire {

std::string text(const PublishedPort& port) {
  const bool is_v6 = port.host_ip.find(':') != std::string::npos;
  return (is_v6 ? "[" + port.host_ip + "]" : port.host_ip) + ":" +
         (port.host_port == 0 ? "any" : std::to_string(port.host_port)) + "->" + std::to_string(port.port) + "/tcp";
}

void describe(Members& members, Connect& connect) {
  members.sparse("host", connect.host);
  members.sparse("port", connect.port);
  members.sparse("ssh_agent", connect.ssh_agent);
  members.sparse("mcp", connect.mcp);
  const bool is_offered = connect.ssh_agent || !connect.mcp.empty();  // by the host, and has no address
  members.check((connect.port != 0) != is_offered, "\"port\" is not a port");
  members.check(connect.host.empty() == is_offered, "\"host\" is not a host");
  members.check(!connect.ssh_agent || connect.mcp.empty(), "\"ssh_agent\" and \"mcp\" are two");
}

void describe(Members& members, Accept& accept) {
  members.sparse("port", accept.port);
  members.sparse("docker", accept.docker);
  members.check((accept.port != 0) != accept.docker, "\"port\" is not a port");
}

void describe(Members& members, PublishedPort& port) {
  members.required("host_ip", port.host_ip);
  members.required("host_port", port.host_port);
  members.required("port", port.port);
  members.check(port.port != 0, "\"port\" is not a port");
}

void describe(Members& members, StaticHost& host) {
  members.required("name", host.name);
  members.required("address", host.address);
}

void describe(Members& members, PortList& list) { members.optional("ports", list.ports); }

void describe(Members& members, PortsChange& change) {
  members.optional("publish", change.publish);
  members.optional("unpublish", change.unpublish);
}

void describe(Members& members, HostList& list) {
  members.required("hosts", list.hosts);
  members.check(!list.hosts.empty(), "\"hosts\" is empty");
}

}  // namespace sbx::wire
