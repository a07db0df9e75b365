// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "backends/backend.h"
#include "base/uuid.h"
#include "base/value.h"

namespace sbx::backends {
namespace {

MachineSpec example() {
  MachineSpec spec;
  spec.id = new_uuid();
  spec.name = spec.hostname = "box";
  spec.backend = "container";
  spec.state_directory = "/home/vm/box";
  spec.template_image = "/home/templates/erofs/00";
  spec.template_layers = {"/home/templates/layers/00/root"};
  spec.init_program = "/libexec/sandbox-init";
  spec.mounts = {{"/project", "/project", false}};
  spec.id_base = 0x70020000;
  spec.agent = {1000, 1000};
  return spec;
}

TEST(MachineSpec, ComesBackAsItWasWritten) {
  const MachineSpec spec = example();
  const auto again = value_of<MachineSpec>(json_of(spec), "machine");
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(dump(json_of(*again)), dump(json_of(spec)));
}

TEST(MachineSpec, AnIdThatIsNoneOfOursIsRefused) {
  for (const char* id : {"", "..", "../../..", "box", "/"}) {
    Json json = json_of(example());
    json["id"] = id;
    EXPECT_FALSE(value_of<MachineSpec>(json, "machine")) << id;
  }
}

TEST(MachineSpec, ARangeOfIdsThatIsNoneOfOursIsRefused) {
  for (const Json& base : {Json(-1), Json(1), Json(1000), Json(0x70010000), Json(0xfffe0000), Json(0x170000000)}) {
    Json json = json_of(example());
    json["id_base"] = base;
    EXPECT_FALSE(value_of<MachineSpec>(json, "machine")) << base;
  }
  Json ordinary = json_of(example());
  ordinary["id_base"] = 0;
  EXPECT_TRUE(value_of<MachineSpec>(ordinary, "machine")) << "an ordinary user's";
}

}  // namespace
}  // namespace sbx::backends
