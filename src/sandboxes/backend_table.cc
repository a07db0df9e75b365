// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/backend_table.h"

namespace sbx::sandboxes {

using Shared = std::shared_ptr<const backends::Backend>;

Result<Shared> BackendTable::any(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  if (const auto known = available_.find(name); known != available_.end()) return known->second;
  TRY_ASSIGN(auto made, factory_(name));
  return Shared(std::move(made));
}

Result<Shared> BackendTable::available(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  if (const auto known = available_.find(name); known != available_.end()) return known->second;
  TRY_ASSIGN(auto made, factory_(name));
  TRY_WITHIN("backend " + std::string(made->name()), made->available());
  return available_[name] = Shared(std::move(made));
}

}  // namespace sbx::sandboxes
