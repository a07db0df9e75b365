// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/templates.h"

#include "base/value.h"

namespace sbx::cli {
namespace {

// A name has slashes and colons: it is one segment, which is encoded as a whole.
Result<Client::Path> path_to_template(const std::string& name) {
  if (name.empty()) return fail(Code::kInvalid, "the template's name is empty");
  return Client::Path{"templates", name};
}

Client::Query tagged(const std::string& tag) { return tag.empty() ? Client::Query{} : Client::Query{{"tag", tag}}; }

}  // namespace

Result<std::vector<wire::TemplateDetails>> list_templates(const Client& client) {
  TRY_ASSIGN(const Json json, client.get({"templates"}));
  TRY_ASSIGN(auto list, value_of<wire::TemplateList>(json, "list of templates", Unknown::kIgnored));
  return std::move(list.templates);
}

Result<wire::TemplateDetails> get_template(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to_template(name));
  TRY_ASSIGN(const Json json, client.get(path));
  return value_of<wire::TemplateDetails>(json, "template", Unknown::kIgnored);
}

Result<wire::TemplateHistory> get_template_history(const Client& client, const std::string& name) {
  TRY_ASSIGN(Client::Path path, path_to_template(name));
  path.push_back("history");
  TRY_ASSIGN(const Json json, client.get(path));
  return value_of<wire::TemplateHistory>(json, "history", Unknown::kIgnored);
}

Result<wire::TemplateDetails> pull_template(const Client& client, const wire::TemplatePull& request,
                                            const OnStep& on_step) {
  wire::TemplateDetails pulled;
  TRY(client.post_for_events({"templates", "pull"}, json_of(request), steps_and_value(on_step, pulled)));
  return pulled;
}

Result<wire::TemplatesLoaded> load_templates(const Client& client, const std::string& tag, const Client::Source& source,
                                             const OnStep& on_step) {
  wire::TemplatesLoaded loaded;
  TRY(client.upload_for_events({"templates", "load"}, tagged(tag), source, steps_and_value(on_step, loaded)));
  return loaded;
}

Result<wire::TemplatesLoaded> load_templates(const Client& client, const std::string& tag, const Fd& file,
                                             const OnStep& on_step) {
  wire::TemplatesLoaded loaded;
  TRY(client.attach_for_events({"templates", "load"}, tagged(tag), file, steps_and_value(on_step, loaded)));
  return loaded;
}

Result<wire::TemplateDetails> build_template(const Client& client, const wire::TemplateBuild& build,
                                             const Client::Source& directory,
                                             const std::function<void(const std::string& text)>& on_output) {
  wire::TemplateDetails built;
  const Client::OnEvent rest = steps_and_value([](const Step&) {}, built);
  const Client::OnEvent on_event = [&](const StreamEvent& event) -> Result<Client::Heard> {
    if (event.name != "output") return rest(event);
    TRY_ASSIGN(const auto output, value_in<wire::BuildOutput>(event.data, "output", Unknown::kIgnored));
    on_output(output.text);
    return Client::Heard::kSome;
  };
  TRY(client.upload_for_events({"templates", "build"}, {{"build", text_of(build)}}, directory, on_event));
  return built;
}

Result<wire::TemplateDetails> tag_template(const Client& client, const wire::TemplateTag& request) {
  TRY_ASSIGN(const Json json, client.post({"templates", "tag"}, json_of(request)));
  return value_of<wire::TemplateDetails>(json, "template", Unknown::kIgnored);
}

Result<wire::TemplatesRemoved> remove_template(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to_template(name));
  TRY_ASSIGN(const Json json, client.remove(path));
  return value_of<wire::TemplatesRemoved>(json, "the daemon's answer", Unknown::kIgnored);
}

Result<wire::TemplatesRemoved> prune_templates(const Client& client, bool all) {
  TRY_ASSIGN(const Json json, client.post({"templates", "prune"}, json_of(wire::TemplatePrune{all})));
  return value_of<wire::TemplatesRemoved>(json, "the daemon's answer", Unknown::kIgnored);
}

}  // namespace sbx::cli
