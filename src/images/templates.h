// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "images/blob_copy.h"
#include "images/export.h"
#include "images/image_config.h"
#include "images/image_store.h"
#include "images/incoming.h"
#include "images/layer_store.h"
#include "images/load.h"
#include "images/progress.h"
#include "images/recipe.h"
#include "images/reference.h"
#include "images/shared_work.h"
#include "images/sources.h"
#include "wire/sandbox.h"
#include "wire/template.h"

// Templates: the root file systems that sandboxes start from. Each is fetched or built once, kept by content and shared
// read-only.
namespace sbx::images {

// What is asked for.
struct TemplateRequest {
  std::string name;  // a recipe ("shell"), an image as docker names it ("org/box:1"), or the digest of one here
  wire::Pull pull = wire::Pull::kMissing;
  std::string architecture{};  // "arm64", "arm/v7" (sources.h: architecture_of); empty: this host's, or what is here
  wire::TemplateSource from = wire::TemplateSource::kAuto;  // an image that is not here
};

struct Template {
  std::string name;                 // "shell", "org/box:1"
  std::string digest;               // "sha256:<64 hex>", of its configuration
  std::vector<std::string> layers;  // digests, the lowest first; where their trees are: LayerStore::root
  RunConfig config;
  std::string note{};                  // a line that the user should read; usually empty
  std::shared_ptr<const void> hold{};  // while it lives, nothing of the template is removed
};

// One that is here.
struct TemplateInfo {
  std::string digest;
  std::vector<std::string> names;  // as docker shows them; none: it was replaced by another
  std::string source;              // where it came from
  std::string added_at;            // RFC 3339
  std::string created;             // RFC 3339, says its maker
  std::string architecture;
  std::vector<std::string> layers;        // digests, the lowest first
  std::vector<std::int64_t> layer_bytes;  // of each of them
  std::int64_t bytes = 0;                 // of all, those that it shares included
  RunConfig config;
  std::vector<HistoryStep> history;
};

// What sandboxes stand on.
struct InUse {
  std::map<std::string, std::vector<std::string>> images;  // the names of the sandboxes, by digest
  std::set<std::string> layers;
};
// It is asked when no template is in the hands of a create any more, so that no sandbox is missed.
using Uses = std::function<Result<InUse>()>;

// What was taken away.
struct Removed {
  std::vector<std::string> names;    // as docker shows them
  std::vector<std::string> digests;  // of templates
  std::int64_t bytes = 0;
};

// Whether a template can be given this name. kInvalid says why not.
Result<> checked_tag(const std::string& tag);

// The templates in one directory (layout in ARCHITECTURE.md), shared by any number of threads and processes.
//   TRY_ASSIGN(const Template found, templates.get({"shell"}, progress));
class Templates {
 public:
  // An absolute path. The directory is made when it is first needed; it may be a symbolic link to one. `layer_program`
  // is sandbox-layer.
  // `keep`: pull.h
  Templates(std::string directory, const std::string& layer_program, KeepBlob keep = nullptr);

  // The template, built or fetched first where needed: with kAlways anew, with kNever not at all. One that is there
  // costs two small reads and a stat for each layer. Of several callers one builds and the others wait for it and see
  // its progress. A failed or killed build leaves nothing that the next get() does not remove.
  Result<Template> get(const TemplateRequest& request, const Progress& progress);

  // The recipes that get() knows.
  static std::vector<std::string> names();

  std::vector<TemplateInfo> list() const;
  // By a name, a digest or the first digits of one. kNotFound, or kConflict where several begin so.
  Result<TemplateInfo> find(const std::string& name) const;
  // While it lives, nothing is removed: for what makes a template in several steps.
  std::shared_ptr<const void> hold();
  LayerStore& layers() { return layers_; }
  // A template of the one with this digest and a layer that is in the store, by the name `tag`. `step` says how the
  // layer was made; `source` is what list() shows. Without a layer it is the same template by one more name.
  Result<Template> extend(const std::string& digest, const std::optional<layers::Unpacked>& layer,
                          const HistoryStep& step, const std::string& tag, const std::string& source);

  // A template as a file for docker. Its tag is the name that was asked for.
  Result<Export> archive(const std::string& name);

  // A second name for a template.
  Result<> tag(const std::string& name, const std::string& tag);
  // Takes the name away or, for a digest, all of them, and what no other template and no sandbox needs. kConflict where
  // a sandbox stands on it and it would be left without a name, and while another template is being made.
  Result<Removed> remove(const std::string& name, const Uses& uses);
  // Everything that has no name and that nothing needs; with `all`, also what has a name and no sandbox.
  Result<Removed> prune(const Uses& uses, bool all);

  // A place for an archive, or one that a client has open, and the templates that are in it then (load.h says what it
  // may be), with the names that they got, as docker shows them.
  Result<Incoming> receive() const;
  Result<Incoming> take(const Fd& file) const;
  Result<std::vector<Loaded>> load(const Incoming& archive, const std::string& tag, const Progress& progress);

 private:
  struct Match {
    TemplateInfo info;
    bool by_digest;  // and by none of its names: a name goes first
  };
  Result<Match> match(const std::string& name) const;
  Result<Template> get_recipe(const TemplateRequest& request, const Recipe& recipe, const Progress& progress);
  Result<Template> get_image(const TemplateRequest& request, const Progress& progress);
  std::optional<Template> with_image(const std::string& name, const std::string& digest) const;
  std::optional<Template> look_up(const std::string& name, const std::string& source) const;
  Result<Template> build(const Recipe& recipe, const std::string& key, bool anew, const Progress& progress);
  Result<Template> fetch(const TemplateRequest& request, const Reference& reference, const Progress& progress);
  Result<Template> fetch_from(const NamedSource& source, const TemplateRequest& request, const Reference& reference,
                              const Progress& progress);
  Result<std::unique_lock<std::mutex>> exclude_makers();
  Result<Removed> collect(const InUse& used, Removed removed);
  std::string shown(const Name& name) const;

  std::string directory_;
  LayerStore layers_;
  ImageStore images_;
  KeepBlob keep_;
  SharedWork<Template> work_;
  std::mutex collecting_;
  std::shared_ptr<const int> in_hand_ = std::make_shared<int>();  // a copy for each template that is being made or used
};

}  // namespace sbx::images
