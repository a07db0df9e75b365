// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/network.h"

#include <gtest/gtest.h>

#include <list>

#include "base/text.h"
#include "guest/init_world.h"

// init's whole network, with a real kernel below it and a host that the test plays. The scripts are Python's, because
// what is to be tried are system calls.
namespace sbx::guest {
namespace {

// Says where the connection was to go, and then everything that it is told.
class Echo final : public streams::Stream::Listener {
 public:
  Echo(const wire::Connect& wanted, std::unique_ptr<streams::Stream> stream) : stream_(std::move(stream)) {
    stream_->send(wanted.host + " " + std::to_string(wanted.port) + "\n");
    stream_->listen(*this);
  }
  void received(std::string_view bytes) override {
    stream_->send(bytes);
    if (stream_->queued() > streams::kHighWater) stream_->pause();
  }
  void drained() override { stream_->resume(); }
  void ended() override { stream_->finish(); }
  void failed(const Error&) override {}

 private:
  std::unique_ptr<streams::Stream> stream_;
};

class NetworkOfInit : public testing::Init {
 protected:
  void SetUp() override {
    Init::SetUp();
    if (IsSkipped()) return;
    host_->on_connect = [this](const wire::Connect& wanted, std::unique_ptr<streams::Stream> stream) {
      echoes_.emplace_back(wanted, std::move(stream));
    };
    wire::GuestConfig config = Init::config();
    config.network.emplace();
    configure(config);
    ASSERT_TRUE(host_->logs.empty()) << host_->logs.front();
  }
  void TearDown() override { echoes_.clear(); }

  // What the script prints. It has talk(host, port): the first line of the answer, or the error.
  std::string python(const std::string& script, const std::string& user = "") {
    static constexpr const char* kPrelude =
        "import socket, os, struct\n"
        "def talk(host, port, kind=socket.SOCK_STREAM):\n"
        "    try:\n"
        "        s = socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET, kind)\n"
        "        s.settimeout(10)\n"
        "        s.connect((host, port))\n"
        "        s.send(b'x')\n"
        "        return s.recv(100).decode().split('\\n')[0]\n"
        "    except OSError as e: return os.strerror(e.errno) if e.errno else str(e)\n";
    wire::ExecRequest request;
    request.command = {"/usr/bin/python3", "-c", kPrelude + script};
    request.user = user;
    request.privileged = user == "root";
    const auto stream = host_->open(request);
    host_->until_exit(stream);
    return std::string(trimmed(host_->execs[stream].out + host_->execs[stream].err));
  }

  std::list<Echo> echoes_;
};

TEST_F(NetworkOfInit, TakesConnectionsToAnyAddressAndSaysWhichItWas) {
  EXPECT_EQ(python("print(talk('1.2.3.4', 80))"), "1.2.3.4 80");
  EXPECT_EQ(python("print(talk('169.254.169.254', 80))"), "169.254.169.254 80");
  EXPECT_EQ(python("print(talk('2001:db8::7', 443))"), "[2001:db8::7] 443");
  EXPECT_EQ(python("print(talk('1.2.3.4', 1021))"), "1.2.3.4 1021") << "our own port at somebody else's";
}

TEST_F(NetworkOfInit, GivesTheNameThatWasAskedFor) {
  EXPECT_EQ(python("print(talk(socket.gethostbyname('Example.com'), 443))"), "example.com 443");
  EXPECT_EQ(python("print(talk(socket.gethostbyname('host.docker.internal'), 3128))"), "host.docker.internal 3128");
  EXPECT_EQ(python("print(socket.gethostbyname('host.docker.internal'))"), "198.18.0.1");
  EXPECT_EQ(python("print(socket.gethostbyaddr(socket.gethostbyname('example.com'))[0])"), "example.com");
  EXPECT_EQ(python("print(len(socket.getaddrinfo('example.com', 443, type=socket.SOCK_STREAM)))"), "1")
      << "no addresses of IPv6";
  EXPECT_EQ(
      python("print(socket.getaddrinfo('example.com', 443, socket.AF_INET, 0, 0, socket.AI_ADDRCONFIG)[0][4][1])"),
      "443");
}

TEST_F(NetworkOfInit, AnAddressOfNoNameIsNobodys) {
  EXPECT_EQ(python("print(talk('198.19.7.7', 80))"), "Connection reset by peer");
}

TEST_F(NetworkOfInit, LeavesTheLoopbackAlone) {
  for (const char* address : {"127.0.0.1", "127.0.0.53", "::1", "198.18.0.2", "localhost"})
    EXPECT_EQ(python("print(talk('" + std::string(address) + "', 53))"), "Connection refused") << address;
  EXPECT_EQ(python("l = socket.create_server(('127.0.0.1', 0)); s = socket.create_connection(l.getsockname())\n"
                   "c = l.accept()[0]; c.send(b'own'); print(s.recv(9).decode())"),
            "own");
  EXPECT_EQ(python("print(socket.gethostbyname('box.localhost'))"), "127.0.0.1");
}

TEST_F(NetworkOfInit, ItsOwnPortIsNoWayOut) {
  EXPECT_EQ(python("print(talk('127.0.0.1', 1021))"), "Connection reset by peer");
  EXPECT_EQ(python("print(talk('198.18.0.2', 1021))"), "Connection reset by peer");
}

TEST_F(NetworkOfInit, WhatIsNotTcpIsUnreachableAtOnce) {
  EXPECT_EQ(python("for a in ('1.2.3.4', '2001:db8::7', '255.255.255.255', '224.0.0.251', '198.18.0.1'):\n"
                   "    print(talk(a, 443, socket.SOCK_DGRAM))"),
            "Network is unreachable\nNetwork is unreachable\nNetwork is unreachable\nNetwork is unreachable\n"
            "Network is unreachable");
  EXPECT_EQ(python("for p in (1, 132, 255):\n"
                   "    s = socket.socket(socket.AF_INET, socket.SOCK_RAW, p)\n"
                   "    try: print(s.sendto(b'\\x45' + bytes(63), ('1.2.3.4', 0)))\n"
                   "    except OSError as e: print(os.strerror(e.errno))",
                   "root"),
            "Network is unreachable\nNetwork is unreachable\nNetwork is unreachable");
}

TEST_F(NetworkOfInit, AnswersQuestionsToAnyNameServerOverUdpAndTcp) {
  const std::string query = R"(
query = bytes.fromhex('abcd01000001000000000000') + b'\x03WwW\x07example\x03com\0' + bytes([0, 1, 0, 1])
def show(answer): print(answer[:4].hex(), answer[12:29].decode('latin1').lower().encode(), socket.inet_ntoa(answer[-4:])[:7])
for server in ('8.8.8.8', '198.18.0.1', '2001:4860:4860::8888'):
    u = socket.socket(socket.AF_INET6 if ':' in server else socket.AF_INET, socket.SOCK_DGRAM)
    u.settimeout(5); u.connect((server, 53)); u.send(query); show(u.recv(600))
t = socket.create_connection(('1.1.1.1', 53)); t.settimeout(5)
t.send(struct.pack('>H', len(query)) + query + struct.pack('>H', len(query))); t.send(query)
for i in range(2):
    size = struct.unpack('>H', t.recv(2, socket.MSG_WAITALL))[0]; show(t.recv(size, socket.MSG_WAITALL))
)";
  std::string expected;
  for (int i = 0; i < 5; ++i) expected += "abcd8180 b'\\x03www\\x07example\\x03com\\x00' 198.18.\n";
  EXPECT_EQ(python(query), trimmed(expected));
}

TEST_F(NetworkOfInit, PassesBytesBothWaysAndTheirEnds) {
  EXPECT_EQ(python(R"(
import hashlib, threading
s = socket.create_connection(('1.2.3.4', 80))
data = os.urandom(1 << 20) * 8
def send(): s.sendall(data); s.shutdown(socket.SHUT_WR)
threading.Thread(target=send).start()
f = s.makefile('rb')
f.readline()
print(f.read() == data)
)"),
            "True");
}

TEST_F(NetworkOfInit, ARefusedConnectionIsClosed) {
  host_->on_connect = nullptr;
  EXPECT_EQ(python(R"(
s = socket.create_connection(('1.2.3.4', 80), timeout=10)
try: print(s.recv(1))
except ConnectionResetError: print(b'')
)"),
            "b''");
}

TEST_F(NetworkOfInit, HoldsThousandsAtOnceAndProgramsKeepTheirLimit) {
  EXPECT_EQ(python(R"(
import resource
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
print(soft)
all = [socket.create_connection(('1.2.3.4', 80)) for i in range(2500)]
for s in all: s.send(b'hello')
print(all[0].recv(9), sum(1 for s in all if s.recv(1, socket.MSG_PEEK)))
)"),
            "1024\nb'1.2.3.4 8' 2500");
}

// What a script prints in a network of its own, 172.30.0.2 and fd00::2, behind the guest, which is 172.30.0.1 and
// fd00::1 there and tells whoever comes to port 8000.
std::string in_nested_network(const std::string& script) {
  return R"(
import subprocess, sys, time
def run(line): subprocess.run(line, shell=True, check=True)
nested = subprocess.Popen(['unshare', '-n', 'sh', '-c', 'read x; exec python3 -c "$SCRIPT"'], stdin=subprocess.PIPE, env=dict(os.environ, SCRIPT='''
import os, socket
)" + script +
         R"(
s = socket.create_connection(('172.30.0.1', 8000)); print(s.recv(100).decode())
'''))
while os.readlink('/proc/%d/ns/net' % nested.pid) == os.readlink('/proc/self/ns/net'): time.sleep(0.01)
run('ip link add v0 type veth peer name v1 netns %d' % nested.pid)
run('ip addr add 172.30.0.1/24 dev v0; ip -6 addr add fd00::1/64 dev v0 nodad; ip link set v0 up')
inside = 'nsenter -n -t %d ip ' % nested.pid
for words in ('addr add 172.30.0.2/24 dev v1', '-6 addr add fd00::2/64 dev v1 nodad', 'link set v1 up', 'route add default via 172.30.0.1', '-6 route add default via fd00::1'): run(inside + words)
server = socket.create_server(('172.30.0.1', 8000))
nested.stdin.write(b'\n'); nested.stdin.flush()
c = server.accept()[0]; c.send(b'from the guest'); c.close()
nested.wait()
)";
}

TEST_F(NetworkOfInit, CarriesNestedNetworks) {
  if (!find_program("ip")) GTEST_SKIP() << "ip is not installed";
  EXPECT_EQ(python(in_nested_network(R"(
for address in ('1.2.3.4', '2001:db8::7'):
    s = socket.create_connection((address, 80)); s.send(b'x'); print(s.recv(100).decode().split(chr(10))[0])
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.settimeout(5); u.connect(('8.8.8.8', 53))
u.send(bytes.fromhex('abcd01000001000000000000') + bytes([3]) + b'www' + bytes([0, 0, 1, 0, 1])); print(u.recv(600)[:4].hex())
)"),
                   "root"),
            "1.2.3.4 80\n[2001:db8::7] 80\nabcd8180\nfrom the guest");
}

// An error that comes back for the packet before: without one, the answer is waited for until it is too late.
TEST_F(NetworkOfInit, WhatIsNotTcpOfNestedNetworksIsRefusedAtOnce) {
  if (!find_program("ip")) GTEST_SKIP() << "ip is not installed";
  EXPECT_EQ(python(in_nested_network(R"(
for family, kind, protocol, address in ((socket.AF_INET, socket.SOCK_DGRAM, 0, '1.2.3.4'), (socket.AF_INET6, socket.SOCK_DGRAM, 0, '2001:db8::7'),
                                        (socket.AF_INET, socket.SOCK_RAW, 1, '1.2.3.4'), (socket.AF_INET, socket.SOCK_RAW, 132, '1.2.3.4')):
    s = socket.socket(family, kind, protocol); s.settimeout(20); s.connect((address, 443))
    s.send(b'%c' % 8 + bytes(15))
    try: print(s.recv(100))
    except socket.timeout: print('late')
    except OSError as e: print(os.strerror(e.errno))
)"),
                   "root"),
            "No route to host\nPermission denied\nNo route to host\nNo route to host\nfrom the guest");
}

TEST_F(NetworkOfInit, ServesPublishedPorts) {
  const auto server = open(
      "python3 -c \"import socket\nfor f, a in ((socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::1')):\n"
      "    s = socket.create_server((a, 8080 if f == socket.AF_INET else 8081), family=f); print('up', flush=True)\n"
      "    c = s.accept()[0]; c.sendall(b'<' + c.recv(100) + b'>'); c.close()\"");
  for (const std::uint16_t port : std::initializer_list<std::uint16_t>{8080, 8081}) {
    host_->until([&] { return host_->execs[server].out.size() >= (port == 8080 ? 3u : 6u); });
    struct Ear final : streams::Stream::Listener {
      void received(std::string_view bytes) override { got += bytes; }
      void ended() override {
        over = true;
        host->changed();
      }
      void failed(const Error&) override {
        over = true;
        host->changed();
      }
      void drained() override {}
      testing::FakeHost* host = nullptr;
      std::string got;
      bool over = false;
    } ear;
    ear.host = host_.get();
    const auto stream = host_->accept(port);
    stream->listen(ear);
    stream->send("hello");
    host_->until([&] { return ear.over; });
    EXPECT_EQ(ear.got, "<hello>") << port;
  }
}

TEST_F(NetworkOfInit, NobodyAtAPublishedPortIsAReset) {
  struct Ear final : streams::Stream::Listener {
    void received(std::string_view) override {}
    void ended() override {}
    void failed(const Error&) override {
      failure = true;
      host->changed();
    }
    void drained() override {}
    testing::FakeHost* host = nullptr;
    bool failure = false;
  } ear;
  ear.host = host_.get();
  const auto stream = host_->accept(9);
  stream->listen(ear);
  host_->until([&] { return ear.failure; });
  EXPECT_TRUE(ear.failure);
}

TEST_F(NetworkOfInit, ForgetsOldNamesForNewOnes) {
  EXPECT_EQ(python(R"(
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.settimeout(5); u.connect(('8.8.8.8', 53))
def ask(name):
    u.send(bytes.fromhex('abcd01000001000000000000') + bytes([len(name)]) + name + bytes([0, 0, 1, 0, 1])); return u.recv(600)[-4:]
first = ask(b'first')
for i in range(70000): ask(b'n%d' % i)
print(ask(b'n69999') == ask(b'n69999'), ask(b'first') != first)
)"),
            "True True");
}

}  // namespace
}  // namespace sbx::guest
