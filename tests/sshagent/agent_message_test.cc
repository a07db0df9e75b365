// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/agent_message.h"

#include <gtest/gtest.h>

#include "sshagent/line_message.h"
#include "sshagent/message_reader.h"
#include "sshagent/ssh_strings.h"

namespace sbx::sshagent {
namespace {

const std::string kKey = "a public key";
const std::string kSession(32, 's');

// What a client signs to log in, with a part of it changed.
struct Signed {
  std::string session = kSession;
  std::uint8_t message = 50;
  std::string user = "git";
  std::string service = "ssh-connection";
  std::string method = "publickey";
  std::uint8_t has_signature = 1;
  std::string algorithm = "ssh-ed25519";
  std::string key = kKey;
  std::string host_key{};
  std::string rest{};

  std::string bytes() const {
    SshWriter into;
    into.text(session);
    into.byte(message);
    into.text(user);
    into.text(service);
    into.text(method);
    into.byte(has_signature);
    into.text(algorithm);
    into.text(key);
    if (!host_key.empty()) into.text(host_key);
    return into.take() + rest;
  }
};

std::string sign_request(std::string_view data, std::uint32_t flags = 0, std::string_view key = kKey) {
  SshWriter into;
  into.byte(13);
  into.text(key);
  into.text(data);
  into.number(flags);
  return into.take();
}

bool passes(const Signed& what, std::uint32_t flags = 0) {
  return parse_request(sign_request(what.bytes(), flags)).has_value();
}

TEST(AgentMessage, KeysAreListed) {
  const auto request = parse_request("\x0b");
  ASSERT_TRUE(request);
  EXPECT_TRUE(std::holds_alternative<ListKeys>(*request));
  EXPECT_EQ(encode(ListKeys{}), "\x0b");
  EXPECT_FALSE(parse_request(std::string("\x0b\0", 2)));
}

TEST(AgentMessage, ALoginIsWrittenAsItWasRead) {
  Signed bound;
  bound.method = "publickey-hostbound-v00@openssh.com";
  bound.host_key = "the server's";
  for (const Signed& what : {Signed{}, bound}) {
    const std::string message = sign_request(what.bytes(), 4);
    const auto request = parse_request(message);
    ASSERT_TRUE(request);
    const Sign& sign = std::get<Sign>(*request);
    EXPECT_EQ(sign.login.user, "git");
    EXPECT_EQ(sign.login.host_key, what.host_key);
    EXPECT_EQ(encode(sign), message);
  }
}

TEST(AgentMessage, NothingButALoginIsSigned) {
  EXPECT_TRUE(passes({}));
  EXPECT_FALSE(parse_request(sign_request("any bytes at all")));
  EXPECT_FALSE(parse_request(sign_request(std::string("SSHSIG\0\0\0\3git\0\0\0\0\0\0\0\6sha512", 28))))
      << "git commit -S";
  EXPECT_FALSE(parse_request(sign_request("")));
  const auto changed = [](auto change) {
    Signed what;
    change(what);
    return passes(what);
  };
  EXPECT_FALSE(changed([](Signed& what) { what.session = "short"; }));
  EXPECT_FALSE(changed([](Signed& what) { what.session = std::string(65, 's'); }));
  EXPECT_FALSE(changed([](Signed& what) { what.message = 51; }));
  EXPECT_FALSE(changed([](Signed& what) { what.user = ""; }));
  EXPECT_FALSE(changed([](Signed& what) { what.user = "two\nlines"; })) << "it goes into a log";
  EXPECT_FALSE(changed([](Signed& what) { what.user = std::string(257, 'u'); }));
  EXPECT_FALSE(changed([](Signed& what) { what.service = "ssh-userauth"; }));
  EXPECT_FALSE(changed([](Signed& what) { what.method = "hostbased"; }));
  EXPECT_FALSE(changed([](Signed& what) { what.has_signature = 0; }));
  EXPECT_FALSE(changed([](Signed& what) { what.has_signature = 2; }));
  EXPECT_FALSE(changed([](Signed& what) { what.algorithm = ""; }));
  EXPECT_FALSE(changed([](Signed& what) { what.key = "another key"; }));
  EXPECT_FALSE(changed([](Signed& what) { what.host_key = "unasked"; })) << "only the other method has one";
  EXPECT_FALSE(changed([](Signed& what) { what.method = "publickey-hostbound-v00@openssh.com"; }))
      << "without a host key";
  EXPECT_FALSE(changed([](Signed& what) { what.rest = "x"; }));
}

TEST(AgentMessage, NothingIsLeftOrMissing) {
  const std::string whole = sign_request(Signed{}.bytes());
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(parse_request(whole.substr(0, size))) << size;
  EXPECT_FALSE(parse_request(whole + "x"));
  EXPECT_FALSE(passes({}, 1)) << "a flag that is reserved";
  EXPECT_FALSE(passes({}, 6)) << "two hashes at once";
  EXPECT_TRUE(passes({}, 2));
  EXPECT_FALSE(parse_request(sign_request(Signed{.session = kSession, .key = ""}.bytes(), 0, "")));
  const std::string large(5000, 'k');
  EXPECT_FALSE(parse_request(sign_request(Signed{.session = kSession, .key = large}.bytes(), 0, large)));
}

TEST(AgentMessage, NoOtherMessagePasses) {
  // Add, add constrained, remove, remove all, lock, unlock, smart cards, other extensions: all that there are.
  for (int kind = 0; kind < 256; ++kind) {
    if (kind == 11 || kind == 13) continue;
    EXPECT_FALSE(parse_request(std::string(1, static_cast<char>(kind)))) << kind;
    std::string like_a_sign = sign_request(Signed{}.bytes());
    like_a_sign[0] = static_cast<char>(kind);
    EXPECT_FALSE(parse_request(like_a_sign)) << kind;
  }
}

std::string bind_message(const BindSession& bind, std::string_view name = "session-bind@openssh.com") {
  SshWriter into;
  into.byte(27);
  into.text(name);
  into.text(bind.proof.host_key);
  into.text(bind.session);
  into.text(bind.proof.signature);
  into.byte(bind.forwarding ? 1 : 0);
  return into.take();
}

TEST(AgentMessage, ASessionIsBoundAndNoOtherExtensionPasses) {
  const BindSession bind{{"host key", "signature"}, kSession, true};
  const std::string message = bind_message(bind);
  const auto request = parse_request(message);
  ASSERT_TRUE(request);
  EXPECT_EQ(std::get<BindSession>(*request), bind);
  EXPECT_FALSE(parse_request(bind_message(bind, "query")));
  EXPECT_FALSE(parse_request(bind_message({{"host key", "signature"}, "short", false})));
  EXPECT_FALSE(parse_request(bind_message({{"", "signature"}, kSession, false})));
  EXPECT_FALSE(parse_request(message + "x"));
  for (std::size_t size = 0; size < message.size(); ++size)
    EXPECT_FALSE(parse_request(message.substr(0, size))) << size;
}

TEST(AgentMessage, OfTheAgentsKeysTheCommentsStay) {
  SshWriter into;
  into.byte(12);
  into.number(2);
  for (const char* text : {"first", "me@my-machine", "second", "/home/me/.ssh/id"}) into.text(text);
  const std::string answer = into.take();
  const auto keys = parse_keys(answer);
  ASSERT_TRUE(keys);
  EXPECT_EQ(*keys, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(encode_keys(*keys).find("me"), std::string::npos);
  EXPECT_EQ(parse_keys(encode_keys(*keys)), *keys);
  EXPECT_FALSE(parse_keys(answer.substr(0, answer.size() - 1)));
  EXPECT_FALSE(parse_keys(answer + "x"));
  EXPECT_FALSE(parse_keys("\x05"));
  EXPECT_FALSE(parse_keys(""));
}

TEST(AgentMessage, SoManyKeysAreListedAndNoMore) {
  SshWriter into;
  into.byte(12);
  into.number(100);
  for (int i = 0; i < 100; ++i) {
    into.text(std::string(4096, 'k'));
    into.text("");
  }
  const auto keys = parse_keys(into.take());
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->size(), 8u) << "32 KiB in all";
}

TEST(AgentMessage, ASignatureIsPassedOnWhole) {
  EXPECT_EQ(parse_signature(encode_signature("signed")), "signed");
  EXPECT_FALSE(parse_signature(encode_signature("")));
  EXPECT_FALSE(parse_signature(encode_signature("signed") + "x"));
  EXPECT_FALSE(parse_signature(encode_failure()));
}

TEST(MessageReader, PutsMessagesTogether) {
  MessageReader reader(8);
  const std::string two = framed("one") + framed("eightlng");
  for (const char c : two.substr(0, 6)) {
    reader.add(std::string(1, c));
    EXPECT_FALSE(reader.next());
  }
  reader.add(two.substr(6));
  EXPECT_EQ(reader.next(), "one");
  EXPECT_EQ(reader.next(), "eightlng");
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.is_broken());
}

TEST(MessageReader, IsBrokenByWhatIsTooLargeOrEmpty) {
  for (const std::string& bytes : {framed("ninebytes"), framed(""), std::string("\xff\xff\xff\xff")}) {
    MessageReader reader(8);
    reader.add(bytes);
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.is_broken());
    reader.add(framed("good"));
    EXPECT_FALSE(reader.next());
  }
}

TEST(SignerPackets, AreDecodedAsTheyWereEncoded) {
  const SignAt sign{{kKey, 2, {kSession, "git", "ssh-ed25519", "host key"}}, "example.com", "host key"};
  const auto ask = decode_ask(encode(Ask{7, sign}));
  ASSERT_TRUE(ask);
  EXPECT_EQ(ask->ticket, 7u);
  EXPECT_EQ(std::get<SignAt>(ask->request), sign);
  EXPECT_TRUE(std::holds_alternative<ListKeys>(decode_ask(encode(Ask{8, ListKeys{}}))->request));
  const auto keys = decode_answer(encode(Answer{9, Keys{{"a", "b"}}}));
  ASSERT_TRUE(keys);
  EXPECT_EQ(std::get<Keys>(keys->outcome).keys, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(std::get<Signature>(decode_answer(encode(Answer{9, Signature{"s"}}))->outcome).signature, "s");
  EXPECT_TRUE(std::holds_alternative<Refused>(decode_answer(encode(Answer{9, Refused{}}))->outcome));
}

TEST(SignerPackets, OfATakenOverShimHaveNothingElseSigned) {
  const SignAt good{{kKey, 0, {kSession, "git", "ssh-ed25519", ""}}, "example.com", "host key"};
  const std::string packet = encode(Ask{1, good});
  EXPECT_TRUE(decode_ask(packet));
  EXPECT_FALSE(decode_ask(packet + "x"));
  EXPECT_FALSE(decode_ask(packet.substr(0, packet.size() - 1)));
  SignAt bad = good;
  bad.sign.login.session = "not a hash";
  EXPECT_FALSE(decode_ask(encode(Ask{1, bad})));
  bad = good;
  bad.sign.key = std::string(5000, 'k');
  EXPECT_FALSE(decode_ask(encode(Ask{1, bad})));
  bad = good;
  bad.sign.flags = 8;
  EXPECT_FALSE(decode_ask(encode(Ask{1, bad})));
  bad = good;
  bad.host = "";
  EXPECT_FALSE(decode_ask(encode(Ask{1, bad})));
}

}  // namespace
}  // namespace sbx::sshagent
