// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/catalog.h"

#include <algorithm>

namespace sbx::sandboxes {
namespace {

wire::TemplateConfig config_of(const images::RunConfig& config) {
  return {config.user, config.directory, config.entrypoint, config.command, config.environment, config.labels};
}

wire::TemplateDetails details_of(const images::TemplateInfo& info, const images::InUse& used) {
  wire::TemplateDetails details{.digest = info.digest,
                                .names = info.names,
                                .source = info.source,
                                .added_at = info.added_at,
                                .created_at = info.created,
                                .architecture = info.architecture,
                                .bytes = info.bytes,
                                .layers = {},
                                .config = config_of(info.config),
                                .used_by = {}};
  for (std::size_t i = 0; i < info.layers.size(); ++i) details.layers.push_back({info.layers[i], info.layer_bytes[i]});
  if (const auto users = used.images.find(info.digest); users != used.images.end()) details.used_by = users->second;
  return details;
}

wire::TemplatesRemoved removed_of(images::Removed removed) {
  return {std::move(removed.names), std::move(removed.digests), removed.bytes};
}

}  // namespace

images::InUse Catalog::in_use() const {
  images::InUse used;
  for (const auto& sandbox : registry_.all()) {
    const store::Record record = sandbox->record();
    for (const store::TemplateRef& base : {record.base, record.successor.value_or(store::TemplateRef{})}) {
      if (base.digest.empty()) continue;  // it is being made, and holds the template itself
      used.images[base.digest].push_back(sandbox->name());
      used.layers.insert(base.layers.begin(), base.layers.end());
    }
  }
  for (auto& [digest, users] : used.images) std::ranges::sort(users);
  return used;
}

Result<images::InUse> Catalog::all_in_use() const {
  for (const auto& sandbox : registry_.all())
    if (std::holds_alternative<Failed>(sandbox->state()) && sandbox->record().base.digest.empty())
      return fail(Code::kConflict,
                  "sandbox " + sandbox->name() + " has failed, and it is not known which template it uses",
                  "sandbox rm " + sandbox->name());
  return in_use();
}

std::vector<wire::TemplateDetails> Catalog::list() const {
  std::vector<wire::TemplateDetails> found;
  const images::InUse used = in_use();
  for (const images::TemplateInfo& info : parts_.template_store->list()) found.push_back(details_of(info, used));
  std::ranges::sort(found, {}, &wire::TemplateDetails::names);
  return found;
}

Result<wire::TemplateDetails> Catalog::details(const std::string& name) const {
  TRY_ASSIGN(const images::TemplateInfo info, parts_.template_store->find(name));
  return details_of(info, in_use());
}

// Steps name no layers; those that made one are as many as there are layers, and in the same order.
Result<wire::TemplateHistory> Catalog::history(const std::string& name) const {
  TRY_ASSIGN(const images::TemplateInfo info, parts_.template_store->find(name));
  wire::TemplateHistory history;
  std::size_t layer = 0;
  for (const images::HistoryStep& step : info.history) {
    wire::TemplateStep shown{step.created, step.created_by, step.comment, "", 0};
    if (!step.empty_layer && layer < info.layers.size()) {
      shown.layer = info.layers[layer];
      shown.bytes = info.layer_bytes[layer++];
    }
    history.steps.push_back(std::move(shown));
  }
  for (; layer < info.layers.size(); ++layer)  // of an image without a history
    history.steps.push_back({"", "", "", info.layers[layer], info.layer_bytes[layer]});
  std::ranges::reverse(history.steps);
  return history;
}

Result<wire::TemplateDetails> Catalog::pull(const wire::TemplatePull& request, const images::Progress& progress) {
  TRY_ASSIGN(std::string architecture, images::architecture_of(request.platform));
  TRY_ASSIGN(const images::Template pulled,
             parts_.templates({request.name, wire::Pull::kAlways, std::move(architecture), request.from}, progress));
  return details(pulled.digest);
}

Result<wire::TemplatesLoaded> Catalog::load(const images::Incoming& archive, const std::string& tag,
                                            const images::Progress& progress) {
  TRY_ASSIGN(const auto images, parts_.template_store->load(archive, tag, progress));
  wire::TemplatesLoaded loaded;
  for (const images::Loaded& image : images) {
    loaded.names.insert(loaded.names.end(), image.names.begin(), image.names.end());
    TRY_ASSIGN(auto one, details(image.image));
    loaded.templates.push_back(std::move(one));
  }
  return loaded;
}

Result<wire::TemplateDetails> Catalog::tag(const wire::TemplateTag& request) {
  TRY(parts_.template_store->tag(request.name, request.tag));
  return details(request.tag);
}

Result<wire::TemplatesRemoved> Catalog::remove(const std::string& name) {
  TRY_ASSIGN(auto removed, parts_.template_store->remove(name, [this] { return all_in_use(); }));
  return removed_of(std::move(removed));
}

Result<wire::TemplatesRemoved> Catalog::prune(const wire::TemplatePrune& request) {
  TRY_ASSIGN(auto removed, parts_.template_store->prune([this] { return all_in_use(); }, request.all));
  return removed_of(std::move(removed));
}

}  // namespace sbx::sandboxes
