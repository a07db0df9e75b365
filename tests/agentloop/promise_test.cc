// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/promise.h"

#include <gtest/gtest.h>

#include "agentloop/transcript.h"

namespace sbx::agentloop {
namespace {

struct Case {
  const char* words;
  bool tagged;
  bool plain;
};

TEST(Promise, CountsOnlyAsTheLastLineThatIsNotEmpty) {
  const Case cases[] = {
      {"<promise>DONE</promise>", true, true},
      {"All is well.\n<promise>DONE</promise>\n\n  \n", true, true},
      {"  <PROMISE> done </Promise>  \r\n", true, true},
      {"\x1b[32m<promise>DONE</promise>\x1b[0m", true, true},
      {"DONE", false, true},
      {"it is\nDONE\n", false, true},
      {"done", false, false},
      {"<promise>DONE</promise>\nbut first the tests", false, false},
      {"I will say <promise>DONE</promise>", false, false},
      {"<promise>DONE</promise> I think", false, false},
      {"<promise>NOT DONE</promise>", false, false},
      {"<promise>DONE</promise", false, false},
      {"<promise></promise>", false, false},
      {"NOT DONE", false, false},
      {"`<promise>DONE</promise>`", false, false},
      {"", false, false},
      {"\n\n", false, false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(is_promised(without_colours(c.words), "DONE", PromiseForm::kTagged), c.tagged) << c.words;
    EXPECT_EQ(is_promised(without_colours(c.words), "DONE", PromiseForm::kPlain), c.plain) << c.words;
  }
}

TEST(Promise, NoneIsNeverKept) {
  EXPECT_FALSE(is_promised("", "", PromiseForm::kPlain));
  EXPECT_FALSE(is_promised("<promise></promise>", "", PromiseForm::kTagged));
}

TEST(Promise, IsNotTakenFromAnEchoOfThePrompt) {
  const std::string prompt = "Do it, and end with\n<promise>DONE</promise>";
  Transcript echo(Dialect::kText, prompt);
  echo.take("I was asked:\n" + prompt + "\n");
  EXPECT_FALSE(is_promised(echo.words(), "DONE", PromiseForm::kPlain));
  Transcript twice(Dialect::kText, prompt);
  twice.take(prompt + "\n" + prompt + "\n");
  EXPECT_FALSE(is_promised(twice.words(), "DONE", PromiseForm::kPlain));
  Transcript kept(Dialect::kText, prompt);
  kept.take(prompt + "\nIt is done.\n<promise>DONE</promise>\n");
  EXPECT_TRUE(is_promised(kept.words(), "DONE", PromiseForm::kPlain));
}

}  // namespace
}  // namespace sbx::agentloop
