// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "daemon/wiring.h"

#include <unistd.h>

#include "backends/backend.h"
#include "base/clock.h"
#include "base/socket.h"
#include "blobs/blob_store.h"
#include "config/config.h"
#include "idmap/bases.h"
#include "sandboxes/policy_file.h"

namespace sbx::daemon {
namespace {

constexpr std::chrono::seconds kLastRequests{5};

Result<policy::Rules> rules_of_new_sandboxes() {
  TRY_ASSIGN(const std::string path, config::policy_path());
  return sandboxes::rules_of_new_sandboxes(path);
}

Result<agents::Catalogue> users_agents() {
  TRY_ASSIGN(const std::string path, config::agents_path());
  return agents::Catalogue::read(path);
}

Result<blobs::NewBlob> blob_in(const Home& home, const blobs::BlobId& id, std::uint64_t size) {
  TRY_ASSIGN(const config::Config config, config::read_config());
  if (config.docker_cache == 0) return fail(Code::kUnsupported, "no blobs are kept");
  TRY_ASSIGN(Fd directory, blobs::BlobStore::make_directory(home.blobs(), ::geteuid() == 0 ? idmap::kBlobCache : 0));
  TRY_ASSIGN(const blobs::BlobStore store,
             blobs::BlobStore::open(std::move(directory), static_cast<std::uint64_t>(config.docker_cache)));
  return store.begin(id, size);
}

// What is fetched for a template is kept for the Docker daemons of sandboxes, too.
images::KeepBlob keep_in(const Home& home) {
  return [home](const blobs::BlobId& id, std::uint64_t size) {
    auto blob = blob_in(home, id, size);
    return blob ? std::optional<blobs::NewBlob>(std::move(*blob)) : std::nullopt;
  };
}

}  // namespace

Result<std::unique_ptr<Wiring>> Wiring::create(const Home& home, secrets::EnvironmentSecrets environment,
                                               std::function<void()> shut_down) {
  TRY_ASSIGN(const std::string layer, own_program("sandbox-layer"));
  std::unique_ptr<Wiring> wiring(new Wiring(home, layer, keep_in(home)));
  images::Templates& templates = wiring->templates_;
  TRY_ASSIGN(const std::string shim, own_program("sandbox-shim"));
  TRY_ASSIGN(const std::string init, own_program("sandbox-init"));
  TRY_ASSIGN(const std::string user_home, sbx::user_home());
  TRY_ASSIGN(wiring->sandboxes_,
             sandboxes::Sandboxes::create({store::Store(home),
                                           [&builder = wiring->builder_](const images::TemplateRequest& request,
                                                                         const images::Progress& progress) {
                                             return builder->get(request, progress);
                                           },
                                           backends::make_backend, backends::backend_names(),
                                           [] { return config::read_config(); }, rules_of_new_sandboxes, now, shim,
                                           init, ::geteuid() == 0, &templates, users_agents, std::move(environment)}));
  // Sandboxes are made of templates, and templates are made in sandboxes.
  wiring->builder_ = std::make_unique<builds::Builder>(*wiring->sandboxes_, templates, home.templates());
  TRY(wiring->sandboxes_->recovery.recover());
  wiring->sandboxes_->mcp_servers.open();
  wiring->sandboxes_->mcp_grants.renew();
  wiring->sandboxes_->expiry.watch();
  wiring->sandboxes_->credentials.watch();
  wiring->services_ = std::make_unique<api::Services>(
      api::Services{*wiring->sandboxes_, user_home, rfc3339(now()), std::move(shut_down), wiring->builder_.get()});
  TRY_ASSIGN(Fd listener, listen_unix(home.socket()));
  TRY_ASSIGN(wiring->server_, api::Server::start(std::move(listener), *wiring->services_));
  return wiring;
}

bool Wiring::stop() {
  sandboxes_->credentials.stop_watching();
  sandboxes_->events.close();
  // A template that is still being made would keep us: the next daemon sweeps what is left of it.
  return server_->stop(kLastRequests) && sandboxes_->mcp_servers.stop(kLastRequests) &&
         sandboxes_->docker_sockets.stop(kLastRequests) && !sandboxes_->creation.makes_templates();
}

}  // namespace sbx::daemon
