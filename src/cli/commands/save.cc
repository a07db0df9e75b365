// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"
#include "base/value.h"
#include "cli/client/output_file.h"
#include "cli/client/remote.h"
#include "cli/client/templates.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"
#include "cli/views/progress.h"

namespace sbx::cli::verbs {
namespace {

Result<> write_archive(const Context& context, const Client& client, const std::string& name,
                       const std::string& destination) {
  if (destination == "-")
    return get_template_archive(client, name,
                                [&](std::string_view bytes) { return write_all(context.streams.out, bytes); });
  TRY_ASSIGN(const SharedDirectories shared, shared_directories(client));
  TRY_ASSIGN(OutputFile file, OutputFile::make(destination, shared));
  TRY(get_template_archive(client, name, [&](std::string_view bytes) { return write_all(file.fd(), bytes); }));
  return file.keep();
}

// Standard output takes the archive or JSON; a terminal takes no archive.
Result<> check_destination(const Context& context, const Arguments& arguments, const std::string& instead) {
  if (arguments.text("output") != "-") return Ok{};
  const std::string hint = context.program + " " + instead;
  if (arguments.on("json")) return fail(Code::kInvalid, "--json and the archive both want standard output", hint);
  if (is_terminal(context.streams.out)) return fail(Code::kInvalid, "an archive is not for a terminal", hint);
  return Ok{};
}

}  // namespace

Result<int> save(Context& context, const Arguments& arguments) {
  const std::string& sandbox = arguments.operands()[0];
  const std::string& tag = arguments.operands()[1];
  const std::string destination = arguments.text("output");
  const bool to_stdout = destination == "-";
  const bool quiet = arguments.on("quiet") || to_stdout;
  TRY(check_destination(context, arguments, "save -o FILE " + sandbox + " " + tag));
  TRY_ASSIGN(const Client client, context.client());
  Progress progress(context.streams.err, quiet);
  TRY_ASSIGN(const wire::Saved saved,
             save_sandbox(client, sandbox, tag, [&](const Step& step) { progress.show(step); }));
  if (!destination.empty()) {
    progress.show({"writing " + destination, 0, 0});
    TRY_WITHIN("write " + destination, write_archive(context, client, saved.name, destination));
  }
  progress.clear();
  if (to_stdout) return 0;
  if (arguments.on("json"))
    print_json(json_of(saved));
  else if (quiet)
    print(saved.name + "\n");
  else
    print(sbx::format("{} Saved sandbox as {}\n", styled(context.streams.out, Style::kGood, "✓"), saved.name));
  return 0;
}

Result<int> template_save(Context& context, const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  const std::string destination = arguments.text("output");
  TRY(check_destination(context, arguments, "template save -o FILE " + name));
  TRY_ASSIGN(const Client client, context.client());
  TRY_WITHIN("write " + destination, write_archive(context, client, name, destination));
  if (!arguments.on("json")) return 0;
  TRY_ASSIGN(const auto details, get_template(client, name));
  print_json(json_of(details));
  return 0;
}

}  // namespace sbx::cli::verbs
