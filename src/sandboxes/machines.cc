// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/machines.h"

#include <algorithm>

#include "base/file.h"
#include "base/value.h"
#include "sandboxes/mounts.h"
#include "sandboxes/shim_lock.h"

namespace sbx::sandboxes {

backends::MachineSpec Machines::spec_of(const store::Record& record, const backends::Settings& settings) const {
  const Home& home = parts_.store.home();
  backends::MachineSpec spec;
  spec.id = record.id;
  spec.name = record.name;
  spec.hostname = record.hostname;
  spec.backend = record.backend;
  spec.state_directory = home.machine(record.name);
  spec.template_image = home.template_image(record.base.digest);
  for (const std::string& layer : record.base.layers) spec.template_layers.push_back(home.layer(layer));
  spec.cache_directory = home.cache();
  spec.init_program = parts_.init_program;
  spec.mounts = all_mounts(record.workspaces, record.mounts);
  spec.hidden = {HostPlaces::find(home.root()).state};
  spec.limits = record.limits;
  spec.features.docker = wire::has_docker(record.docker);
  spec.settings = settings;
  spec.id_base = record.id_base;
  spec.agent = {record.agent_uid, record.agent_gid};
  return spec;
}

Result<backends::MachineSpec> Machines::last(const std::string& name) const {
  const StateDirectory directory = directory_of(name);
  TRY_ASSIGN(const std::string text, read_file(directory.machine_file()));
  TRY_ASSIGN(auto spec, value_in<backends::MachineSpec>(text, "machine", Unknown::kIgnored));
  if (spec.state_directory != directory.path() || spec.name != name || !backends_.has(spec.backend))
    return fail(Code::kInvalid, directory.machine_file() + " is about another machine");
  return spec;
}

bool Machines::is_anothers(const std::string& id, const std::string& name) const {
  const auto names = parts_.store.names();
  return !names || std::ranges::any_of(*names, [&](const std::string& other) {
    if (other == name) return false;
    const auto record = parts_.store.load(other);
    const auto machine = last(other);
    return (record && record->id == id) || (machine && machine->id == id);
  });
}

// SECURITY: what is cleaned up is this sandbox's, whatever the file says: its id is the record's or, where there is no
// record to tell, one that belongs to no other sandbox. A garbled file is replaced by what the record says.
backends::MachineSpec Machines::leftover(const store::Record& record) const {
  auto spec = last(record.name);
  if (!spec) return spec_of(record);
  if (!record.id.empty()) return spec->id == record.id ? std::move(*spec) : spec_of(record);
  if (is_anothers(spec->id, record.name)) spec->id.clear();
  return std::move(*spec);
}

// machine.json goes when all else has gone.
Result<> Machines::clean_up_held(const Sandbox& sandbox) const {
  const StateDirectory& directory = sandbox.directory();
  if (!exists(directory.machine_file())) return Ok{};
  TRY_ASSIGN(const auto stray, living_shim(directory.path()));
  if (stray) {
    if (!stray->kill_and_wait()) return fail(Code::kTimeout, "a shim in " + directory.path() + " cannot be killed");
    (void)stray->reap();
  }
  const backends::MachineSpec spec = leftover(sandbox.record());
  TRY_ASSIGN(const auto backend, backends_.any(spec.backend));
  TRY_WITHIN("clean up " + sandbox.name(), backend->clean_up(spec));
  TRY(remove_file(directory.shim_socket()));
  TRY(remove_file(directory.gate_socket()));
  return remove_file(directory.machine_file());
}

}  // namespace sbx::sandboxes
