// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include "archive/pack.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/client/templates.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/terminal_text.h"
#include "cli/views/output.h"
#include "cli/views/progress.h"
#include "cli/words/ignore_file.h"

namespace sbx::cli::verbs {
namespace {

constexpr std::size_t kLargestIgnoreFile = 1u << 20;

// A directory to build from, and its files by their paths in it.
struct BuildDirectory {
  Fd directory;
  std::string dockerfile;  // its path from there
  IgnoreFile ignored;
};

// The first that is there; -f names it from the directory that the user is in, as docker has it.
Result<std::string> dockerfile_in(const std::string& directory, const Arguments& arguments) {
  if (!arguments.given("file")) {
    for (const char* name : {"Dockerfile", "Containerfile"})
      if (exists(directory + "/" + name)) return std::string(name);
    return fail(Code::kNotFound, "there is no Dockerfile in " + directory, "name it with -f FILE");
  }
  TRY_ASSIGN(const std::string file, canonical_path(arguments.text("file")));
  TRY_ASSIGN(const std::string root, canonical_path(directory));
  if (!file.starts_with(root + "/"))
    return fail(Code::kInvalid, arguments.text("file") + " is not in " + directory, "copy it there");
  return file.substr(root.size() + 1);
}

Result<BuildDirectory> open_build_directory(const std::string& directory, const Arguments& arguments) {
  BuildDirectory found;
  TRY_ASSIGN(found.directory, open_path(directory, O_RDONLY | O_DIRECTORY));
  TRY_ASSIGN(found.dockerfile, dockerfile_in(directory, arguments));
  for (const std::string& name : {found.dockerfile + ".dockerignore", std::string(".dockerignore")}) {
    const std::string path = sbx::format("{}/{}", directory, name);
    if (!exists(path)) continue;
    TRY_ASSIGN(const std::string text, read_file(path, kLargestIgnoreFile));
    found.ignored = IgnoreFile::parse(text);
    break;
  }
  return found;
}

Result<> send_directory(const BuildDirectory& from, const Client::OnBytes& to) {
  archive::PackOptions options;
  options.warn = [](std::string_view line) { note("warning: " + printable(line)); };
  options.leave_out = [&](std::string_view path) {
    return path != from.dockerfile && !(from.dockerfile + "/").starts_with(std::string(path) + "/") &&
           (from.ignored.leaves_out_all_below(path) || from.ignored.leaves_out(path));
  };
  return archive::pack(
      from.directory, ".", [&](std::string_view bytes) { return to(bytes); }, options);
}

Result<wire::TemplateBuild> build_request(const Arguments& arguments, const BuildDirectory& from) {
  wire::TemplateBuild build;
  build.tag = arguments.text("tag");
  build.file = from.dockerfile;
  build.target = arguments.text("target");
  build.anew = arguments.on("no-cache");
  for (const std::string& text : arguments.list("build-arg")) {
    const auto equals = text.find('=');
    const char* value = equals == std::string::npos ? std::getenv(text.c_str()) : nullptr;
    if (equals == std::string::npos && value == nullptr) continue;  // docker's way: what is not set is not given
    build.arguments.emplace_back(text.substr(0, equals), value != nullptr ? value : text.substr(equals + 1));
  }
  return build;
}

// Of a recipe of ours: anew, with what its makers have by now.
Result<int> refresh_recipe(const Context& context, const Client& client, const Arguments& arguments) {
  Progress progress(context.streams.err, arguments.on("quiet"));
  const wire::TemplatePull request{arguments.operands().front(), "", wire::TemplateSource::kRegistry};
  TRY_ASSIGN(const auto built, pull_template(client, request, [&](const Step& step) { progress.show(step); }));
  progress.clear();
  if (arguments.on("json"))
    print_json(json_of(built));
  else
    for (const std::string& name : built.names) print(name + "\n");
  return 0;
}

}  // namespace

Result<int> template_build(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  if (arguments.on("refresh")) return refresh_recipe(context, client, arguments);
  if (!arguments.given("tag"))
    return fail(Code::kInvalid, "what will it be called?", "template build -t NAME DIRECTORY");
  TRY_ASSIGN(const BuildDirectory from, open_build_directory(arguments.operands().front(), arguments));
  TRY_ASSIGN(const wire::TemplateBuild build, build_request(arguments, from));
  const bool quiet = arguments.on("quiet") || arguments.on("json");
  TerminalText text;
  const auto show = [&](const std::string& output) {
    if (!quiet) (void)write_all(context.streams.err, is_terminal(context.streams.err) ? text.shown(output) : output);
  };
  TRY_ASSIGN(const auto built,
             build_template(
                 client, build, [&](const Client::OnBytes& to) { return send_directory(from, to); }, show));
  if (arguments.on("json")) {
    print_json(json_of(built));
  } else {
    print(arguments.on("quiet") ? built.digest + "\n"
                                : sbx::format("{} Built template {}\n", styled(context.streams.out, Style::kGood, "✓"),
                                              arguments.text("tag")));
  }
  return 0;
}

}  // namespace sbx::cli::verbs
