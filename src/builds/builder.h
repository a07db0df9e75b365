// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "agents/recipe.h"
#include "base/result.h"
#include "builds/build.h"
#include "images/image_store.h"
#include "images/shared_work.h"
#include "images/templates.h"
#include "sandboxes/sandboxes.h"

namespace sbx::builds {

// The templates that are built in sandboxes: those of agents, by their recipes, and users' own, by a Dockerfile.
class Builder {
 public:
  // `directory` is that of the templates.
  Builder(sandboxes::Sandboxes& sandboxes, images::Templates& templates, std::string directory)
      : sandboxes_(sandboxes), templates_(templates), directory_(std::move(directory)), images_(directory_) {}

  // A recipe's template, built first where needed (with kAlways anew); all else is Templates::get's. Of several callers
  // one builds and the others see its progress. What a build prints is kept in log_of() until the next one.
  Result<images::Template> get(const images::TemplateRequest& request, const images::Progress& progress);

  // A template of a Dockerfile, under `tag`.
  Result<images::Template> build(const BuildRequest& request, const std::string& tag, const Listener& listener);

  std::string log_of(const std::string& name) const;

 private:
  Result<std::string> key_of(const std::string& dockerfile) const;
  Result<std::optional<images::Template>> look_up(const std::string& name, const std::string& source);
  Result<images::Template> build_recipe(const std::string& dockerfile, const std::string& name,
                                        const std::string& source, bool anew, const images::Progress& progress);
  Build::GetTemplate bases();

  sandboxes::Sandboxes& sandboxes_;
  images::Templates& templates_;
  const std::string directory_;
  images::ImageStore images_;
  images::SharedWork<images::Template> work_;
};

}  // namespace sbx::builds
