// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "images/templates.h"
#include "sandboxes/parts.h"
#include "sandboxes/registry.h"
#include "wire/template.h"

namespace sbx::sandboxes {

// The templates as their users see them: with names, sizes, and the sandboxes that stand on them, which is what keeps
// one from being removed.
class Catalog {
 public:
  Catalog(const Parts& parts, const Registry& registry) : parts_(parts), registry_(registry) {}

  std::vector<wire::TemplateDetails> list() const;
  // By a name, a digest or the first digits of one.
  Result<wire::TemplateDetails> details(const std::string& name) const;
  Result<wire::TemplateHistory> history(const std::string& name) const;

  // From where the request says, also if one of that name is here.
  Result<wire::TemplateDetails> pull(const wire::TemplatePull& request, const images::Progress& progress);
  // What comes in pieces, and then the templates that were in it.
  Result<images::Incoming> receive() const { return parts_.template_store->receive(); }
  Result<images::Incoming> take(const Fd& file) const { return parts_.template_store->take(file); }
  Result<wire::TemplatesLoaded> load(const images::Incoming& archive, const std::string& tag,
                                     const images::Progress& progress);
  Result<wire::TemplateDetails> tag(const wire::TemplateTag& request);
  // kConflict names the sandboxes that use it.
  Result<wire::TemplatesRemoved> remove(const std::string& name);
  Result<wire::TemplatesRemoved> prune(const wire::TemplatePrune& request);
  // Which sandboxes use which templates, and which layers with them, now or after their next start.
  images::InUse in_use() const;

 private:
  // kConflict if there is a sandbox whose record does not say what it stands on.
  Result<images::InUse> all_in_use() const;

  const Parts& parts_;
  const Registry& registry_;
};

}  // namespace sbx::sandboxes
