// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/backend_table.h"

#include <algorithm>

namespace sbx::sandboxes {

using Shared = std::shared_ptr<const backends::Backend>;

bool BackendTable::has(const std::string& name) const { return std::ranges::find(names_, name) != names_.end(); }

Result<Shared> BackendTable::any(const std::string& name) const {
  TRY_ASSIGN(auto made, factory_(name, {}));
  return Shared(std::move(made));
}

// Making one costs nothing, and tells which one "" is just now.
Result<Shared> BackendTable::available(const std::string& name, const backends::Settings& settings) {
  TRY_ASSIGN(auto made, factory_(name, settings));
  const Key key{std::string(made->name()), settings.kernel, settings.modules};
  const MutexLock lock(mutex_);
  if (const auto known = available_.find(key); known != available_.end()) return known->second;
  TRY_WITHIN("backend " + key.name, made->available());
  return available_[key] = Shared(std::move(made));
}

}  // namespace sbx::sandboxes
