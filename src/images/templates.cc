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
#include "images/local_docker.h"
#include "images/old_layout.h"
#include "images/pull.h"
#include "images/scratch.h"
#include "images/sources.h"

// How a build becomes a template, so that a kill at any point leaves it undone or done: the layer is in its place when
// it is whole, then the image, which names it, then the name, which names that. What is there without a name is found
// again by a build of the same, or pruned.
namespace sbx::images {
namespace {

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

// What another source may have: the registry does not, does not answer, or does not say whether it has it.
bool is_worth_another(const Error& error) {
  return error.code() == Code::kNotFound || error.code() == Code::kUnavailable || error.code() == Code::kForbidden;
}

// Of an image that is here, for a request that may be about a certain architecture ("arm64", "arm/v7").
bool is_for(const ImageConfig& image, const std::string& architecture) {
  return architecture.empty() || image.architecture == architecture.substr(0, architecture.find('/'));
}

std::string architecture_note(const std::string& name, const ImageConfig& image) {
  if (image.architecture.empty() || image.architecture == architecture_here()) return "";
  return "Template " + name + " is for " + printable(image.architecture) + ", and this host is " + architecture_here() +
         ": its programs run only where an emulator (qemu-user-static) is installed.";
}

// Whether one of this name was built or pulled with the local Docker since, for a request that is about that. What was
// made here, saved or built, is not Docker's to replace; and without Docker, or an image of this name in it, ours is
// it.
bool is_newer_in_docker(const TemplateRequest& request, const Reference& reference, const Name& ours) {
  if (request.from != wire::TemplateSource::kDocker) return false;
  if (!ours.source.starts_with("docker-daemon:") && !ours.source.starts_with("docker://")) return false;
  const auto theirs = image_in_docker(reference.shown());
  return theirs ? *theirs != ours.image : theirs.error().code() == Code::kUnsupported;
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

Templates::Templates(std::string directory, const std::string& layer_program, KeepBlob keep)
    : directory_(std::move(directory)),
      layers_(directory_, layer_program),
      images_(directory_),
      keep_(std::move(keep)) {
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
  std::string note = architecture_note(name, *image);
  return Template{name, digest, std::move(image->rootfs.diff_ids), std::move(image->config), std::move(note)};
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

Result<Template> Templates::fetch_from(const NamedSource& source, const TemplateRequest& request,
                                       const Reference& reference, const Progress& progress) {
  TRY_ASSIGN(const ImageLocation location, location_in(source, reference, request.architecture));
  std::unique_ptr<Scratch> scratch;
  if (source.is_copied) {
    TRY_ASSIGN(scratch, Scratch::make(directory_));
    if (progress) progress("copying the image from " + std::string(source.shown), 0, 0);
  }
  TRY_ASSIGN(const ImageLocation readable, scratch ? copied_image(location, scratch->path() + "/image") : location);
  TRY_ASSIGN(const Pulled pulled, pull(readable, layers_, images_, progress, keep_));
  const std::string from = location.text + (reference.digest.empty() ? "@" + pulled.manifest : "");
  TRY(images_.set_name({reference.whole(), pulled.image, from, rfc3339(std::chrono::system_clock::now())}));
  if (auto found = with_image(reference.shown(), pulled.image)) return std::move(*found);
  return fail(Code::kInternal, "it is gone again");
}

Result<Template> Templates::fetch(const TemplateRequest& request, const Reference& reference,
                                  const Progress& progress) {
  using wire::TemplateSource;
  auto fetched = fetch_from(named_source(request.from), request, reference, progress);
  if (fetched || request.from != TemplateSource::kAuto || !docker_host() || !is_worth_another(fetched.error()))
    return fetched;
  const NamedSource& docker = named_source(TemplateSource::kDocker);
  if (progress) progress("looking for the image in " + std::string(docker.shown), 0, 0);
  auto local = fetch_from(docker, request, reference, progress);
  if (!local && local.error().code() == Code::kNotFound) return fetched;  // says more
  if (!local) return fail(std::move(local).error().within(std::string(docker.shown)));
  const std::string note =
      "Template " + reference.shown() + " is not in its registry: it was taken from " + std::string(docker.shown) + ".";
  local->note = local->note.empty() ? note : note + "\n" + local->note;
  return local;
}

Result<Template> Templates::get_image(const TemplateRequest& request, const Progress& progress) {
  if (is_digest(request.name)) {
    if (auto found = with_image(request.name, request.name)) return std::move(*found);
    return fail(Code::kNotFound, "no template " + request.name, "sandbox template ls");
  }
  TRY_ASSIGN(const Reference reference, parse_reference(request.name));
  const auto named = images_.find_name(reference.whole());
  const auto image = named ? images_.get(named->image) : fail(Code::kNotFound, "it has no name");
  const bool is_wanted = image && is_for(*image, request.architecture) && request.pull != wire::Pull::kAlways;
  if (is_wanted && (request.pull == wire::Pull::kNever || !is_newer_in_docker(request, reference, *named)))
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

Result<Incoming> Templates::receive() const {
  TRY(make_directories(directory_));
  sweep(directory_);
  TRY_ASSIGN(const std::int64_t most, layers_.room());
  return Incoming::make(directory_, most);
}

Result<Incoming> Templates::take(const Fd& file) const {
  TRY(make_directories(directory_));
  sweep(directory_);
  return Incoming::of_file(directory_, file);
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
  TRY_ASSIGN(const Match found, match(name));
  TRY_ASSIGN(ImageConfig config, images_.get(found.info.digest));
  const auto reference = parse_reference(name);
  const std::string tag = found.by_digest || !reference ? "" : reference->shown();
  TRY_ASSIGN(Export made, Export::prepare(layers_, std::move(config), tag));
  made.hold = std::move(held);
  return made;
}

Result<std::vector<Loaded>> Templates::load(const Incoming& archive, const std::string& tag, const Progress& progress) {
  const auto held = hold();
  TRY_ASSIGN(auto loaded, images::load(archive, tag, layers_, images_, progress));
  for (Loaded& image : loaded)
    for (std::string& name : image.names) {
      const Name whole{name, image.image, image.source, rfc3339(std::chrono::system_clock::now())};
      TRY(images_.set_name(whole));
      name = shown(whole);
    }
  return loaded;
}

}  // namespace sbx::images
