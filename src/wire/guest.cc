// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/guest.h"

namespace sbx::wire {
namespace {

Result<GuestNetwork> decode_guest_network(const Json& json) {
  Fields fields(json, "guest network");
  GuestNetwork network{fields.text("ca_certificate", ""), fields.text("ca_hash", "")};
  TRY(fields.finish());
  return network;
}

Json encode(const GuestNetwork& network) {
  return {{"ca_certificate", network.ca_certificate}, {"ca_hash", network.ca_hash}};
}

}  // namespace

Result<GuestHello> decode_guest_hello(const Json& json) {
  Fields fields(json, "hello");
  GuestHello hello{fields.text("version"), fields.integer("uptime_us", 0)};
  TRY(fields.finish());
  return hello;
}

Json encode(const GuestHello& hello) { return {{"version", hello.version}, {"uptime_us", hello.uptime_us}}; }

Result<GuestConfig> decode_guest_config(const Json& json) {
  Fields fields(json, "guest configuration");
  GuestConfig config;
  config.id = fields.text("id");
  config.name = fields.text("name");
  config.hostname = fields.text("hostname");
  config.workspace = fields.text("workspace", "");
  config.environment = fields.pairs("environment");
  config.clock_us = fields.integer("clock_us", 0);
  config.max_processes = fields.integer("max_processes", 0);
  config.max_shared_files = fields.integer("max_shared_files", 0);
  config.seed = fields.text("seed", "");
  for (const Json* item : fields.list("mounts")) {
    Fields mount(*item, "guest mount");
    config.mounts.push_back({mount.text("tag"), mount.text("target"), mount.boolean("readonly", false)});
    TRY(mount.finish());
  }
  if (const Json* network = fields.value("network")) {
    TRY_ASSIGN(config.network, decode_guest_network(*network));
  }
  TRY(fields.finish());
  return config;
}

Json encode(const GuestConfig& config) {
  Json environment = Json::object();
  for (const auto& [key, value] : config.environment) environment[key] = value;
  Json mounts = Json::array();
  for (const auto& mount : config.mounts)
    mounts.push_back({{"tag", mount.tag}, {"target", mount.target}, {"readonly", mount.readonly}});
  Json json{{"id", config.id},
            {"name", config.name},
            {"hostname", config.hostname},
            {"workspace", config.workspace},
            {"environment", environment},
            {"mounts", mounts},
            {"clock_us", config.clock_us},
            {"max_processes", config.max_processes},
            {"max_shared_files", config.max_shared_files},
            {"seed", config.seed}};
  if (config.network) json["network"] = encode(*config.network);
  return json;
}

Result<GuestReady> decode_guest_ready(const Json& json) {
  Fields fields(json, "ready");
  GuestReady ready;
  if (const Json* timings = fields.value("timings")) {
    if (!timings->is_object()) fields.reject("\"timings\" must be an object");
    for (const auto& [step, value] : timings->items())
      if (!value.is_number_integer()) fields.reject("\"timings\" must hold whole numbers");
    ready.timings = *timings;
  }
  TRY(fields.finish());
  return ready;
}

Json encode(const GuestReady& ready) { return {{"timings", ready.timings}}; }

}  // namespace sbx::wire
