// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// A shim without a machine: it speaks the protocol of ARCHITECTURE.md, "The shim's life", keeps what a machine would
// leave behind in <home>/world/<name>, and misbehaves as the sandbox's environment variable FAKE says:
//   refuse   reports an error instead of readiness      silent   ends without a word
//   hang     never becomes ready                        deaf     does not stop when asked
//   panic    says at the first exec why it ends, ends   weaker   is less isolated than its backend promised
// What the guest was told is in guest.json.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <list>
#include <string>

#include "base/file.h"
#include "base/json.h"
#include "base/socket.h"
#include "wire/exec.h"
#include "wire/guest.h"
#include "wire/sandbox.h"

namespace sbx::testing {
namespace {

class FakeShim {
 public:
  explicit FakeShim(const Json& input)
      : name_(input["machine"]["name"]),
        isolation_(input["machine"]["backend"] == "fake-vm" ? "microvm-emulated" : "fake"),
        leftover_(input["machine"]["state_directory"].get<std::string>() + "/../../world/" + name_) {
    const auto config = wire::decode_guest_config(input["guest"]);
    for (const auto& [key, value] : config->environment)
      if (key == "FAKE") manner_ = value;
    if (manner_ == "weaker") isolation_ = "container";
    (void)replace_file("guest.json", dump(input["guest"]));
  }

  int run() {
    if (manner_ == "silent") {
      (void)!::write(2, "cannot go on\n", 13);
      return 3;
    }
    if (manner_ == "refuse")
      return say({{"error", {{"code", "unavailable"}, {"message", "no runtime"}, {"hint", "apt install runc"}}}}), 1;
    (void)make_directories("disk/upper");
    (void)replace_file(leftover_, "a process, a cgroup, a mount\n");
    if (manner_ == "hang") ::pause();
    const auto listener = listen_unix("shim.sock");
    say({{"ready", status()}});
    ::close(1);
    while (serve(*accept_unix(*listener))) {
    }
    ::unlink(leftover_.c_str());
    return 0;
  }

 private:
  static void say(const Json& json) {
    const std::string line = dump(json) + "\n";
    (void)!::write(1, line.data(), line.size());
  }

  Json status() const {
    return {{"shim_pid", ::getpid()}, {"init_pid", ::getpid()}, {"timings", {{"boot", 7}}}, {"isolation", isolation_}};
  }

  // False: it is over.
  bool serve(Fd connection) {
    auto message = receive_message(connection);
    if (!message || !*message) return true;
    const Json request = *parse_json((*message)->body);
    const std::string op = request["op"];
    if (op == "status") (void)send_message(connection, dump(status()));
    if (op == "watch") watchers_.push_back(std::move(connection));
    if (op == "exec") exec(connection, request["request"], (*message)->fds);
    if (op == "stop" && manner_ != "deaf") {
      (void)send_message(connection, dump({{"ok", true}}));
      return false;
    }
    return true;
  }

  // The "program" prints its own request.
  void exec(const Fd& connection, const Json& request, const std::vector<Fd>& fds) {
    tell("exec_start", Json::object());
    if (manner_ == "panic") {
      tell("ending", {{"reason", "the guest's kernel panicked\x1b[2J: " + std::string(5000, 'x')}});
      ::_exit(1);
    }
    if (fds.empty()) {
      (void)send_message(connection, dump({{"pid", 42}}));
      return;
    }
    (void)send_message(connection, dump({{"ok", true}}));
    (void)write_all(fds.front(), "HTTP/1.1 101 Switching Protocols\r\nUpgrade: sandbox-exec\r\n\r\n" + dump(request));
  }

  void tell(const std::string& kind, const Json& detail) {
    for (const Fd& watcher : watchers_)
      (void)send_message(watcher, dump(wire::encode(wire::Event{"", kind, "another's", detail})));
  }

  std::string name_;
  std::string isolation_;
  std::string leftover_;
  std::string manner_;
  std::list<Fd> watchers_;
};

}  // namespace
}  // namespace sbx::testing

int main() {
  ::signal(SIGPIPE, SIG_IGN);
  const auto input = sbx::read_all(sbx::Fd(0), 1u << 20);
  return sbx::testing::FakeShim(*sbx::parse_json(*input)).run();
}
