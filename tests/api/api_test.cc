// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "api/server.h"
#include "base/format.h"
#include "base/socket.h"
#include "base/value.h"
#include "http/body.h"
#include "support/api_client.h"
#include "support/fake_world.h"

namespace sbx::api {
namespace {

using sbx::testing::ApiClient;
using std::chrono::milliseconds;
using std::chrono::seconds;

class Api : public ::testing::Test {
 protected:
  explicit Api(Patience patience = {}) {
    auto listener = listen_unix(world.home.socket());
    server = std::move(*Server::start(std::move(*listener), services, patience));
  }
  void TearDown() override {
    sandboxes->events.close();
    EXPECT_TRUE(server->stop(seconds(30)));
    EXPECT_TRUE(sandboxes->removal.reset());
  }

  ApiClient client() { return ApiClient(world.home.socket()); }
  http::Response call(const std::string& method, const std::string& target, const std::string& body = "") {
    return client().call(method, target, body);
  }
  std::string create_body(const std::string& name) { return text_of(world.request(name)); }
  Json json(const http::Response& response) { return parse_json(response.body).value_or(Json()); }

  sbx::testing::FakeWorld world;
  std::unique_ptr<sandboxes::Sandboxes> sandboxes = world.daemon();
  std::atomic<int> shut_downs{0};
  Services services{*sandboxes, "/home/u", "2026-11-15T00:00:00.000Z", [this] { ++shut_downs; }};
  std::unique_ptr<Server> server;
};

TEST_F(Api, TellsItsVersion) {
  const auto response = call("GET", "/version");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(json(response)["version"].get<std::string>().front(), 'v');
  EXPECT_EQ(json(response)["commit"].get<std::string>().size(), 40u);
}

TEST_F(Api, TheVendorsEndpointsAreTheVendors) {
  EXPECT_EQ(call("GET", "/vm").body, "[]\n");
  const std::string body = dump({{"agent_name", "sandbox-agent"}, {"workspace_dir", world.workspace}});
  const auto created = call("POST", "/vm", body);
  ASSERT_EQ(created.status, 201) << created.body;
  const Json vm = json(created);
  const std::string state = world.home.machine("sandbox-agent-vm");
  EXPECT_EQ(vm["vm_name"], "sandbox-agent-vm");
  EXPECT_EQ(dump(vm["vm_config"]), dump({{"socketPath", state + "/docker.sock"},
                                         {"fileSharingDirectories", {world.workspace}},
                                         {"stateDir", state},
                                         {"assetDir", "/home/u/.container-platform"}}));
  EXPECT_EQ(vm["ca_cert_path"], state + "/proxy_cacerts/proxy-ca.crt");
  EXPECT_TRUE(vm["ca_cert_data"].get<std::string>().starts_with("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"));
  EXPECT_EQ(sandboxes->registry.info("sandbox-agent-vm")->status, wire::Status::kRunning);
  const Json list = json(call("GET", "/vm"));
  EXPECT_EQ(dump(list), dump(Json::array({{{"vm_id", vm["vm_id"]},
                                           {"vm_name", "sandbox-agent-vm"},
                                           {"agent_name", "sandbox-agent"},
                                           {"workspace_dir", world.workspace}}})));
  EXPECT_EQ(json(call("POST", "/vm", body))["vm_id"], vm["vm_id"]);
  EXPECT_EQ(call("DELETE", "/vm/sandbox-agent-vm").status, 204);
  EXPECT_EQ(call("DELETE", "/vm/sandbox-agent-vm").status, 404);
}

TEST_F(Api, AVmOfAnotherWorkspaceIsAConflict) {
  ASSERT_EQ(call("POST", "/vm", dump({{"agent_name", "a"}, {"workspace_dir", world.workspace}})).status, 201);
  const std::string other = world.root + "/other";
  ASSERT_TRUE(make_directories(other));
  EXPECT_EQ(call("POST", "/vm", dump({{"agent_name", "a"}, {"workspace_dir", other}})).status, 409);
}

TEST_F(Api, LeadsASandboxThroughItsLife) {
  const auto created = call("POST", "/sandboxes", create_body("box"));
  ASSERT_EQ(created.status, 201) << created.body;
  EXPECT_EQ(json(created)["status"], "stopped");
  EXPECT_EQ(json(call("POST", "/sandboxes/box/start"))["status"], "running");
  EXPECT_EQ(json(call("GET", "/sandboxes/box"))["status"], "running");
  EXPECT_EQ(json(call("GET", "/sandboxes"))["sandboxes"].size(), 1u);
  EXPECT_EQ(json(call("POST", "/sandboxes/box/stop", R"({"grace_ms":10})"))["status"], "stopped");
  EXPECT_EQ(call("DELETE", "/sandboxes/box").status, 204);
  EXPECT_EQ(call("GET", "/sandboxes/box").status, 404);
}

// A tar archive of one file, larger than a whole body may be.
std::string large_archive() {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
  put(0, "file");
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, "00010000000");  // 2 MiB
  put(136, "00000000000");
  put(148, "        ");
  put(156, "0");
  put(257, "ustar");
  put(263, "00");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, sbx::format("{:06o}", sum) + std::string("\0 ", 2));
  return header + std::string(2u << 20, 'x') + std::string(1024, '\0');
}

TEST_F(Api, AnArchiveOfAnySizeIsLoadedInPieces) {
  const std::string archive = large_archive();
  ASSERT_GT(archive.size(), kLargestBody);
  const auto loaded = client().call("POST", "/templates/load?tag=org%2Fbox%3A1", archive);
  ASSERT_EQ(loaded.status, 200) << loaded.body;
  EXPECT_EQ(json(loaded)["templates"][0]["names"][0], "org/box:1");
  ApiClient chunked = client();
  chunked.send("POST /templates/load?tag=two HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(chunked.receive_head().status, 100);
  for (std::size_t at = 0; at < archive.size(); at += 100'000)
    chunked.send(http::chunk(std::string_view(archive).substr(at, 100'000)));
  chunked.send(http::last_chunk({}));
  EXPECT_EQ(json(chunked.receive())["templates"][0]["digest"].get<std::string>().substr(0, 7), "sha256:");
  EXPECT_EQ(json(call("GET", "/templates"))["templates"].size(), 2u);
  EXPECT_EQ(json(call("GET", "/templates/org%2Fbox%3A1"))["layers"][0]["bytes"], archive.size());
  EXPECT_EQ(call("DELETE", "/templates/two").status, 200);
  EXPECT_EQ(call("GET", "/templates/two").status, 404);
}

TEST_F(Api, AnArchiveThatBreaksOffLeavesNothing) {
  {
    ApiClient broken = client();
    broken.send("POST /templates/load?tag=a HTTP/1.1\r\nContent-Length: 100000\r\n\r\nsome of it");
    broken.end_input();
    EXPECT_EQ(broken.receive().status, 400);
  }
  EXPECT_TRUE(json(call("GET", "/templates"))["templates"].empty());
  for (const std::string& name : names_in(world.home.templates())) EXPECT_FALSE(name.starts_with("tmp-")) << name;
}

TEST_F(Api, ATemplateThatIsUsedNamesItsSandboxes) {
  ASSERT_EQ(client().call("POST", "/templates/load?tag=box", large_archive()).status, 200);
  const std::string digest = json(call("GET", "/templates/box"))["digest"];
  world.template_digest = digest.substr(7);
  ASSERT_EQ(call("POST", "/sandboxes", create_body("one")).status, 201);
  EXPECT_EQ(json(call("GET", "/templates/box"))["used_by"][0], "one");
  const auto refused = call("DELETE", "/templates/box");
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("is used by one"), std::string::npos) << refused.body;
  EXPECT_EQ(json(call("POST", "/templates/prune", R"({"all":true})"))["digests"].size(), 0u);
  ASSERT_EQ(call("DELETE", "/sandboxes/one").status, 204);
  EXPECT_EQ(json(call("POST", "/templates/prune", R"({"all":true})"))["digests"][0], digest);
}

TEST_F(Api, ReusedIsNotCreated) {
  Json body = json_of(world.request("box"));
  body["reuse"] = true;
  EXPECT_EQ(call("POST", "/sandboxes", dump(body)).status, 201);
  EXPECT_EQ(call("POST", "/sandboxes", dump(body)).status, 200);
}

TEST_F(Api, ARequestThatIsMadeAgainWithItsKeyIsAnsweredAsBefore) {
  const std::string key = "Idempotency-Key: job-1\r\n";
  const auto created = client().call("POST", "/sandboxes", create_body(""), key);
  EXPECT_EQ(created.status, 201);
  const auto again = client().call("POST", "/sandboxes", create_body(""), key);
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(json(again)["id"], json(created)["id"]);
  EXPECT_NE(json(call("POST", "/sandboxes", create_body("")))["id"], json(created)["id"]);
  EXPECT_EQ(client().call("POST", "/sandboxes", create_body("other"), key).status, 409);
  const std::string exec = "/sandboxes/" + json(created)["name"].get<std::string>() + "/exec";
  const std::string command = R"({"command":["true"],"detach":true})";
  const auto started = client().call("POST", exec, command, key);
  EXPECT_EQ(client().call("POST", exec, command, key).body, started.body);
  EXPECT_NE(call("POST", exec, command).body, started.body);
}

TEST_F(Api, ABadKeyIsRefused) {
  for (const std::string& key :
       {std::string("a b"), std::string(), std::string(65, 'k'), std::string("k\r\nIdempotency-Key: k")})
    for (const char* target : {"/sandboxes", "/sandboxes/none/exec", "/vm"}) {
      const std::string body = target == std::string("/sandboxes/none/exec") ? R"({"command":["true"],"detach":true})"
                               : target == std::string("/vm")
                                   ? dump({{"agent_name", "a"}, {"workspace_dir", world.workspace}})
                                   : create_body("box");
      const auto response = client().call("POST", target, body, "Idempotency-Key: " + key + "\r\n");
      EXPECT_EQ(response.status, 400) << key << " " << target;
      EXPECT_NE(response.body.find("Idempotency-Key"), std::string::npos) << response.body;
    }
  EXPECT_TRUE(sandboxes->registry.list().empty());
}

struct Refused {
  const char* what;
  const char* method;
  const char* target;
  const char* body;
  int status;
  const char* says;
};

const Refused kRefused[] = {
    {"an unknown path", "GET", "/nothing", "", 404, "/nothing"},
    {"an empty name", "GET", "/sandboxes/", "", 404, "/sandboxes/"},
    {"a path too long", "GET", "/vm/x/y", "", 404, "/vm/x/y"},
    {"no such sandbox", "POST", "/sandboxes/none/start", "", 404, "none"},
    {"a name that climbs", "GET", "/sandboxes/..%2Fx", "", 400, "../x"},
    {"an unknown field", "POST", "/sandboxes", R"({"agent":"shell","colour":"red"})", 400, "colour"},
    {"an unknown field of the vendor's", "POST", "/vm", R"({"agent_name":"a","workspace_dir":"/","x":1})", 400,
     "\\\"x\\\""},
    {"a missing field", "POST", "/vm", R"({"agent_name":"a"})", 400, "workspace_dir"},
    {"a mistyped field", "POST", "/sandboxes", R"({"agent":1})", 400, "agent"},
    {"not JSON", "POST", "/sandboxes", "{", 400, "JSON"},
    {"an array", "POST", "/sandboxes", "[]", 400, "object"},
    {"an unknown parameter", "GET", "/sandboxes?all=1", "", 400, "all"},
    {"a body where there is none", "POST", "/reset", R"({"force":true})", 400, "force"},
    {"a grace of minus one", "POST", "/sandboxes/none/stop", R"({"grace_ms":-1})", 400, "grace_ms"},
    {"the root as a workspace", "POST", "/vm", R"({"agent_name":"a","workspace_dir":"/"})", 400, "/"},
    {"an exec without an upgrade", "POST", "/sandboxes/none/exec", R"({"command":["true"]})", 400, "Upgrade"},
    {"an exec of nothing", "POST", "/sandboxes/none/exec", "{}", 400, "command"},
    {"a console that is neither on nor off", "GET", "/sandboxes/none/logs?console=yes", "", 400, "console"},
    {"a bad tail", "GET", "/sandboxes/none/logs?tail=x", "", 400, "tail"},
    {"a bad position", "GET", "/sandboxes/none/logs?from=-1", "", 400, "from"},
};

TEST_F(Api, RefusesWithAReasonAndTheFittingStatus) {
  for (const auto& [what, method, target, body, status, says] : kRefused) {
    const auto response = call(method, target, body);
    EXPECT_EQ(response.status, status) << what << ": " << response.body;
    EXPECT_NE(response.body.find(says), std::string::npos) << what << ": " << response.body;
    EXPECT_TRUE(json(response)["error"]["code"].is_string()) << what;
  }
}

TEST_F(Api, AWrongMethodIsToldTheRightOnes) {
  const auto response = call("PUT", "/vm");
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(response.header("Allow"), "GET, POST");
}

TEST_F(Api, AConnectionServesManyRequests) {
  auto connection = client();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(connection.call("GET", "/version").status, 200);
  EXPECT_EQ(connection.call("GET", "/none").status, 404);
  EXPECT_EQ(connection.call("GET", "/version").status, 200);
}

TEST_F(Api, PipelinedRequestsAreAnsweredInOrder) {
  auto connection = client();
  connection.send("GET /version HTTP/1.1\r\n\r\nGET /none HTTP/1.1\r\n\r\n");
  EXPECT_EQ(connection.receive().status, 200);
  EXPECT_EQ(connection.receive().status, 404);
}

TEST_F(Api, ALargeBodyIsRefusedBeforeItIsRead) {
  auto connection = client();
  connection.send("POST /sandboxes HTTP/1.1\r\nContent-Length: 1048577\r\n\r\n");
  EXPECT_EQ(connection.receive().status, 413);
  EXPECT_TRUE(connection.is_closed());
}

TEST_F(Api, AClientThatStillSendsCanReadWhyItWasRefused) {
  for (const char* target : {"/templates/build?build=%7B%7D", "/sandboxes"}) {
    auto connection = client();
    connection.send(sbx::format("POST {} HTTP/1.1\r\nContent-Length: 2000000\r\n\r\nfirst", target));
    const int status = connection.receive().status;
    EXPECT_TRUE(status == 400 || status == 413) << target << ": " << status;
    EXPECT_TRUE(connection.sends(std::string(100'000, 'x'))) << target;
    EXPECT_TRUE(connection.is_closed()) << target;
  }
}

TEST_F(Api, ALargeExecIsRefused) {
  const std::string body = dump({{"command", {std::string(250 << 10, 'x')}}});
  EXPECT_EQ(call("POST", "/sandboxes/none/exec", body).status, 413);
}

TEST_F(Api, HostileHeadsAreRefusedAndTheConnectionEnds) {
  for (const char* head : {"GET / HTTP/1.0\r\n\r\n", "\r\n\r\n", "GET /\n\n", "GET / HTTP/1.1\r\nA : b\r\n\r\n",
                           "POST /vm HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                           "POST /vm HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
    auto connection = client();
    connection.send(head);
    EXPECT_EQ(connection.receive().status, 400) << head;
    EXPECT_TRUE(connection.is_closed()) << head;
  }
}

class ImpatientApi : public Api {
 protected:
  ImpatientApi() : Api(Patience{milliseconds(300), milliseconds(50)}) {}
};

TEST_F(ImpatientApi, AHeadThatDoesNotComeTimesOut) {
  auto connection = client();
  connection.send("GET /version HT");
  EXPECT_EQ(connection.receive().status, 408);
  EXPECT_TRUE(connection.is_closed());
}

TEST_F(ImpatientApi, ABodyThatDoesNotComeTimesOut) {
  auto connection = client();
  connection.send("POST /vm HTTP/1.1\r\nContent-Length: 10\r\n\r\n{");
  EXPECT_EQ(connection.receive().status, 408);
}

TEST_F(ImpatientApi, ASilentConnectionIsClosedWithoutAWord) { EXPECT_TRUE(client().is_closed()); }

TEST_F(Api, AtMost256ConnectionsAreServedAtOnce) {
  std::vector<ApiClient> many;
  for (std::size_t i = 0; i < Server::kMostConnections; ++i) {
    many.push_back(client());
    ASSERT_EQ(many.back().call("GET", "/version").status, 200);
  }
  auto one_more = client();
  EXPECT_EQ(one_more.receive().status, 503);
}

TEST_F(Api, AnotherUserIsRefused) {
  if (::getuid() != 0) GTEST_SKIP() << "needs root to be somebody else";
  ASSERT_EQ(::chmod(world.root.c_str(), 0755), 0);
  ASSERT_EQ(::chmod(world.home.root().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(world.home.socket().c_str(), 0666), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setresuid(4242, 4242, 4242) != 0) ::_exit(1);
    ::_exit(client().receive().status == 403 ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(Api, AnExecIsHandedToTheShim) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  auto connection = client();
  connection.send(
      "POST /sandboxes/box/exec HTTP/1.1\r\nUpgrade: sandbox-exec\r\nConnection: Upgrade\r\nContent-Length: 22\r\n\r\n"
      R"({"command":["a","b"]}
)");
  const std::string all = connection.receive_all();
  EXPECT_TRUE(all.starts_with("HTTP/1.1 101 ")) << all;
  EXPECT_TRUE(all.ends_with(R"({"command":["a","b"]})")) << all;
}

TEST_F(Api, BytesBeforeTheUpgradeAreRefused) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  auto connection = client();
  connection.send(
      "POST /sandboxes/box/exec HTTP/1.1\r\nUpgrade: sandbox-exec\r\nContent-Length: "
      "17\r\n\r\n{\"command\":[\"a\"]}early");
  EXPECT_EQ(connection.receive().status, 400);
}

TEST_F(Api, ADetachedExecAnswersWithItsPid) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  const auto response = call("POST", "/sandboxes/box/exec", R"({"command":["true"],"detach":true})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(json(response)["pid"], 42);
}

TEST_F(Api, ProgressIsStreamedAndEndsWithTheResult) {
  auto connection = client();
  const std::string body = create_body("box");
  connection.send("POST /sandboxes HTTP/1.1\r\nAccept: text/event-stream\r\nContent-Length: " +
                  std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_EQ(connection.receive_head().status, 200);
  const std::string all = connection.receive_all();
  EXPECT_NE(all.find("event: progress\ndata: {\"step\":\"unpacking\",\"done\":1,\"total\":2}\n\n"), std::string::npos)
      << all;
  EXPECT_NE(all.find("event: result\ndata: {\"id\""), std::string::npos) << all;
  EXPECT_TRUE(connection.is_whole());
}

TEST_F(Api, AFailedCreateIsStreamedAsAnError) {
  world.before_template = [](const std::string&) { return fail(Code::kUnavailable, "mmdebstrap is not installed"); };
  auto connection = client();
  const std::string body = create_body("box");
  connection.send("POST /sandboxes HTTP/1.1\r\nAccept: text/event-stream\r\nContent-Length: " +
                  std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_EQ(connection.receive_head().status, 200);
  EXPECT_NE(connection.receive_all().find("event: error\ndata: {\"error\":{\"code\":\"unavailable\""),
            std::string::npos);
}

TEST_F(Api, EventsAreStreamed) {
  auto connection = client();
  connection.send("GET /events HTTP/1.1\r\n\r\n");
  EXPECT_EQ(connection.receive_head().status, 200);
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  const std::string event = connection.receive_until("\n\n");
  EXPECT_TRUE(event.starts_with("event: create\ndata: {\"time\":")) << event;
  EXPECT_NE(event.find("\"sandbox\":\"box\""), std::string::npos) << event;
}

TEST_F(Api, LogsAreTheirLastLines) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  EXPECT_EQ(client().stream("/sandboxes/box/logs"), "");
  std::string log;
  for (int i = 0; i < 30000; ++i) log += std::to_string(i) + "\n";
  ASSERT_TRUE(replace_file(world.home.machine("box") + "/output.log", log));
  EXPECT_EQ(client().stream("/sandboxes/box/logs"), log);
  EXPECT_EQ(client().stream("/sandboxes/box/logs?tail=2"), "29998\n29999\n");
  EXPECT_EQ(client().stream("/sandboxes/box/logs?tail=0"), "");
  EXPECT_EQ(client().stream("/sandboxes/box/logs?tail=30000"), log);
  EXPECT_EQ(client().stream("/sandboxes/box/logs?tail=99999"), log);
  EXPECT_EQ(client().stream("/sandboxes/box/logs?tail=15000").size(), 15000u * 6);
}

TEST_F(Api, AConsoleIsTheLogOfAKernelOfItsOwn) {
  ASSERT_EQ(call("POST", "/sandboxes", text_of(world.virtual_machine("own"))).status, 201);
  EXPECT_EQ(client().stream("/sandboxes/own/logs?console=1"), "");
  ASSERT_TRUE(replace_file(world.home.machine("own") + "/console.log", "Linux\r\n\x1b[1mpanic\r\n"));
  EXPECT_EQ(client().stream("/sandboxes/own/logs?console=1"), "Linux\r\n\x1b[1mpanic\r\n");
  EXPECT_EQ(client().stream("/sandboxes/own/logs?console=1&tail=1"), "\x1b[1mpanic\r\n");
  EXPECT_EQ(client().stream("/sandboxes/own/logs"), "");
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  const auto none = call("GET", "/sandboxes/box/logs?console=1");
  EXPECT_EQ(none.status, 400);
  EXPECT_EQ(json(none)["error"]["message"], "sandbox box has no console: its kernel is the host's");
}

TEST_F(Api, FollowedLogsGoOnUntilTheSandboxStops) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  ASSERT_EQ(call("POST", "/sandboxes/box/start").status, 200);
  const std::string path = world.home.machine("box") + "/output.log";
  // As the shim does: the log is open for writing for as long as the sandbox runs.
  auto log = open_path(path, O_WRONLY | O_CREAT | O_APPEND);
  ASSERT_TRUE(write_all(*log, "one\n"));
  auto connection = client();
  connection.send("GET /sandboxes/box/logs?follow=1 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(connection.receive_head().status, 200);
  EXPECT_EQ(connection.receive_until("one\n"), "one\n");
  ASSERT_TRUE(write_all(*log, "two\n"));
  EXPECT_EQ(connection.receive_until("two\n"), "two\n");
  log->reset();
  EXPECT_TRUE(connection.is_closed());
  EXPECT_TRUE(connection.is_whole());
}

TEST_F(Api, LogsGoOnFromAPosition) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  ASSERT_TRUE(replace_file(world.home.machine("box") + "/output.log", "one\ntwo\n"));
  EXPECT_EQ(client().stream("/sandboxes/box/logs?from=0"), "one\ntwo\n");
  EXPECT_EQ(client().stream("/sandboxes/box/logs?from=4"), "two\n");
  EXPECT_EQ(client().stream("/sandboxes/box/logs?from=8"), "");
  EXPECT_EQ(client().stream("/sandboxes/box/logs?from=9"), "one\ntwo\n") << "it was begun anew";
  for (const char* query : {"?tail=1", "?from=4"}) {
    auto connection = client();
    connection.send("GET /sandboxes/box/logs" + std::string(query) + " HTTP/1.1\r\n\r\n");
    EXPECT_EQ(connection.receive_head().header("Log-Position"), "4") << query;
  }
}

TEST_F(Api, APositionOfTheLogOutlastsThatItIsBegunAnew) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  const std::string head = "[sandbox: 1000 bytes of earlier output were dropped]\n";
  ASSERT_TRUE(replace_file(world.home.machine("box") + "/output.log", head + "one\ntwo\n"));
  EXPECT_EQ(client().stream("/sandboxes/box/logs?from=1004"), "two\n");
  EXPECT_EQ(client().stream("/sandboxes/box/logs?from=1000"), "one\ntwo\n");
  EXPECT_EQ(client().stream("/sandboxes/box/logs?from=4"), head + "one\ntwo\n") << "what was missed is told";
  auto connection = client();
  connection.send("GET /sandboxes/box/logs?tail=1 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(connection.receive_head().header("Log-Position"), "1004");
}

TEST_F(Api, WhoFollowsALogThatIsBegunAnewMissesNothing) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  ASSERT_EQ(call("POST", "/sandboxes/box/start").status, 200);
  auto log = open_path(world.home.machine("box") + "/output.log", O_WRONLY | O_CREAT | O_APPEND, 0600);
  const std::string before = std::string(999, 'x') + "\n";
  ASSERT_TRUE(write_all(*log, before));
  auto connection = client();
  connection.send("GET /sandboxes/box/logs?follow=1 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(connection.receive_head().status, 200);
  EXPECT_EQ(connection.receive_until("x\n"), before);
  // More than there was, so that its size does not tell.
  const std::string after = std::string(1999, 'y') + "\n";
  ASSERT_EQ(::ftruncate(log->get(), 0), 0);
  ASSERT_TRUE(write_all(*log, "[sandbox: 1000 bytes of earlier output were dropped]\n" + after));
  EXPECT_EQ(connection.receive_until("y\n"), after) << "nothing was dropped that it had not seen";
  log->reset();
  EXPECT_TRUE(connection.is_closed());
}

TEST_F(Api, FollowedLogsOfAStoppedSandboxEndAtOnce) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  ASSERT_TRUE(replace_file(world.home.machine("box") + "/output.log", "one\n"));
  EXPECT_EQ(client().stream("/sandboxes/box/logs?follow=1"), "one\n");
}

TEST_F(Api, ResetNamesWhatIsGone) {
  ASSERT_EQ(call("POST", "/sandboxes", create_body("box")).status, 201);
  EXPECT_EQ(call("POST", "/reset").body, "{\"removed\":[\"box\"]}\n");
}

TEST_F(Api, ShutdownAsksTheDaemonToEnd) {
  EXPECT_EQ(call("POST", "/shutdown").status, 204);
  EXPECT_EQ(shut_downs, 1);
}

TEST_F(Api, StoppingEndsStreamsAndIdleConnections) {
  auto idle = client();
  EXPECT_EQ(idle.call("GET", "/version").status, 200);
  auto stream = client();
  stream.send("GET /events HTTP/1.1\r\n\r\n");
  EXPECT_EQ(stream.receive_head().status, 200);
  sandboxes->events.close();
  EXPECT_TRUE(server->stop(seconds(30)));
  EXPECT_TRUE(idle.is_closed());
  EXPECT_TRUE(stream.is_closed());
}

}  // namespace
}  // namespace sbx::api
