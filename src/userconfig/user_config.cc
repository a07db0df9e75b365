// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/user_config.h"

#include <algorithm>

#include "base/format.h"
#include "base/json.h"
#include "base/text.h"
#include "userconfig/filter.h"
#include "userconfig/secrets.h"
#include "userconfig/toml.h"
#include "userconfig/tree.h"

namespace sbx::userconfig {
namespace {

constexpr std::size_t kMostBytes = 16u << 20;

Result<Json> parsed(agents::ConfigKind kind, std::string_view text) {
  return kind == agents::ConfigKind::kToml ? parse_toml(text) : parse_json(text);
}

std::string written(agents::ConfigKind kind, const Json& settings) {
  return kind == agents::ConfigKind::kToml ? toml_of(settings) : dump_pretty(settings) + "\n";
}

// What the template has in the same place.
Json template_settings(const agents::Agent& agent, const agents::ConfigRule& rule) {
  const auto file = std::ranges::find(agent.files, rule.path, &agents::ConfigFile::path);
  const auto settings = file == agent.files.end() ? Json::object() : parsed(rule.kind, file->content);
  return settings ? *settings : Json::object();
}

// The reason, without the path that the user sees before it.
std::string reason_of(const Error& error) {
  if (error.code() == Code::kTooLarge) return "it is larger than 1 MiB";
  return error.code() == Code::kForbidden ? "it is a link, or another user's" : error.what();
}

class Collection {
 public:
  Collection(const Fd& home, const agents::Agent& agent, const std::vector<std::string>& workspaces)
      : home_(home), agent_(agent), workspaces_(workspaces) {}

  UserConfig run() {
    for (const agents::ConfigRule& rule : agent_.config) take(rule);
    return std::move(config_);
  }

 private:
  void take(const agents::ConfigRule& rule) {
    if (rule.kind == agents::ConfigKind::kTree) return take_tree(rule);
    auto file = read_own_file(home_, rule.path);
    if (!file && file.error().code() == Code::kNotFound) return;
    if (!file) return leave(rule.path, reason_of(file.error()));
    if (rule.kind == agents::ConfigKind::kText) {
      if (take_document(rule.path, std::move(*file))) config_.taken.push_back(rule.path);
    } else {
      take_settings(rule, file->content);
    }
  }

  bool take_document(const std::string& path, ReadFile file) {
    if (has_key(file.content)) return leave(path, "there is a key in it"), false;
    return add({path, std::move(file.content), file.executable});
  }

  void take_tree(const agents::ConfigRule& rule) {
    auto listing = list_documents(home_, rule.path);
    if (!listing && listing.error().code() == Code::kNotFound) return;
    if (!listing) return leave(rule.path, reason_of(listing.error()));
    std::size_t taken = 0;
    for (const std::string& path : listing->files) {
      auto file = read_own_file(home_, path);
      if (!file)
        leave(path, reason_of(file.error()));
      else if (take_document(path, std::move(*file)))
        ++taken;
    }
    if (taken > 0) config_.taken.push_back(sbx::format("{} ({} file{})", rule.path, taken, taken == 1 ? "" : "s"));
    config_.left.insert(config_.left.end(), listing->left.begin(), listing->left.end());
  }

  void take_settings(const agents::ConfigRule& rule, const std::string& text) {
    const auto settings = parsed(rule.kind, text);
    if (!settings) return leave(rule.path, "it cannot be read: " + printable(settings.error().what()));
    const Filtered filtered = filter(*settings, rule, workspaces_);
    for (const std::string& line : filtered.left) config_.left.push_back(rule.path + ": " + line);
    if (filtered.taken.empty()) return;
    const Json whole = merged(filtered.kept, template_settings(agent_, rule));
    if (add({rule.path, written(rule.kind, whole), false}))
      config_.taken.push_back(rule.path + ": " + join(filtered.taken, ", "));
  }

  bool add(TakenFile file) {
    bytes_ += file.content.size();
    if (bytes_ > kMostBytes) return leave(file.path, "all of it is more than 16 MiB"), false;
    config_.files.push_back(std::move(file));
    return true;
  }

  void leave(const std::string& path, const std::string& why) { config_.left.push_back(printable(path) + ": " + why); }

  const Fd& home_;
  const agents::Agent& agent_;
  const std::vector<std::string>& workspaces_;
  UserConfig config_;
  std::size_t bytes_ = 0;
};

}  // namespace

UserConfig collect(const Fd& home, const agents::Agent& agent, const std::vector<std::string>& workspaces) {
  return Collection(home, agent, workspaces).run();
}

}  // namespace sbx::userconfig
