// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The templates that are here: what there is, under which names, and what can go.
#include <algorithm>
#include <mutex>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "images/templates.h"

namespace sbx::images {
namespace {

constexpr std::size_t kShortestDigits = 4;

// What a digest that was written out or cut short begins with. The tag of "box:1234" is none.
std::string_view digits_of(std::string_view name) {
  constexpr std::string_view kAlgorithm = "sha256:";
  if (name.starts_with(kAlgorithm)) name.remove_prefix(kAlgorithm.size());
  return name;
}

}  // namespace

Result<std::unique_lock<std::mutex>> Templates::exclude_makers() {
  std::unique_lock lock(collecting_);
  if (in_hand_.use_count() > 1)
    return fail(Code::kConflict, "a template is being made or used right now", "try again when that is done");
  return lock;
}

std::string Templates::shown(const Name& name) const {
  const auto reference = parse_reference(name.name);
  return name.name.find('/') == std::string::npos || !reference ? name.name : reference->shown();
}

std::vector<TemplateInfo> Templates::list() const {
  std::vector<TemplateInfo> found;
  const std::vector<Name> names = images_.names();
  for (const std::string& digest : images_.list()) {
    const auto config = images_.get(digest);
    if (!config) continue;
    TemplateInfo info;
    info.digest = digest;
    info.created = config->created;
    info.architecture = config->architecture;
    info.layers = config->rootfs.diff_ids;
    info.config = config->config;
    info.history = config->history;
    for (const Name& name : names) {
      if (name.image != digest) continue;
      info.names.push_back(shown(name));
      info.source = name.source;
      info.added_at = name.added_at;
    }
    for (const std::string& layer : info.layers) {
      const auto details = layers_.details(layer);
      info.layer_bytes.push_back(details ? details->bytes : 0);
      info.bytes += info.layer_bytes.back();
    }
    found.push_back(std::move(info));
  }
  return found;
}

Result<Templates::Match> Templates::match(const std::string& name) const {
  const auto reference = parse_reference(name);
  const std::string_view digits = digits_of(name);
  std::vector<TemplateInfo> same;
  for (TemplateInfo& info : list()) {
    const bool named = std::ranges::any_of(
        info.names, [&](const std::string& one) { return one == name || (reference && one == reference->shown()); });
    if (named) return Match{std::move(info), false};
    if (digits.size() >= kShortestDigits && hex_of(info.digest).starts_with(digits)) same.push_back(std::move(info));
  }
  if (same.size() > 1) return fail(Code::kConflict, "several templates begin with " + name, "sandbox template ls");
  if (same.empty()) return fail(Code::kNotFound, "no template " + printable(name), "sandbox template ls");
  return Match{std::move(same.front()), true};
}

Result<TemplateInfo> Templates::find(const std::string& name) const {
  TRY_ASSIGN(Match found, match(name));
  return std::move(found.info);
}

Result<> Templates::tag(const std::string& name, const std::string& tag) {
  const auto held = hold();
  TRY_ASSIGN(const TemplateInfo info, find(name));
  TRY_ASSIGN(const Reference reference, parse_reference(tag));
  if (!reference.digest.empty()) return fail(Code::kInvalid, "a tag has no digest: " + printable(tag));
  return images_.set_name({reference.whole(), info.digest, info.source, rfc3339(std::chrono::system_clock::now())});
}

Result<Removed> Templates::remove(const std::string& name, const Uses& uses) {
  TRY_ASSIGN(const auto alone, exclude_makers());
  TRY_ASSIGN(const Match found, match(name));
  const auto& [info, by_digest] = found;
  TRY_ASSIGN(const InUse used, uses());
  if (const auto users = used.images.find(info.digest);
      users != used.images.end() && (by_digest || info.names.size() <= 1))
    return fail(Code::kConflict, "template " + printable(name) + " is used by " + join(users->second, ", "),
                "sandbox rm " + join(users->second, " "));
  const auto reference = parse_reference(name);
  Removed removed;
  for (const Name& one : images_.names()) {
    if (one.image != info.digest) continue;
    if (!by_digest && one.name != name && !(reference && one.name == reference->whole())) continue;
    TRY(images_.remove_name(one.name));
    removed.names.push_back(shown(one));
  }
  return collect(used, std::move(removed));
}

Result<Removed> Templates::prune(const Uses& uses, bool all) {
  TRY_ASSIGN(const auto alone, exclude_makers());
  TRY_ASSIGN(const InUse used, uses());
  Removed removed;
  for (const Name& name : images_.names()) {
    if (!all || used.images.contains(name.image)) continue;
    TRY(images_.remove_name(name.name));
    removed.names.push_back(shown(name));
  }
  return collect(used, std::move(removed));
}

// Images first and then layers, so that a kill in between leaves no image without its layers.
Result<Removed> Templates::collect(const InUse& used, Removed removed) {
  std::set<std::string> images;
  for (const auto& [digest, users] : used.images) images.insert(digest);
  for (const Name& name : images_.names()) images.insert(name.image);
  std::set<std::string> layers = used.layers;
  for (const std::string& digest : images_.list()) {
    const auto config = images_.get(digest);
    if (images.contains(digest) && config) {
      layers.insert(config->rootfs.diff_ids.begin(), config->rootfs.diff_ids.end());
      continue;
    }
    TRY(images_.remove(digest));
    TRY(remove_file(directory_ + "/erofs/" + hex_of(digest) + ".erofs"));
    removed.digests.push_back(digest);
  }
  for (const std::string& layer : layers_.list()) {
    if (layers.contains(layer)) continue;
    if (const auto details = layers_.details(layer)) removed.bytes += details->bytes;
    TRY(layers_.remove(layer));
  }
  return removed;
}

}  // namespace sbx::images
