// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/builder.h"

#include <fcntl.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "builds/package_sources.h"
#include "digest/sha256.h"
#include "images/recipe.h"
#include "images/reference.h"

namespace sbx::builds {
namespace {

constexpr std::string_view kBase = "shell";
constexpr std::size_t kLargestLog = 16u << 20;
constexpr std::size_t kLongestAnswer = 4096;

images::Name name_of(const std::string& name, const std::string& image, const std::string& source) {
  return {name, image, source, rfc3339(std::chrono::system_clock::now())};
}

}  // namespace

std::string Builder::log_of(const std::string& name) const {
  std::string file = name;
  for (char& c : file)
    if (c == '/' || c == ':') c = '-';
  return directory_ + "/logs/" + file + ".log";
}

// All that its layers are made of.
Result<std::string> Builder::key_of(const std::string& dockerfile) const {
  TRY_ASSIGN(const images::Recipe* base, images::find_recipe(kBase));
  TRY_ASSIGN(const images::Distribution distribution, images::host_distribution());
  return digest::sha256_of(images::key_of(*base, distribution) +
                           agents::dockerfile_of({std::string(agents::kCommonTemplate), ""}, {}) + dockerfile);
}

Result<std::optional<images::Template>> Builder::look_up(const std::string& name, const std::string& source) {
  const auto found = images_.find_name(name);
  if (!found || found->source != source) return std::nullopt;
  auto here = templates_.get({found->image}, {});
  if (!here) return std::nullopt;
  here->name = name;
  return std::optional(std::move(*here));
}

Build::GetTemplate Builder::bases() {
  return [this](const images::TemplateRequest& request, const images::Progress& progress) {
    return get(request, progress);
  };
}

Result<images::Template> Builder::get(const images::TemplateRequest& request, const images::Progress& progress) {
  TRY_ASSIGN(const agents::Catalogue catalogue, sandboxes_.parts.agents());
  auto recipe = agents::parse_recipe_name(request.name, catalogue);
  if (!recipe) return templates_.get(request, progress);
  const agents::Agent* const agent = catalogue.find(agents::agent_in(*recipe));
  if (agent != nullptr && recipe->version.empty()) recipe->version = versions_.version_of(*agent);
  return get_recipe(request, agents::dockerfile_of(*recipe, catalogue), progress);
}

Result<images::Template> Builder::get_recipe(const images::TemplateRequest& request, const std::string& dockerfile,
                                             const images::Progress& progress) {
  TRY_ASSIGN(const std::string key, key_of(dockerfile));
  const std::string source = "recipe " + key;
  const bool anew = request.pull == wire::Pull::kAlways;
  TRY_ASSIGN(auto found, look_up(request.name, source));
  if (found && !anew) return std::move(*found);
  if (request.pull == wire::Pull::kNever)
    return fail(Code::kNotFound, "template " + request.name + " has not been built, and pull is never",
                "leave out --pull-template never");
  auto built = work_.once(request.name, progress, [&](const images::Progress& all) {
    return build_recipe(dockerfile, request.name, source, anew, all);
  });
  if (built) return built;
  Error error = std::move(built).error().within("build template " + request.name);
  // That of the template that it stands on says more.
  if (error.hint().empty()) error = std::move(error).with_hint("less " + log_of(request.name));
  return fail(std::move(error));
}

Result<images::Template> Builder::build_recipe(const std::string& dockerfile, const std::string& name,
                                               const std::string& source, bool anew, const images::Progress& progress) {
  const PackageSources packages = package_sources();
  BuildRequest request;
  request.file = dockerfile;
  request.hosts = packages.hosts;
  request.environment = packages.environment;
  request.one_layer = true;
  request.anew = anew;
  TRY(make_directories(directory_ + "/logs"));
  TRY_ASSIGN(const Fd log, open_path(log_of(name), O_WRONLY | O_CREAT | O_TRUNC, 0644));
  Listener listener{.progress =
                        [&](std::string_view step, std::int64_t done, std::int64_t total) {
                          if (progress) progress(name + " " + std::string(step), done, total);
                        },
                    .output =
                        [&, left = kLargestLog](std::string_view bytes) mutable {
                          bytes = bytes.substr(0, left);
                          left -= bytes.size();
                          (void)write_all(log, bytes);
                        }};
  Build build(sandboxes_, bases(), templates_, directory_, request, listener);
  TRY_ASSIGN(const std::string image, build.run());
  TRY(images_.set_name(name_of(name, image, source)));
  TRY_ASSIGN(auto made, look_up(name, source));
  if (!made) return fail(Code::kInternal, "it is gone again");
  return std::move(*made);
}

// Asked of the registry from a sandbox, as everything of a build is.
Result<std::string> Builder::find_version(const agents::Agent& agent, const std::string& wanted,
                                          const images::Progress& progress) {
  TRY_ASSIGN(const images::Template common, get({std::string(agents::kCommonTemplate)}, progress));
  const PackageSources packages = package_sources();
  TRY_ASSIGN(const auto bench, Workbench::open(sandboxes_, common.digest, packages.hosts));
  wire::ExecRequest request;
  request.command = {"npm", "view", "--no-update-notifier", agent.package + "@" + wanted, "version"};
  request.directory = "/";
  request.environment = packages.environment;
  TRY_ASSIGN(exchange::ExecStream stream, bench->start(std::move(request)));
  TRY_ASSIGN(const std::string answer, stream.read_all(kLongestAnswer));
  TRY(stream.finish());
  const std::string version(trimmed(answer));
  if (!agents::is_version(version))
    return fail(Code::kNotFound, "the registry has no version " + printable(wanted) + " of " + agent.package);
  return version;
}

// It is chosen when it could be built: what the next `run` wants must not be what cannot be had.
Result<images::Template> Builder::build_version(const agents::Agent& agent, const std::string& wanted,
                                                const images::Progress& progress) {
  if (progress) progress("looking for a newer " + agent.name, 0, 0);
  TRY_ASSIGN(std::string version, find_version(agent, wanted.empty() ? "latest" : wanted, progress));
  if (is_later(agent.version, version)) {
    if (!wanted.empty())
      return fail(Code::kInvalid, version + " is older than " + agent.version + ", which new sandboxes have anyway",
                  "sandbox create --agent-version " + version + " " + agent.name);
    version = agent.version;
  }
  TRY_ASSIGN(const agents::Catalogue catalogue, sandboxes_.parts.agents());
  TRY_ASSIGN(images::Template built,
             get_recipe({agent.name}, agents::dockerfile_of({agent.name, version}, catalogue), progress));
  TRY(versions_.choose(agent, version));
  return built;
}

Result<wire::AgentUpdated> Builder::update(const std::string& name, const std::string& version,
                                           const images::Progress& progress) {
  TRY_ASSIGN(const agents::Catalogue catalogue, sandboxes_.parts.agents());
  const agents::Agent* const agent = catalogue.find(name);
  if (agent == nullptr) return fail(Code::kNotFound, "there is no agent \"" + printable(name) + "\"", "sandbox agents");
  if (!version.empty() && (agent->package.empty() || !agents::is_version(version)))
    return fail(Code::kInvalid, agent->package.empty() ? name + " has no versions to choose from"
                                                       : "\"" + printable(version) + "\" is no version");
  wire::AgentUpdated updated;
  updated.agent = name;
  updated.previous = versions_.version_of(*agent);
  TRY_ASSIGN(const images::Template successor, agent->package.empty()
                                                   ? get({agent->template_name(), wire::Pull::kAlways}, progress)
                                                   : build_version(*agent, version, progress));
  updated.version = versions_.version_of(*agent);
  updated.digest = successor.digest;
  updated.sandboxes = sandboxes_.successions.bring_over(name, successor);
  return updated;
}

Result<images::Template> Builder::build(const BuildRequest& request, const std::string& tag, const Listener& listener) {
  TRY_ASSIGN(const images::Reference reference, images::parse_reference(tag));
  if (!reference.digest.empty()) return fail(Code::kInvalid, "a tag has no digest: " + tag);
  TRY_ASSIGN(const agents::Catalogue catalogue, sandboxes_.parts.agents());
  if (agents::parse_recipe_name(tag, catalogue))
    return fail(Code::kInvalid, "\"" + tag + "\" is a template of our own", "choose another name, such as my-" + tag);
  Build build(sandboxes_, bases(), templates_, directory_, request, listener);
  TRY_ASSIGN(const std::string image, build.run());
  TRY(images_.set_name(name_of(reference.whole(), image, "dockerfile")));
  TRY_ASSIGN(images::Template made, templates_.get({image}, {}));
  made.name = reference.shown();
  return made;
}

}  // namespace sbx::builds
