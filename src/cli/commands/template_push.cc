// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include "base/child.h"
#include "base/file.h"
#include "base/format.h"
#include "base/home.h"
#include "base/text.h"
#include "cli/client/templates.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"
#include "cli/views/progress.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kArchiveInSkopeo = 3;  // the first descriptor that is passed on

// Beside the templates, where there is room for one: /tmp may be memory. It is gone with the last descriptor of it.
Result<Fd> nameless_file() {
  TRY_ASSIGN(const Home home, Home::find());
  return open_path(home.root(), O_TMPFILE | O_RDWR, 0600);
}

// A registry on this host may be without TLS, as with docker.
bool is_on_this_host(std::string_view image) {
  const std::string_view registry = image.substr(0, image.find('/'));
  return registry.starts_with("localhost:") || registry.starts_with("127.") || registry.starts_with("[::1]");
}

std::vector<std::string> copy_command(const std::string& destination, bool quiet) {
  std::vector<std::string> argv{"skopeo"};
  if (!exists("/etc/containers/policy.json")) argv.emplace_back("--insecure-policy");
  argv.emplace_back("copy");
  if (quiet) argv.emplace_back("--quiet");
  if (is_on_this_host(destination)) argv.emplace_back("--dest-tls-verify=false");
  argv.push_back(sbx::format("docker-archive:/proc/self/fd/{}", kArchiveInSkopeo));
  argv.push_back("docker://" + destination);
  return argv;
}

}  // namespace

// By the user's own skopeo, with the logins of docker and podman: the daemon only gives the archive.
Result<int> template_push(Context& context, const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  const std::string& destination = arguments.operands().back();
  const bool quiet = arguments.on("quiet") || arguments.on("json");
  if (!find_program("skopeo"))
    return fail(Code::kUnavailable, "skopeo is not installed", "sudo apt-get install skopeo");
  TRY_ASSIGN(const Client client, context.client());
  Progress progress(context.streams.err, quiet);
  progress.show({"packing " + name, 0, 0});
  TRY_ASSIGN(const Fd archive, nameless_file());
  TRY(get_template_archive(client, name, [&](std::string_view bytes) { return write_all(archive, bytes); }));
  progress.clear();
  Command command{.argv = copy_command(destination, quiet)};
  command.stdout_fd = command.stderr_fd = context.streams.err.get();
  command.passed_fds = {archive.get()};
  TRY_ASSIGN(Child skopeo, Child::start(command));
  TRY_ASSIGN(const Exit exit, skopeo.wait());
  if (exit.code != 0 || exit.signal != 0)
    return fail(Code::kUnavailable, sbx::format("push {}: skopeo has failed", printable(destination)),
                "skopeo login REGISTRY");
  if (arguments.on("json"))
    print_json(Json{{"name", name}, {"pushed", destination}});
  else if (quiet)
    print(destination + "\n");
  else
    print(sbx::format("{} Pushed {}\n", styled(context.streams.out, Style::kGood, "✓"), printable(destination)));
  return 0;
}

}  // namespace sbx::cli::verbs
