// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/templates.h"

#include <fcntl.h>

#include <algorithm>
#include <mutex>

#include "base/clock.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/text.h"
#include "images/build.h"
#include "images/old_layout.h"
#include "images/pull.h"
#include "images/scratch.h"

// How a build becomes a template, so that a kill at any point leaves it undone or done: the layer is in its place when
// it is whole, then the image, which names it, then the name, which names that. What is there without a name is found
// again by a build of the same, or pruned.
namespace sbx::images {
namespace {

constexpr std::size_t kShortestDigits = 4;

// Held by the process that builds.
Result<Fd> lock_builds(const std::string& templates, const Progress& progress) {
  TRY_ASSIGN(Fd lock, open_path(templates + "/build.lock", O_RDWR | O_CREAT));
  TRY_ASSIGN(const bool held, try_lock_file(lock, templates));
  if (held) return lock;
  if (progress) progress("waiting for another build", 0, 0);
  TRY(lock_file(lock, templates));
  return lock;
}

ImageConfig config_for(const Recipe& recipe, const std::string& layer) {
  ImageConfig image;
  image.created = rfc3339(std::chrono::system_clock::now());
  image.architecture = architecture_here();
  image.config.environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"};
  image.config.user = "agent";
  image.config.command = {"bash", "-l"};
  image.rootfs.diff_ids = {layer};
  image.history = {{image.created, "mmdebstrap: recipe " + std::string(recipe.name), "", false}};
  return image;
}

std::string source_of(const std::string& key) { return "recipe " + key; }

// A registry that Docker, too, speaks to without TLS.
bool is_local(std::string_view registry) {
  const std::string_view host = registry.substr(0, registry.rfind(':'));
  return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

// A name that a template can be given.
Result<Reference> tag_of(const std::string& tag) {
  TRY_ASSIGN(Reference reference, parse_reference(tag));
  if (!reference.digest.empty()) return fail(Code::kInvalid, "a tag has no digest: " + printable(tag));
  if (find_recipe(tag))
    return fail(Code::kInvalid, "\"" + tag + "\" is a template of our own and cannot be given to another",
                "choose another name, such as my-" + tag);
  return reference;
}

}  // namespace

Templates::Templates(std::string directory, const std::string& layer_program)
    : directory_(std::move(directory)), layers_(directory_, layer_program), images_(directory_) {
  adopt_old_templates(directory_);
}

Result<> checked_tag(const std::string& tag) {
  TRY(tag_of(tag));
  return Ok{};
}

std::vector<std::string> Templates::names() {
  std::vector<std::string> out;
  for (const Recipe& recipe : recipes()) out.emplace_back(recipe.name);
  return out;
}

std::optional<Template> Templates::look_up(const std::string& name, const std::string& source) const {
  const auto found = images_.find_name(name);
  if (!found || found->source != source) return std::nullopt;
  return with_image(name, found->image);
}

Result<Template> Templates::build(const Recipe& recipe, const std::string& key, bool anew, const Progress& progress) {
  const std::string name(recipe.name);
  TRY(make_directories(directory_));
  TRY_ASSIGN(const Fd lock, lock_builds(directory_, progress));
  // Another process may have built it meanwhile.
  if (auto found = look_up(name, source_of(key)); found && !anew) return std::move(*found);
  TRY_ASSIGN(const auto scratch, Scratch::make(directory_));
  BuildLog log(progress);
  TRY_ASSIGN(const layers::Unpacked layer, build_layer(recipe, *scratch, layers_, log));
  TRY(fault_step("images.renamed"));
  TRY_ASSIGN(const std::string digest, images_.put(config_text(config_for(recipe, layer.diff_id))));
  TRY(images_.set_name({name, digest, source_of(key), rfc3339(std::chrono::system_clock::now())}));
  if (auto built = look_up(name, source_of(key))) return std::move(*built);
  return fail(Code::kInternal, "it is gone again");
}

std::optional<Template> Templates::with_image(const std::string& name, const std::string& digest) const {
  auto image = images_.get(digest);
  if (!image) return std::nullopt;
  for (const std::string& layer : image->rootfs.diff_ids)
    if (!layers_.has(layer)) return std::nullopt;
  return Template{name, digest, std::move(image->rootfs.diff_ids), std::move(image->config)};
}

Result<Template> Templates::get_recipe(const TemplateRequest& request, const Recipe& recipe, const Progress& progress) {
  TRY_ASSIGN(const Distribution distribution, host_distribution());
  const std::string key = key_of(recipe, distribution);
  const bool anew = request.pull == wire::Pull::kAlways;
  if (auto found = look_up(request.name, source_of(key)); found && !anew) return std::move(*found);
  if (request.pull == wire::Pull::kNever)
    return fail(Code::kNotFound, "template " + request.name + " has not been built, and pull is never",
                "leave out --pull never");
  auto built = work_.once(request.name, progress, [&](const Progress& all) { return build(recipe, key, anew, all); });
  if (!built) return fail(std::move(built).error().within("build template " + request.name));
  return built;
}

Result<Template> Templates::fetch(const TemplateRequest& request, const Reference& reference,
                                  const Progress& progress) {
  const std::string location =
      request.from_docker ? "docker-daemon:" + reference.shown() : "docker://" + reference.whole();
  TRY_ASSIGN(const Pulled pulled,
             pull({location, request.architecture, is_local(reference.registry)}, layers_, images_, progress));
  const std::string source = location + (reference.digest.empty() ? "@" + pulled.manifest : "");
  TRY(images_.set_name({reference.whole(), pulled.image, source, rfc3339(std::chrono::system_clock::now())}));
  if (auto found = with_image(reference.shown(), pulled.image)) return std::move(*found);
  return fail(Code::kInternal, "it is gone again");
}

Result<Template> Templates::get_image(const TemplateRequest& request, const Progress& progress) {
  if (is_digest(request.name)) {
    if (auto found = with_image(request.name, request.name)) return std::move(*found);
    return fail(Code::kNotFound, "no template " + request.name, "sandbox template ls");
  }
  TRY_ASSIGN(const Reference reference, parse_reference(request.name));
  const auto named = images_.find_name(reference.whole());
  if (named && request.pull != wire::Pull::kAlways)
    if (auto found = with_image(reference.shown(), named->image)) return std::move(*found);
  if (request.pull == wire::Pull::kNever)
    return fail(Code::kNotFound, "template " + reference.shown() + " is not here, and pull is never",
                "leave out --pull-template never");
  auto fetched = work_.once(reference.whole() + " " + request.architecture, progress,
                            [&](const Progress& all) { return fetch(request, reference, all); });
  if (fetched) return fetched;
  Error error = std::move(fetched).error().within("pull " + reference.shown());
  // The request was well meant; it is the image that is not.
  return fail(error.code() == Code::kInvalid ? std::move(error).as(Code::kForbidden) : std::move(error));
}

Result<Template> Templates::get(const TemplateRequest& request, const Progress& progress) {
  const auto held = hold();
  sweep(directory_);
  const auto recipe = find_recipe(request.name);
  auto found = recipe ? get_recipe(request, **recipe, progress) : get_image(request, progress);
  if (found) found->hold = held;
  return found;
}

std::shared_ptr<const void> Templates::hold() {
  const std::scoped_lock lock(collecting_);
  return in_hand_;
}

Result<std::unique_lock<std::mutex>> Templates::exclude_makers() {
  std::unique_lock lock(collecting_);
  if (in_hand_.use_count() > 1)
    return fail(Code::kConflict, "a template is being made or used right now", "try again when that is done");
  return lock;
}

std::vector<TemplateInfo> Templates::list() const {
  std::vector<TemplateInfo> found;
  const std::vector<Name> names = images_.names();
  for (const std::string& digest : images_.list()) {
    const auto config = images_.get(digest);
    if (!config) continue;
    TemplateInfo info{digest, {}, "", "", config->created, config->architecture, config->rootfs.diff_ids, 0};
    for (const Name& name : names) {
      if (name.image != digest) continue;
      const auto reference = parse_reference(name.name);
      info.names.push_back(find_recipe(name.name) || !reference ? name.name : reference->shown());
      info.source = name.source;
      info.added_at = name.added_at;
    }
    for (const std::string& layer : info.layers)
      if (const auto details = layers_.details(layer)) info.bytes += details->bytes;
    found.push_back(std::move(info));
  }
  return found;
}

Result<TemplateInfo> Templates::find(const std::string& name) const {
  const auto reference = parse_reference(name);
  const std::string hex = hex_of(name);
  std::vector<TemplateInfo> same;
  for (TemplateInfo& info : list()) {
    const bool named = std::ranges::any_of(
        info.names, [&](const std::string& one) { return one == name || (reference && one == reference->shown()); });
    if (named) return std::move(info);
    if (hex.size() >= kShortestDigits && hex_of(info.digest).starts_with(hex)) same.push_back(std::move(info));
  }
  if (same.size() > 1) return fail(Code::kConflict, "several templates begin with " + name, "sandbox template ls");
  if (same.empty()) return fail(Code::kNotFound, "no template " + printable(name), "sandbox template ls");
  return std::move(same.front());
}

Result<Template> Templates::extend(const std::string& digest, const std::optional<layers::Unpacked>& layer,
                                   const HistoryStep& step, const std::string& tag, const std::string& source) {
  const auto held = hold();
  TRY_ASSIGN(const Reference reference, tag_of(tag));
  TRY_ASSIGN(ImageConfig config, images_.get(digest));
  std::string image = digest;
  if (layer) {
    config.rootfs.diff_ids.push_back(layer->diff_id);
    config.history.push_back(step);
    config.created = step.created;
    TRY_ASSIGN(image, images_.put(config_text(config)));
  }
  TRY(fault_step("images.extended"));
  TRY(images_.set_name({reference.whole(), image, source, rfc3339(std::chrono::system_clock::now())}));
  auto made = with_image(reference.shown(), image);
  if (!made) return fail(Code::kInternal, "it is gone again");
  made->hold = held;
  return std::move(*made);
}

Result<Export> Templates::archive(const std::string& name) {
  auto held = hold();
  TRY_ASSIGN(const TemplateInfo info, find(name));
  TRY_ASSIGN(ImageConfig config, images_.get(info.digest));
  const auto reference = parse_reference(name);
  const bool by_digest = !reference || hex_of(info.digest).starts_with(hex_of(name));
  TRY_ASSIGN(Export made, Export::prepare(layers_, std::move(config), by_digest ? "" : reference->shown()));
  made.hold = std::move(held);
  return made;
}

Result<> Templates::tag(const std::string& name, const std::string& tag) {
  const auto held = hold();
  TRY_ASSIGN(const TemplateInfo info, find(name));
  TRY_ASSIGN(const Reference reference, tag_of(tag));
  return images_.set_name({reference.whole(), info.digest, info.source, rfc3339(std::chrono::system_clock::now())});
}

Result<std::int64_t> Templates::remove(const std::string& name, const InUse& used) {
  TRY_ASSIGN(const auto alone, exclude_makers());
  TRY_ASSIGN(const TemplateInfo info, find(name));
  const bool by_digest = hex_of(info.digest).starts_with(hex_of(name));
  if (used.images.contains(info.digest) && (by_digest || info.names.size() <= 1))
    return fail(Code::kConflict, "template " + printable(name) + " is used by a sandbox", "sandbox ls");
  const auto reference = parse_reference(name);
  for (const Name& one : images_.names()) {
    if (one.image != info.digest) continue;
    if (by_digest || one.name == name || (reference && one.name == reference->whole()))
      TRY(images_.remove_name(one.name));
  }
  return collect(used);
}

Result<std::int64_t> Templates::prune(const InUse& used, bool all) {
  TRY_ASSIGN(const auto alone, exclude_makers());
  for (const Name& name : images_.names())
    if (all && !used.images.contains(name.image)) TRY(images_.remove_name(name.name));
  return collect(used);
}

// Images first and then layers, so that a kill in between leaves no image without its layers.
Result<std::int64_t> Templates::collect(const InUse& used) {
  std::set<std::string> images = used.images;
  for (const Name& name : images_.names()) images.insert(name.image);
  std::set<std::string> layers = used.layers;
  for (const std::string& digest : images_.list()) {
    const auto config = images_.get(digest);
    if (!images.contains(digest) || !config) {
      TRY(images_.remove(digest));
      TRY(remove_file(directory_ + "/erofs/" + hex_of(digest) + ".erofs"));
      continue;
    }
    layers.insert(config->rootfs.diff_ids.begin(), config->rootfs.diff_ids.end());
  }
  std::int64_t freed = 0;
  for (const std::string& layer : layers_.list()) {
    if (layers.contains(layer)) continue;
    if (const auto details = layers_.details(layer)) freed += details->bytes;
    TRY(layers_.remove(layer));
  }
  return freed;
}

}  // namespace sbx::images
