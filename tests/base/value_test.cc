// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/value.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>

#include "base/operation.h"

namespace sbx {
namespace {

enum class Colour { kRed, kGreen };
constexpr auto choices(Colour) {
  return std::to_array<Choice<Colour>>({{Colour::kRed, "red"}, {Colour::kGreen, "green"}});
}

struct Wheel {
  std::uint16_t spokes = 0;
  Colour colour = Colour::kRed;
};
void describe(Members& members, Wheel& wheel) {
  members.required("spokes", wheel.spokes);
  members.optional("colour", wheel.colour);
  members.check(wheel.spokes != 13, "thirteen spokes");
}

struct Cart {
  std::string name;
  std::vector<Wheel> wheels;
  std::optional<Wheel> spare;
  std::vector<std::pair<std::string, std::string>> stickers;
  std::vector<std::string> passengers;
  bool covered = false;
  double weight = 0;
  Json load = Json::object();
};
void describe(Members& members, Cart& cart) {
  members.required("name", cart.name);
  members.optional("wheels", cart.wheels);
  members.sparse("spare", cart.spare);
  members.optional("stickers", cart.stickers);
  members.sparse("passengers", cart.passengers);
  members.sparse("covered", cart.covered);
  members.optional("weight", cart.weight);
  members.optional("load", cart.load);
}

constexpr const char* kWhole = R"({"name":"a","wheels":[{"spokes":8,"colour":"green"},{"spokes":9,"colour":"red"}],)"
                               R"("spare":{"spokes":7,"colour":"red"},"stickers":{"k":"v"},"passengers":["x","y"],)"
                               R"("covered":true,"weight":1.5,"load":{"any":[1,2]}})";

std::string error_of(const std::string& text) {
  const auto read = value_in<Cart>(text, "cart");
  return read ? "" : read.error().what();
}

TEST(Value, IsWrittenAsItWasRead) { EXPECT_EQ(text_of(*value_in<Cart>(kWhole, "cart")), kWhole); }

TEST(Value, KeepsTheDefaultsOfWhatIsAbsentOrNull) {
  const auto cart = value_in<Cart>(R"({"name":"a","wheels":null,"covered":null})", "cart");
  ASSERT_TRUE(cart) << cart.error().what();
  EXPECT_EQ(text_of(*cart), R"({"name":"a","wheels":[],"stickers":{},"weight":0.0,"load":{}})")
      << "what is sparse is left out, what is optional is not";
}

TEST(Value, MayComeInAnyOrder) {
  EXPECT_EQ(value_in<Cart>(R"({"weight":2,"name":"a","covered":true})", "cart")->weight, 2);
}

TEST(Value, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(error_of("[]"), "cart: must be a JSON object");
  EXPECT_EQ(error_of("{}"), "cart: \"name\" is missing");
  EXPECT_EQ(error_of(R"({"name":1})"), "cart: \"name\" must be a string");
  EXPECT_EQ(error_of("{\"name\":\"a\\u0000b\"}"), "cart: \"name\" must be a string without NUL");
  EXPECT_EQ(error_of(R"({"name":"a","wheel":[]})"), "cart: unknown member \"wheel\"");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":{}})"), "cart: \"wheels\" must be an array");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":[7]})"), "cart: wheels: must be a JSON object");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":[{}]})"), "cart: wheels: \"spokes\" is missing");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":[{"spokes":1},{"spokes":65536}]})"),
            "cart: wheels: \"spokes\" is out of range");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":[{"spokes":-1}]})"), "cart: wheels: \"spokes\" is out of range");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":[{"spokes":1.5}]})"), "cart: wheels: \"spokes\" must be a whole number");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":[{"spokes":18446744073709551615}]})"),
            "cart: wheels: \"spokes\" must be a whole number");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":[{"spokes":1,"colour":"blue"}]})"),
            "cart: wheels: \"colour\" must be red or green");
  EXPECT_EQ(error_of(R"({"name":"a","wheels":[{"spokes":13}]})"), "cart: wheels: thirteen spokes");
  EXPECT_EQ(error_of(R"({"name":"a","spare":{"spokes":1,"odd":2}})"), "cart: spare: unknown member \"odd\"");
  EXPECT_EQ(error_of(R"({"name":"a","passengers":["x",1]})"), "cart: each of \"passengers\" must be a string");
  EXPECT_EQ(error_of(R"({"name":"a","stickers":{"k":1}})"), "cart: each of \"stickers\" must be a string");
  EXPECT_EQ(error_of(R"({"name":"a","stickers":[]})"), "cart: \"stickers\" must be an object");
  EXPECT_EQ(error_of(R"({"name":"a","covered":1})"), "cart: \"covered\" must be true or false");
  EXPECT_EQ(error_of(R"({"name":"a","weight":"1"})"), "cart: \"weight\" must be a number");
  EXPECT_EQ(error_of("{"), "not valid JSON");
}

TEST(Value, OfAnotherVersionIsReadWithoutWhatIsUnknown) {
  const auto cart = value_in<Cart>(R"({"name":"a","new":1,"wheels":[{"spokes":1,"colour":"blue","new":2}]})", "cart",
                                   Unknown::kIgnored);
  ASSERT_TRUE(cart) << cart.error().what();
  EXPECT_EQ(cart->wheels[0].colour, Colour::kRed) << "a word that is not known leaves the default";
}

TEST(Value, KeepsUnknownMembersOfItselfAndItsObjects) {
  const Json json = *parse_json(R"({"name":"a","new":1,"spare":{"spokes":1,"colour":"red","new":{"x":2}}})");
  auto kept = value_and_unknown_of<Cart>(json, "cart");
  ASSERT_TRUE(kept) << kept.error().what();
  EXPECT_EQ(dump(kept->unknown), R"({"spare":{"new":{"x":2}},"new":1})");
  kept->value.spare->spokes = 5;
  const Json written = json_with(json_of(kept->value), kept->unknown);
  EXPECT_EQ(written["new"], 1);
  EXPECT_EQ(dump(written["spare"]), R"({"spokes":5,"colour":"red","new":{"x":2}})");
  EXPECT_FALSE(value_and_unknown_of<Cart>(*parse_json(R"({"name":"a","spare":{"spokes":1,"colour":"blue"}})"), "cart"))
      << "what cannot be written back as it was is refused";
}

TEST(Value, HasASchema) {
  EXPECT_EQ(dump(schema_of<Wheel>()), R"({"type":"object","properties":{"spokes":{"type":"integer"},)"
                                      R"("colour":{"type":"string","enum":["red","green"]}},"required":["spokes"]})");
  const Json cart = schema_of<Cart>();
  EXPECT_EQ(dump(cart["properties"]["stickers"]), R"({"type":"object","additionalProperties":{"type":"string"}})");
  EXPECT_EQ(dump(cart["properties"]["wheels"]["items"]), dump(schema_of<Wheel>()));
  EXPECT_EQ(dump(cart["properties"]["spare"]), dump(schema_of<Wheel>()));
  EXPECT_EQ(dump(cart["required"]), R"(["name"])");
  EXPECT_EQ(dump(schema_of<Cart>(SchemaOf::kWritten)["required"]), R"(["name","wheels","stickers","weight","load"])")
      << "what is always written";
}

struct Honk {
  static constexpr std::string_view kOp = "honk";
  std::int64_t times = 1;
};
void describe(Members& members, Honk& honk) { members.optional("times", honk.times); }
struct Halt {
  static constexpr std::string_view kOp = "halt";
};
void describe(Members&, Halt&) {}
using Order = std::variant<Honk, Halt>;

TEST(Operation, IsReadAsTheAlternativeThatItNames) {
  EXPECT_EQ(dump(request_of(Honk{3})), R"({"op":"honk","times":3})");
  EXPECT_EQ(std::get<Honk>(*read_request<Order>(R"({"op":"honk","times":3,"loudly":true})")).times, 3);
  EXPECT_TRUE(std::holds_alternative<Halt>(*read_request<Order>(R"({"op":"halt"})")));
  EXPECT_EQ(Operations<Order>::names(), (std::vector<std::string>{"honk", "halt"}));
}

TEST(Operation, ThatIsNotKnownIsUnsupportedAndNonsenseIsInvalid) {
  EXPECT_EQ(read_request<Order>(R"({"op":"fly"})").error().code(), Code::kUnsupported);
  for (const char* text : {"", "[]", "{}", R"({"op":1})", R"({"op":"honk","times":"often"})"})
    EXPECT_EQ(read_request<Order>(text).error().code(), Code::kInvalid) << text;
}

}  // namespace
}  // namespace sbx
