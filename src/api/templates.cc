// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "api/progress_stream.h"
#include "base/format.h"
#include "base/value.h"
#include "wire/template.h"

namespace sbx::api {

Result<Answer> list_templates(Services& services, Call& call) {
  TRY(check_bare(call.request));
  return json_response(200, json_of(wire::TemplateList{services.sandboxes.catalog.list()}));
}

Result<Answer> get_template(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto details, services.sandboxes.catalog.details(call.name()));
  return json_response(200, json_of(details));
}

Result<Answer> get_template_history(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto history, services.sandboxes.catalog.history(call.name()));
  return json_response(200, json_of(history));
}

Result<Answer> delete_template(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto removed, services.sandboxes.catalog.remove(call.name()));
  return json_response(200, json_of(removed));
}

Result<Answer> tag_template(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto request, body_as<wire::TemplateTag>(call.request, "tag"));
  TRY_ASSIGN(const auto details, services.sandboxes.catalog.tag(request));
  return json_response(200, json_of(details));
}

Result<Answer> prune_templates(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto request, body_as<wire::TemplatePrune>(call.request, "prune"));
  TRY_ASSIGN(const auto removed, services.sandboxes.catalog.prune(request));
  return json_response(200, json_of(removed));
}

Result<Answer> pull_template(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto request, body_as<wire::TemplatePull>(call.request, "pull"));
  return with_progress(call, [&](const OnProgress& progress) -> Result<http::Response> {
    TRY_ASSIGN(const auto details, services.sandboxes.catalog.pull(request, progress));
    return json_response(200, json_of(details));
  });
}

Result<images::Incoming> receive_archive(Services& services, Call& call) {
  TRY_ASSIGN(auto archive, services.sandboxes.catalog.receive());
  for (;;) {
    TRY_ASSIGN(const std::string piece, call.connection.next_piece());
    if (piece.empty()) return archive;
    TRY(archive.write(piece));
  }
}

// The body, or the file that came with the request.
Result<images::Incoming> archive_of(Services& services, Call& call) {
  const auto place = call.request.header(wire::kArchiveHeader);
  if (!place) return receive_archive(services, call);
  if (*place != wire::kAttached)
    return fail(Code::kInvalid, sbx::format("{} must be {}", wire::kArchiveHeader, wire::kAttached));
  const auto file = call.connection.take_descriptor();
  if (!file) return fail(Code::kInvalid, "no descriptor came with the request");
  return services.sandboxes.catalog.take(*file);
}

Result<Answer> load_template(Services& services, Call& call) {
  TRY(check_parameters(call.request, {"tag"}));
  TRY_ASSIGN(const auto archive, archive_of(services, call));
  return with_progress(call, [&](const OnProgress& progress) -> Result<http::Response> {
    const std::string tag = call.request.parameter("tag").value_or("");
    TRY_ASSIGN(const auto loaded, services.sandboxes.catalog.load(archive, tag, progress));
    return json_response(200, json_of(loaded));
  });
}

}  // namespace sbx::api
