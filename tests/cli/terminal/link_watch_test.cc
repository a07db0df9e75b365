// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/link_watch.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

using Links = std::vector<std::string>;

TEST(LinkWatch, FindsAddressesBetweenOtherOutputInPiecesOfAnySize) {
  const std::string output =
      "text\033[1m\033]7747;open;https://a.example/\007more\033]0;title\007\033]7747;open;https://b.example/\033\\end";
  for (const std::size_t step : {output.size(), std::size_t{1}, std::size_t{7}}) {
    LinkWatch watch;
    Links found;
    for (std::size_t at = 0; at < output.size(); at += step)
      for (std::string& link : watch.feed(std::string_view(output).substr(at, step))) found.push_back(std::move(link));
    EXPECT_EQ(found, (Links{"https://a.example/", "https://b.example/"})) << step;
  }
}

TEST(LinkWatch, ASequenceThatIsBrokenOrTooLongIsNone) {
  EXPECT_TRUE(LinkWatch().feed("\033]7747;open;https://a.example/\030").empty());
  EXPECT_TRUE(LinkWatch().feed("\033]7747;close;x\007\033]774;open;x\007").empty());
  EXPECT_TRUE(LinkWatch().feed("\033]7747;open;" + std::string(5000, 'a')).empty());
}

}  // namespace
}  // namespace sbx::cli
