// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "archive/stream.h"
#include "base/result.h"
#include "builds/copying.h"
#include "builds/stage_image.h"
#include "builds/step_cache.h"
#include "builds/workbench.h"
#include "dockerfile/dockerfile.h"
#include "images/image_store.h"
#include "images/templates.h"
#include "sandboxes/sandboxes.h"

namespace sbx::builds {

// What is to be built.
struct BuildRequest {
  std::string file;                  // the Dockerfile's text
  dockerfile::Scope arguments{};     // --build-arg
  std::string target{};              // the stage to build; empty: the last
  std::string context{};             // a tar archive on disk that COPY copies from; empty: there is none
  std::vector<std::string> hosts{};  // what its steps may reach besides what the policy of new sandboxes allows
  wire::Environment environment{};   // of its steps only: proxies, mirrors
  bool anew = false;                 // no step is taken from the cache
  bool one_layer = false;            // all of a stage is one layer, and its steps are not cached
};

// Who hears of it.
struct Listener {
  images::Progress progress{};                           // "[2/5] RUN make"
  std::function<void(std::string_view bytes)> output{};  // what the steps print
};

// One build of a Dockerfile: each stage from its base, each instruction that changes files in a sandbox on the image
// before it, whose changes are then a layer of the next one. Nothing of it runs on the host.
//   TRY_ASSIGN(const std::string digest, Build(sandboxes, templates, store, directory, request, listener).run());
class Build {
 public:
  using GetTemplate = std::function<Result<images::Template>(const images::TemplateRequest&, const images::Progress&)>;

  // `directory` is that of the templates, `store` what is in it.
  Build(sandboxes::Sandboxes& sandboxes, GetTemplate templates, images::Templates& store, const std::string& directory,
        const BuildRequest& request, const Listener& listener);

  // The digest of the image. It has no name yet: name it before `kept()` is gone.
  Result<std::string> run();
  // While it lives, nothing that the build has made or used is pruned.
  std::shared_ptr<const void> kept() const { return base_.hold; }

 private:
  struct BuiltStage {
    std::string name;
    std::string image;  // digest
  };

  Result<> prepare();
  Result<> build_stage(const dockerfile::Stage& stage);
  Result<> begin_from(const std::string& base);
  Result<> take(const dockerfile::Instruction& instruction);
  Result<> change_files(const dockerfile::Instruction& instruction);
  Result<> perform(const dockerfile::Instruction& instruction);
  Result<> run_command_of(const dockerfile::Instruction& instruction);
  Result<> run_to_end(Workbench& bench, wire::ExecRequest request);
  Result<> copy(const dockerfile::Instruction& instruction);
  Result<> copy_files(const dockerfile::Instruction& instruction, const std::vector<std::string>& words);
  Result<> copy_context(const CopyRule& rule, const CopyOptions& options, const std::set<std::string>& except);
  Result<> add(const std::vector<std::string>& sources, const std::string& to, bool is_directory,
               const CopyOptions& options);
  Result<> add_address(const std::string& address, const std::string& to, bool is_directory,
                       const CopyOptions& options);
  Result<std::string> image_named(const std::string& name) const;
  Result<std::string> key_of(const dockerfile::Instruction& instruction) const;
  Result<Workbench*> bench();
  Result<> commit(const std::string& created_by);
  Result<> put_image();
  Result<> ensure_directory();
  void tell(const dockerfile::Instruction& instruction);

  sandboxes::Sandboxes& sandboxes_;
  const GetTemplate templates_;
  images::Templates& store_;
  images::ImageStore images_;
  StepCache cache_;
  const BuildRequest& request_;
  const Listener& listener_;

  dockerfile::Dockerfile file_;
  dockerfile::Scope given_;  // build arguments, and ARGs before the first FROM
  std::vector<BuiltStage> stages_;
  std::size_t steps_ = 0;
  std::size_t step_ = 0;
  std::string context_digest_;

  // Of the stage that is being built:
  images::Template base_;
  StageImage stage_;
  std::string image_;                     // the digest of what it stands on by now
  std::unique_ptr<Workbench> bench_;      // where its instructions run, from the first that needs it
  std::vector<std::string> uncommitted_;  // instructions whose changes are in it only
};

}  // namespace sbx::builds
