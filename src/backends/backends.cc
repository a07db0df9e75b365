// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "backends/backend.h"
#include "backends/kvm.h"
#include "backends/oci/container.h"
#include "backends/qemu/microvm.h"
#include "base/text.h"

namespace sbx::backends {
namespace {

bool always() { return true; }
bool never() { return false; }

struct BackendRow {
  std::string_view name;
  bool (*is_default)();  // on this host, unless one before it is
  std::unique_ptr<Backend> (*make)(const Settings& settings);
};

// Best first.
constexpr std::array kTable{
    BackendRow{"microvm", hardware_kvm, [](const Settings& settings) { return qemu::make_microvm(settings); }},
    BackendRow{"container", always,
               [](const Settings&) {
                 return oci::make_container("container", {"runc", "crun"});
               }},
    BackendRow{"runc", never, [](const Settings&) { return oci::make_container("runc", {"runc"}); }},
    BackendRow{"crun", never, [](const Settings&) { return oci::make_container("crun", {"crun"}); }},
    BackendRow{"gvisor", never, [](const Settings&) { return oci::make_container("gvisor", {"runsc"}); }},
};

}  // namespace

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const BackendRow& entry : kTable) names.emplace_back(entry.name);
  return names;
}

Result<std::unique_ptr<Backend>> make_backend(std::string_view name, const Settings& settings) {
  for (const BackendRow& entry : kTable)
    if (name.empty() ? entry.is_default() : entry.name == name) return entry.make(settings);
  return fail(Code::kInvalid,
              "no backend \"" + std::string(name) + "\" (there are: " + join(backend_names(), ", ") + ")");
}

}  // namespace sbx::backends
