// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "loop/lifeline.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/run_loop.h"

namespace sbx::loop {
namespace {

using std::chrono::milliseconds;

struct Owner {
  explicit Owner(Loop& loop) : lifeline(loop) {}
  Lifeline lifeline;
};

TEST(Lifeline, CallsAreMadeWhileTheObjectIsThere) {
  const auto loop = *Loop::create();
  Owner object(*loop);
  std::string made;
  object.lifeline.later([&] { made += "later "; });
  object.lifeline.after(milliseconds(0), [&] { made += "after "; });
  testing::settle(*loop);
  EXPECT_EQ(made, "after later ");
}

TEST(Lifeline, CallsDieWithTheObject) {
  const auto loop = *Loop::create();
  std::string made;
  {
    Owner object(*loop);
    object.lifeline.later([&] { made += "later "; });
    object.lifeline.after(milliseconds(0), [&] { made += "after "; });
  }
  loop->later([&] { made += "another's"; });
  testing::settle(*loop);
  EXPECT_EQ(made, "another's");
}

TEST(Lifeline, ACallMayDestroyTheObjectOfTheNext) {
  const auto loop = *Loop::create();
  auto object = std::make_unique<Owner>(*loop);
  bool made = false;
  object->lifeline.later([&] { object.reset(); });
  object->lifeline.later([&] { made = true; });
  testing::settle(*loop);
  EXPECT_FALSE(object);
  EXPECT_FALSE(made);
}

TEST(Lifeline, ACallThatIsCalledOffMayHoldAnObjectWithCallsOfItsOwn) {
  const auto loop = *Loop::create();
  bool made = false;
  auto outer = std::make_unique<Owner>(*loop);
  auto inner = std::make_shared<Owner>(*loop);
  inner->lifeline.later([&] { made = true; });
  outer->lifeline.later([inner] {});
  inner.reset();
  outer.reset();
  testing::settle(*loop);
  EXPECT_TRUE(made) << "the inner one was there until the outer one's turn";
}

TEST(Lifeline, EveryWitnessSeesTheEnd) {
  const auto loop = *Loop::create();
  auto object = std::make_unique<Owner>(*loop);
  const Lifeline::Witness outer(object->lifeline);
  {
    const Lifeline::Witness passing(object->lifeline);
    EXPECT_FALSE(passing.gone());
  }
  const Lifeline::Witness inner(object->lifeline);
  EXPECT_FALSE(outer.gone());
  object.reset();
  EXPECT_TRUE(inner.gone());
  EXPECT_TRUE(outer.gone());
}

}  // namespace
}  // namespace sbx::loop
