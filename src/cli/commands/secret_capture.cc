// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/client/secrets.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"
#include "cli/words/captured_login.h"
#include "exchange/exec_stream.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kNoLogin = 3;

// The file is moved aside before it is read, so that an agent which refreshes its login meanwhile finds none, instead
// of writing one that is lost. What a capture that was killed has left aside is the login.
constexpr const char* kTakeLogin =
    "cd || exit; [ -f \"$1\" ] || [ ! -f \"$1.captured\" ] || mv -f \"$1.captured\" \"$1\"; "
    "[ -f \"$1\" ] || exit 3; mv -f \"$1\" \"$1.captured\" && head -c 65537 \"$1.captured\"";
constexpr const char* kPutBack = "cd && { [ ! -f \"$1.captured\" ] || mv -f \"$1.captured\" \"$1\"; }";
constexpr const char* kForget = "cd && rm -f \"$1.captured\"";

// The login of one agent in one sandbox.
class SandboxLogin {
 public:
  SandboxLogin(const Client& client, std::string sandbox, const LoginKind& kind)
      : client_(client), sandbox_(std::move(sandbox)), kind_(kind) {}

  Result<std::string> take() const {
    TRY_ASSIGN(exchange::ExecStream stream, open(kTakeLogin));
    TRY_ASSIGN(std::string file, stream.read_all(kLargestLogin + 1));
    if (stream.exit() && stream.exit()->code == kNoLogin)
      return fail(Code::kNotFound, sbx::format("{} is not logged in in sandbox {}", kind_.agent, sandbox_),
                  sbx::format("log in there: sandbox run {}", sandbox_));
    TRY(stream.finish());
    return file;
  }
  Result<> put_back() const { return finish(kPutBack); }
  // The daemon then writes one with placeholders.
  Result<> forget() const { return finish(kForget); }

 private:
  Result<exchange::ExecStream> open(const char* script) const {
    wire::ExecRequest request;
    request.command = {"/bin/sh", "-c", script, "sh", std::string(kind_.path)};
    request.directory = "/";
    TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client_, sandbox_, request));
    return exchange::ExecStream(std::move(upgraded));
  }
  Result<> finish(const char* script) const {
    TRY_ASSIGN(exchange::ExecStream stream, open(script));
    return stream.finish();
  }

  const Client& client_;
  const std::string sandbox_;
  const LoginKind& kind_;
};

// By the binding that is there, or a new one.
Result<wire::Binding> bind_login(const Client& client, const std::string& secret, const LoginKind& kind,
                                 const std::string& sandbox) {
  TRY_ASSIGN(const auto list, list_bindings(client));
  for (const wire::Binding& binding : list.bindings)
    if (binding.secret == secret && binding.service == kind.service && binding.sandbox == sandbox) return binding;
  wire::BindRequest request;
  request.secret = secret;
  request.service = kind.service;
  request.sandbox = sandbox;
  return bind_secret(client, request);
}

Result<wire::Binding> store_login(const Client& client, const wire::SecretAdd& request, const LoginKind& kind,
                                  const std::string& sandbox) {
  auto added = add_secret(client, request);
  if (!added && added.error().code() == Code::kConflict)
    return fail(std::move(added).error().with_hint(
        sbx::format("sandbox secret capture {} {} --update, or --name NAME", sandbox, kind.agent)));
  TRY(std::move(added));
  return bind_login(client, request.name, kind, sandbox);
}

Result<wire::Binding> capture(const Client& client, const std::string& sandbox, const LoginKind& kind,
                              const std::string& name, bool update) {
  const SandboxLogin login(client, sandbox, kind);
  auto stored = [&]() -> Result<wire::Binding> {
    TRY_ASSIGN(const std::string file, login.take());
    TRY_ASSIGN(std::string value, kind.read(file));
    return store_login(client, {name, std::move(value), update}, kind, sandbox);
  }();
  if (stored) {
    TRY_WITHIN("the login is stored, but still in the sandbox", login.forget());
    return stored;
  }
  TRY_WITHIN(stored.error().what() + "; put the login back", login.put_back());
  return stored;
}

}  // namespace

Result<int> secret_capture(Context& context, const Arguments& arguments) {
  const std::string& sandbox = arguments.operands()[0];
  TRY_ASSIGN(const LoginKind kind, login_kind(arguments.operands()[1]));
  const std::string name = arguments.given("name") ? arguments.text("name") : std::string(kind.agent);
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::Binding bound, capture(client, sandbox, kind, name, arguments.on("update")));
  if (arguments.on("json"))
    print_json(json_of(bound));
  else
    print(sbx::format("{} Captured the login of {} in sandbox {} as secret {}\n",
                      styled(context.streams.out, Style::kGood, "✓"), kind.agent, sandbox, printable(name)));
  return 0;
}

}  // namespace sbx::cli::verbs
