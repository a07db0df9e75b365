// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "base/mutex.h"
#include "base/result.h"

namespace sbx::sandboxes {

// The backends that have been asked for, each made once and found available once: probing a runtime costs more than a
// start should. A failure is not remembered, because the user may install what is missing.
class BackendTable {
 public:
  using Factory =
      std::function<Result<std::unique_ptr<backends::Backend>>(std::string_view name, const backends::Settings&)>;

  // `names`: of all that the factory makes.
  BackendTable(Factory factory, std::vector<std::string> names)
      : factory_(std::move(factory)), names_(std::move(names)) {}

  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const;

  // "" is the host's best.
  Result<std::shared_ptr<const backends::Backend>> available(const std::string& name,
                                                             const backends::Settings& settings);
  // Also one that this host cannot run any more: for cleaning up.
  Result<std::shared_ptr<const backends::Backend>> any(const std::string& name) const;

 private:
  struct Key {
    std::string name, kernel, modules;
    auto operator<=>(const Key&) const = default;
  };

  const Factory factory_;
  const std::vector<std::string> names_;
  Mutex mutex_;
  std::map<Key, std::shared_ptr<const backends::Backend>> available_ SBX_GUARDED_BY(mutex_);
};

}  // namespace sbx::sandboxes
