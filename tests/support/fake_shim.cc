// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// A shim without a machine: it speaks the protocol of ARCHITECTURE.md, "The shim's life", keeps what a machine would
// leave behind in <home>/world/<name>, and misbehaves as the sandbox's environment variable FAKE says:
//   refuse   reports an error instead of readiness      silent   ends without a word
//   hang     never becomes ready                        deaf     does not stop when asked
//   panic    says at the first exec why it ends, ends   weaker   is less isolated than its backend promised
//   mute     has no gate                                old      has no sessions
//   chatty   programs print on and on, and never end
// A program called "want" wants to speak with the MCP server that it names, and what it hears is in mcp.txt;
// the server that was taken back last is in revoked.txt.
// Its only session is number 1, and what is typed there does nothing.
// What the guest was told is in guest.json, and the rules that its gate has are in gate.json. The gate finds 40000
// free, and the next ones, and 81 taken.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <list>
#include <map>
#include <string>
#include <thread>

#include "base/file.h"
#include "base/json.h"
#include "base/socket.h"
#include "base/value.h"
#include "wire/error.h"
#include "wire/event.h"
#include "wire/exec.h"
#include "wire/frame.h"
#include "wire/guest.h"
#include "wire/mcp.h"
#include "wire/network_config.h"
#include "wire/session.h"

namespace sbx::testing {
namespace {

class FakeShim {
 public:
  explicit FakeShim(const Json& input)
      : name_(input["machine"]["name"]),
        isolation_(input["machine"]["backend"] == "fake-vm" ? "microvm-emulated" : "container"),
        leftover_(input["machine"]["state_directory"].get<std::string>() + "/../../world/" + name_) {
    const auto config = value_of<wire::GuestConfig>(input["guest"], "guest");
    for (const auto& [key, value] : config->environment)
      if (key == "FAKE") manner_ = value;
    if (manner_ == "weaker") isolation_ = "container";
    (void)replace_file("guest.json", dump(input["guest"]));
    const auto network = value_of<wire::NetworkConfig>(input["network"], "network");
    (void)replace_file("gate.json", dump(network->rules));
    for (const auto& port : network->ports) publish(port);
    has_authority_ = network->ca_certificate.starts_with("-----BEGIN CERT") && exists("proxy_cacerts/proxy-ca.key");
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
    if (!has_authority_) return say({{"error", {{"code", "invalid"}, {"message", "no authority"}}}}), 1;
    const auto listener = listen_unix("shim.sock");
    Fd gate;
    if (manner_ != "mute") gate = std::move(*listen_unix("network.sock"));
    say({{"ready", status()}});
    ::close(1);
    for (bool goes_on = true; goes_on;) {
      std::array<pollfd, 2> ready{{{listener->get(), POLLIN, 0}, {gate.get(), POLLIN, 0}}};
      ::poll(ready.data(), ready.size(), -1);
      if (ready[1].revents != 0) serve_network(*accept_unix(gate));
      if (ready[0].revents != 0) goes_on = serve(*accept_unix(*listener));
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
    return {{"shim_pid", ::getpid()},
            {"init_pid", ::getpid()},
            {"timings", {{"boot", 7}}},
            {"isolation", isolation_},
            {"features", manner_ == "old" ? Json::array() : Json({wire::kSessionsFeature})}};
  }

  // False: it is over.
  bool serve(Fd connection) {
    auto message = receive_message(connection);
    if (!message || !*message) return true;
    const Json request = *parse_json((*message)->body);
    const std::string op = request["op"];
    if (op == "status") (void)send_message(connection, dump(status()));
    if (op == "watch") watchers_.push_back(std::move(connection));
    if (op == "exec") exec(connection, request["key"], request["request"], (*message)->fds);
    if (op == "sessions") (void)send_message(connection, text_of(wire::SessionList{{session()}}));
    if (op == "attach" || op == "end_session") serve_session(connection, request, (*message)->fds);
    if (op == "docker") serve_docker(connection, (*message)->fds);
    if (op == "pipe") serve_mcp(connection, request["request"]["command"], (*message)->fds.front());
    if (op == "mcp_revoke") {
      (void)replace_file("revoked.txt", request["server"].get<std::string>());
      (void)send_message(connection, dump({{"ok", true}}));
    }
    if (op == "mcp") keep_line(connection, (*message)->fds.front());
    if (op == "stop" && manner_ != "deaf") {
      (void)send_message(connection, dump({{"ok", true}}));
      return false;
    }
    return true;
  }

  wire::SessionInfo session() const {
    wire::SessionInfo info;
    info.session = 1;
    info.command = {"agent"};
    info.agent = true;
    info.window = {24, 80};
    if (!session_ended_) return info;
    info.state = wire::SessionState::kEnded;
    info.exit = wire::ExecExit{129, 1, ""};
    return info;
  }

  // A client that attaches gets its own request back.
  void serve_session(const Fd& connection, const Json& request, const std::vector<Fd>& fds) {
    if (request["session"] != 1)
      return (void)send_message(connection, dump(wire::encode(Error(Code::kNotFound, "no session of that number"))));
    if (request["op"] == "end_session") {
      session_ended_ = true;
      return (void)send_message(connection, text_of(session()));
    }
    (void)send_message(connection, dump({{"ok", true}}));
    (void)write_all(fds.front(),
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: sandbox-exec\r\n\r\n" + dump(request["request"]));
  }

  // A daemon of few words.
  void serve_docker(const Fd& connection, const std::vector<Fd>& fds) {
    if (manner_ == "old")
      return (void)send_message(connection, dump(wire::encode(Error(Code::kUnsupported, "no such operation"))));
    (void)send_message(connection, dump({{"ok", true}}));
    (void)write_all(fds.front(), "from the guest");
  }

  // A server that says its command, and ends.
  static void serve_mcp(const Fd& connection, const Json& command, const Fd& client) {
    (void)write_all(client, command[0].get<std::string>() + " " + command[1].get<std::string>());
    (void)send_message(connection, dump({{"ok", true}}));
  }

  // What came on it is in mcp.txt.
  static void keep_line(const Fd& connection, const Fd& line) {
    (void)send_message(connection, dump({{"ok", true}}));
    (void)replace_file("mcp.txt", read_all(line, 4096).value_or("an error"));
  }

  void serve_network(const Fd& connection) {
    auto message = receive_message(connection);
    if (!message || !*message) return;
    const Json request = *parse_json((*message)->body);
    (void)send_message(connection, dump(answer_of(request)));
  }

  Json answer_of(const Json& request) {
    const std::string op = request["op"];
    const auto ports = value_of<wire::PortList>(request, "ports", Unknown::kIgnored)->ports;
    if (op == "hosts") (void)replace_file("hosts.json", dump(request["hosts"]));
    if (op == "policy") (void)replace_file("gate.json", dump(request["rules"]));
    for (const auto& port : ports)
      if (op == "publish" && port.host_port == 81)
        return {{"error", {{"code", "conflict"}, {"message", "listen on 127.0.0.1:81: Address already in use"}}}};
    if (op == "publish")
      for (const auto& port : ports) publish(port);
    if (op == "unpublish")
      for (const auto& port : ports) std::erase(ports_, port);
    return json_of(wire::PortList{ports_});
  }

  void publish(wire::PublishedPort port) {
    if (port.host_port == 0) port.host_port = next_free_++;
    ports_.push_back(port);
  }

  // The "program" prints its own request. Detached ones have the pids from 42 on.
  void exec(const Fd& connection, const std::string& key, const Json& request, const std::vector<Fd>& fds) {
    const bool is_new = pids_.emplace(key, 42 + static_cast<int>(pids_.size())).second;
    tell(wire::EventKind::kExecStart, Json::object());
    if (manner_ == "panic") {
      tell(wire::EventKind::kEnding, {{"reason", "the guest's kernel panicked\x1b[2J: " + std::string(5000, 'x')}});
      ::_exit(1);
    }
    // The program wants to speak with an MCP server.
    if (request["command"][0] == "want")
      tell(wire::EventKind::kMcp, json_of(wire::McpWanted{1, request["command"][1].get<std::string>()}));
    if (fds.empty()) {
      (void)send_message(connection, dump({{"pid", pids_[key]}}));
      return;
    }
    if (!is_new) {
      (void)send_message(connection, dump(wire::encode(Error(Code::kConflict, "the command was already started"))));
      return;
    }
    (void)send_message(connection, dump({{"ok", true}}));
    const std::string head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: sandbox-exec\r\n\r\n";
    if (manner_ == "chatty") return chat(fds.front(), head);
    (void)write_all(fds.front(), head + dump(request));
  }

  static void chat(const Fd& client, const std::string& head) {
    const auto frame = wire::encode(wire::Header{1, wire::kClientStream, wire::Kind::kErr});
    const std::string said = std::string(frame.data(), frame.size()) + "x";
    std::thread([to = std::move(*duplicate(client)), head, said] {
      (void)write_all(to, head);
      while (write_all(to, said)) continue;
    }).detach();
  }

  void tell(wire::EventKind kind, const Json& detail) {
    for (const Fd& watcher : watchers_)
      (void)send_message(watcher, text_of(wire::Event{"", kind, "another's", detail}));
  }

  std::string name_;
  std::string isolation_;
  std::string leftover_;
  std::string manner_;
  std::list<Fd> watchers_;
  std::map<std::string, int> pids_;  // of execs, by their keys
  bool has_authority_ = false;
  bool session_ended_ = false;
  std::vector<wire::PublishedPort> ports_;
  std::uint16_t next_free_ = 40000;
};

}  // namespace
}  // namespace sbx::testing

int main() {
  ::signal(SIGPIPE, SIG_IGN);
  const auto input = sbx::read_all(sbx::Fd(0), 1u << 20);
  return sbx::testing::FakeShim(*sbx::parse_json(*input)).run();
}
