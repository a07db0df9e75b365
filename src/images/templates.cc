// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/templates.h"

#include <fcntl.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/lock.h"
#include "images/build.h"
#include "images/old_layout.h"
#include "images/scratch.h"

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

}  // namespace

Templates::Templates(std::string directory, const std::string& layer_program)
    : directory_(std::move(directory)), layers_(directory_, layer_program), images_(directory_) {
  adopt_old_templates(directory_);
}

std::vector<std::string> Templates::names() {
  std::vector<std::string> out;
  for (const Recipe& recipe : recipes()) out.emplace_back(recipe.name);
  return out;
}

std::optional<Template> Templates::look_up(const std::string& name, const std::string& source) const {
  const auto found = images_.find_name(name);
  if (!found || found->source != source) return std::nullopt;
  auto image = images_.get(found->image);
  if (!image) return std::nullopt;
  for (const std::string& layer : image->rootfs.diff_ids)
    if (!layers_.has(layer)) return std::nullopt;
  return Template{name, found->image, std::move(image->rootfs.diff_ids), std::move(image->config)};
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

Result<Template> Templates::get(const std::string& name, wire::Pull pull, const Progress& progress) {
  TRY_ASSIGN(const Recipe* recipe, find_recipe(name));
  TRY_ASSIGN(const Distribution distribution, host_distribution());
  const std::string key = key_of(*recipe, distribution);
  sweep(directory_);
  const bool anew = pull == wire::Pull::kAlways;
  if (auto found = look_up(name, source_of(key)); found && !anew) return std::move(*found);
  if (pull == wire::Pull::kNever)
    return fail(Code::kNotFound, "template " + name + " has not been built, and pull is never",
                "leave out --pull never");
  auto built = work_.once(name, progress, [&](const Progress& all) { return build(*recipe, key, anew, all); });
  if (!built) return fail(std::move(built).error().within("build template " + name));
  return built;
}

}  // namespace sbx::images
