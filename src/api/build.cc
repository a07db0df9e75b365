// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/build.h"

#include "api/body.h"
#include "api/handlers.h"
#include "api/progress_stream.h"
#include "base/value.h"
#include "builds/builder.h"
#include "builds/context.h"

namespace sbx::api {
namespace {

builds::BuildRequest request_for(const wire::TemplateBuild& wanted, std::string file, const std::string& archive) {
  builds::BuildRequest request;
  request.file = std::move(file);
  request.target = wanted.target;
  request.context = archive;
  request.anew = wanted.anew;
  for (const auto& [key, value] : wanted.arguments) request.arguments[key] = value;
  return request;
}

}  // namespace

Result<Answer> build_template(Services& services, Call& call) {
  TRY(check_parameters(call.request, {"build"}));
  TRY_ASSIGN(const auto wanted, value_in<wire::TemplateBuild>(call.request.parameter("build").value_or("{}"), "build"));
  if (services.builder == nullptr) return fail(Code::kUnavailable, "this daemon builds no templates");
  TRY_ASSIGN(const auto archive, receive_archive(services, call));
  auto file = builds::file_in_archive(archive.file(), wanted.file, builds::kLargestDockerfile);
  if (!file) return fail(std::move(file).error().as(Code::kInvalid));
  const builds::BuildRequest request = request_for(wanted, std::move(*file), archive.file());
  return with_events(call, [&](const Tell& tell) -> Result<http::Response> {
    builds::Listener listener{.progress = steps_told(tell)};
    listener.output = [&tell](std::string_view text) {
      if (tell) tell("output", json_of(wire::BuildOutput{std::string(text)}));
    };
    auto built = services.builder->build(request, wanted.tag, listener);
    if (!built) return fail(std::move(built).error().within("build " + wanted.tag));
    TRY_ASSIGN(const auto details, services.sandboxes.catalog.details(built->digest));
    return json_response(200, json_of(details));
  });
}

}  // namespace sbx::api
