// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "agents/recipe.h"
#include "base/result.h"
#include "builds/agent_versions.h"
#include "builds/build.h"
#include "images/image_store.h"
#include "images/shared_work.h"
#include "images/templates.h"
#include "sandboxes/sandboxes.h"
#include "wire/agent.h"

namespace sbx::builds {

// The templates that are built in sandboxes: those of agents, by their recipes, and users' own, by a Dockerfile.
class Builder {
 public:
  // `directory` is that of the templates.
  Builder(sandboxes::Sandboxes& sandboxes, images::Templates& templates, std::string directory)
      : sandboxes_(sandboxes),
        templates_(templates),
        directory_(std::move(directory)),
        images_(directory_),
        versions_(directory_ + "/versions") {}

  // A recipe's template, built first where needed (with kAlways anew); all else is Templates::get's. Of several callers
  // one builds and the others see its progress. What a build prints is kept in log_of() until the next one.
  Result<images::Template> get(const images::TemplateRequest& request, const images::Progress& progress);

  // A newer version of an agent (empty: the latest) for new sandboxes from now on, and for those that are there
  // (sandboxes/successions.h). Of an agent with no package in the npm registry the template is built or fetched anew.
  Result<wire::AgentUpdated> update(const std::string& agent, const std::string& version,
                                    const images::Progress& progress);
  // That new sandboxes of the agent have.
  std::string version_of(const agents::Agent& agent) const { return versions_.version_of(agent); }

  // A template of a Dockerfile, under `tag`.
  Result<images::Template> build(const BuildRequest& request, const std::string& tag, const Listener& listener);

  std::string log_of(const std::string& name) const;

 private:
  Result<std::string> key_of(const std::string& dockerfile) const;
  Result<std::optional<images::Template>> look_up(const std::string& name, const std::string& source);
  Result<images::Template> build_recipe(const std::string& dockerfile, const std::string& name,
                                        const std::string& source, bool anew, const images::Progress& progress);
  Build::GetTemplate bases();
  Result<images::Template> get_recipe(const images::TemplateRequest& request, const std::string& dockerfile,
                                      const images::Progress& progress);
  Result<images::Template> build_version(const agents::Agent& agent, const std::string& wanted,
                                         const images::Progress& progress);
  Result<std::string> find_version(const agents::Agent& agent, const std::string& wanted,
                                   const images::Progress& progress);

  sandboxes::Sandboxes& sandboxes_;
  images::Templates& templates_;
  const std::string directory_;
  images::ImageStore images_;
  const AgentVersions versions_;
  images::SharedWork<images::Template> work_;
};

}  // namespace sbx::builds
