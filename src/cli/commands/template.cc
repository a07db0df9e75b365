// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/client/templates.h"
#include "cli/commands/each.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/question.h"
#include "cli/views/go_template.h"
#include "cli/views/output.h"
#include "cli/views/progress.h"
#include "cli/views/template_listing.h"
#include "cli/words/archive_source.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kDeclined = 1;

// What has come, for people; or for programs, its name.
void print_arrived(const Context& context, std::string_view verb, const std::string& name, bool quiet) {
  const std::string mark = styled(context.streams.out, Style::kGood, "✓");
  print(quiet ? printable(name) + "\n" : sbx::format("{} {} template {}\n", mark, verb, printable(name)));
}

}  // namespace

Result<int> template_ls(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto templates, list_templates(client));
  if (arguments.on("json")) {
    print_json(json_of(wire::TemplateList{templates}));
  } else if (arguments.on("quiet")) {
    for (const auto& details : templates)
      for (const auto& name : details.names.empty() ? std::vector{details.digest} : details.names) print(name + "\n");
  } else if (arguments.given("format")) {
    TRY(print_values(context.streams.out, arguments.text("format"), template_rows(templates, now())));
  } else if (templates.empty()) {
    note("No templates found");
  } else {
    print(template_table(templates, now(), arguments.on("no-trunc")));
  }
  return 0;
}

Result<int> template_inspect(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  int code = 0;
  std::vector<Json> found;
  for (const std::string& name : arguments.operands()) {
    const auto details = get_template(client, name);
    if (details) {
      found.push_back(json_of(*details));
      continue;
    }
    context.print_error(details.error());
    code = 125;
  }
  if (arguments.given("format")) {
    TRY(print_values(context.streams.out, arguments.text("format"), std::move(found)));
  } else {
    print_json(Json(found));
  }
  return code;
}

Result<int> template_history(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto history, get_template_history(client, arguments.operands().front()));
  if (arguments.on("json")) {
    print_json(json_of(history));
  } else if (arguments.on("quiet")) {
    for (const auto& step : history.steps)
      if (!step.layer.empty()) print(step.layer + "\n");
  } else if (arguments.given("format")) {
    TRY(print_values(context.streams.out, arguments.text("format"), history_rows(history, now())));
  } else {
    print(history_table(history, now(), arguments.on("no-trunc")));
  }
  return 0;
}

Result<int> template_pull(Context& context, const Arguments& arguments) {
  const auto from = from_word<wire::TemplateSource>(arguments.text("from"));
  if (!from)
    return fail(Code::kInvalid, "--from " + arguments.text("from") + ": must be registry, docker, podman or auto");
  const wire::TemplatePull request{arguments.operands().front(), arguments.text("platform"), *from};
  TRY_ASSIGN(const Client client, context.client());
  Progress progress(context.streams.err, arguments.on("quiet"));
  TRY_ASSIGN(const auto pulled, pull_template(client, request, [&](const Step& step) { progress.show(step); }));
  progress.clear();
  if (arguments.on("json"))
    print_json(json_of(pulled));
  else
    print_arrived(context, "Pulled", request.name, arguments.on("quiet"));
  return 0;
}

Result<int> template_load(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const auto source, ArchiveSource::open(arguments.operands().front(), context.streams.in));
  TRY_ASSIGN(const Client client, context.client());
  Progress progress(context.streams.err, arguments.on("quiet"));
  const OnStep show = [&](const Step& step) { progress.show(step); };
  const std::string tag = arguments.text("tag");
  const Client::Source send = [&](const Client::OnBytes& to) { return source.send(to, show); };
  TRY_ASSIGN(const auto loaded, source.file() != nullptr ? load_templates(client, tag, *source.file(), show)
                                                         : load_templates(client, tag, send, show));
  progress.clear();
  if (arguments.on("json"))
    print_json(json_of(loaded));
  else
    for (const std::string& name : loaded.names) print_arrived(context, "Loaded", name, arguments.on("quiet"));
  return 0;
}

Result<int> template_tag(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto tagged, tag_template(client, {arguments.operands()[0], arguments.operands()[1]}));
  if (arguments.on("json")) print_json(json_of(tagged));
  return 0;
}

Result<int> template_rm(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  wire::TemplatesRemoved all;
  const auto remove = [&](const std::string& name) -> Result<> {
    TRY_ASSIGN(const auto removed, remove_template(client, name));
    all.names.insert(all.names.end(), removed.names.begin(), removed.names.end());
    all.digests.insert(all.digests.end(), removed.digests.begin(), removed.digests.end());
    all.bytes += removed.bytes;
    return Ok{};
  };
  const auto missing = arguments.on("force") ? Missing::kPassedOver : Missing::kError;
  const auto names = arguments.on("json") ? Names::kKept : Names::kPrinted;
  const int code = for_each_name(context, arguments.operands(), remove, missing, names);
  if (arguments.on("json")) print_json(json_of(all));
  return code;
}

Result<int> template_prune(Context& context, const Arguments& arguments) {
  const bool all = arguments.on("all");
  const std::string_view warning = all ? "This removes every template that no sandbox uses."
                                       : "This removes every template that has no name and that no sandbox uses.";
  if (!arguments.on("force") && !user_agrees(context.streams.in, warning)) {
    note("Nothing was changed");
    return kDeclined;
  }
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto removed, prune_templates(client, all));
  if (arguments.on("json")) {
    print_json(json_of(removed));
    return 0;
  }
  for (const std::string& name : removed.names) print("Removed name: " + printable(name) + "\n");
  for (const std::string& digest : removed.digests) print("Removed template: " + short_digest(digest) + "\n");
  print("Freed " + size_text(removed.bytes) + "\n");
  return 0;
}

}  // namespace sbx::cli::verbs
