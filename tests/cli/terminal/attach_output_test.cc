// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/attach_output.h"

#include <gtest/gtest.h>

#include "base/value.h"

namespace sbx::cli {
namespace {

using wire::Kind;

std::string shim_frame(Kind kind, std::string_view payload) {
  const auto header = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
  return std::string(header.begin(), header.end()).append(payload);
}

std::string position_frame(std::int64_t from, std::int64_t live, std::int64_t skipped = 0, std::string modes = {}) {
  return shim_frame(Kind::kPosition, text_of(wire::OutputPosition{from, live, skipped, std::move(modes)}));
}

// What is written for these frames, given in pieces of any size.
struct WrittenFrames {
  WrittenFrames(const std::string& frames, bool on_terminal, std::size_t step) {
    Pipe out = std::move(*make_pipe());
    Pipe err = std::move(*make_pipe());
    AttachOutput output(out.write, err.write, on_terminal);
    for (std::size_t at = 0; at < frames.size(); at += step)
      EXPECT_TRUE(output.feed(std::string_view(frames).substr(at, step)));
    session = output.session();
    output.restore();
    out.write.reset();
    err.write.reset();
    shown = *read_all(out.read, 1 << 20);
    complained = *read_all(err.read, 1 << 20);
  }
  std::string shown;
  std::string complained;
  wire::SessionNumber session = 0;
};

std::string screen_of(const std::string& frames, bool on_terminal = true) {
  const WrittenFrames whole(frames, on_terminal, frames.size());
  EXPECT_EQ(WrittenFrames(frames, on_terminal, 1).shown, whole.shown);
  EXPECT_EQ(WrittenFrames(frames, on_terminal, 7).shown, whole.shown);
  return whole.shown;
}

TEST(AttachOutput, WhatWasPrintedBeforeIsShownWithoutItsQuestions) {
  const std::string frames = position_frame(100, 110) + shim_frame(Kind::kOut, "ab\033[6ncd\033[6n\033[6n");
  EXPECT_EQ(screen_of(frames), "abcd\033[6n\033[6n") << "ten bytes are old, and what is new is asked";
}

TEST(AttachOutput, ASequenceThatBeganBeforeIsWhole) {
  EXPECT_EQ(screen_of(position_frame(0, 4) + shim_frame(Kind::kOut, "ab\033[") + shim_frame(Kind::kOut, "1mcd")),
            "ab\033[1mcd");
}

TEST(AttachOutput, TheTerminalIsMadeAsTheProgramWantsItAndThenAsItWas) {
  const std::string frames =
      position_frame(5000, 5003, 0, "\033[?1049h\033[?25l") + shim_frame(Kind::kOut, "abc\033[?1000hd");
  EXPECT_EQ(screen_of(frames),
            "\033[?1049h\033[?25labc\033[?1000hd"
            "\033[?1000l\033[?25h\033[?1049l");
}

TEST(AttachOutput, WhatTheProgramHasPutBackIsLeftAlone) {
  const std::string output = "\033[?1049hx\033[?1049l";
  EXPECT_EQ(screen_of(shim_frame(Kind::kOut, output)), output);
}

TEST(AttachOutput, ThatOutputWasSkippedIsSaid) {
  const std::string frames =
      shim_frame(Kind::kOut, "\033[?25la") + position_frame(900, 900, 800, "\033[?1049h") + shim_frame(Kind::kOut, "b");
  EXPECT_EQ(screen_of(frames),
            "\033[?25la\033[?25h\r\n[sandbox: 800 bytes of output were skipped]\r\n\033[?1049hb\033[?1049l");
}

TEST(AttachOutput, WhatIsNoTerminalGetsEveryByteAndNoOther) {
  const std::string frames = position_frame(0, 9, 3, "\033[?25l") + shim_frame(Kind::kOut, "a\033[6n\033[?25lb");
  const WrittenFrames written(frames, false, 5);
  EXPECT_EQ(written.shown, "a\033[6n\033[?25lb");
  EXPECT_EQ(written.complained, "[sandbox: 3 bytes of output were skipped]\n");
}

TEST(AttachOutput, TheNumberOfTheSessionIsKnown) {
  EXPECT_EQ(WrittenFrames(shim_frame(Kind::kOpened, R"({"session":12,"pid":7,"more":1})"), true, 5).session, 12u);
  EXPECT_EQ(WrittenFrames(shim_frame(Kind::kOpened, R"({"pid":7})"), true, 5).session, 0u);
}

std::string page_to_open(const std::string& address) { return "\033]7747;open;" + address + "\007"; }

TEST(AttachOutput, APageToBeOpenedIsToldOnceAndOfTheOldOnesTheLast) {
  const std::string old = page_to_open("https://first.example/") + page_to_open("https://last.example/") + "waiting";
  const std::string frames = position_frame(0, static_cast<std::int64_t>(old.size())) + shim_frame(Kind::kOut, old) +
                             shim_frame(Kind::kOut, page_to_open("https://new.example/"));
  for (const std::size_t step : {frames.size(), std::size_t{1}}) {
    Pipe out = std::move(*make_pipe());
    std::vector<std::pair<std::string, LinkAge>> told;
    AttachOutput output(out.write, out.write, true, [&](const std::string& address, LinkAge age) {
      told.emplace_back(address, age);
      return std::string("[shown]");
    });
    for (std::size_t at = 0; at < frames.size(); at += step)
      ASSERT_TRUE(output.feed(std::string_view(frames).substr(at, step)));
    const std::vector<std::pair<std::string, LinkAge>> expected{{"https://last.example/", LinkAge::kOld},
                                                                {"https://new.example/", LinkAge::kNew}};
    EXPECT_EQ(told, expected);
    out.write.reset();
    EXPECT_EQ(*read_all(out.read, 1 << 20), "waiting[shown]" + page_to_open("https://new.example/") + "[shown]");
  }
}

}  // namespace
}  // namespace sbx::cli
