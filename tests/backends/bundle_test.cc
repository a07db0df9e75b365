// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/bundle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/golden.h"

namespace sbx::backends::oci {
namespace {

Bundle example_bundle() {
  Bundle bundle;
  bundle.descriptors = {4096, 65'536};
  bundle.id = "5f0c";
  bundle.root = "/mnt/root";
  bundle.hostname = "shell-project";
  bundle.init_program = "/mnt/init";
  bundle.binds = {{"/mnt/m0", "/home/ada/project", false}, {"/mnt/m1", "/home/ada/library", true}};
  bundle.ids = idmap::privileged_map(0x70000000);
  bundle.cgroup_path = "/sandboxd/5f0c";
  bundle.mount_cgroup = true;
  bundle.limits = {1.5, 2ll << 30, 4096};
  bundle.architecture = "SCMP_ARCH_X86_64";
  return bundle;
}

TEST(Bundle, ConfigIsAsItWas) {
  testing::expect_golden("oci/config.json", dump_pretty(config_of(example_bundle())) + "\n");
}

TEST(Bundle, EveryNamespaceIsNew) {
  const Json config = config_of(example_bundle());
  std::vector<std::string> types;
  for (const auto& entry : config["linux"]["namespaces"]) {
    EXPECT_FALSE(entry.contains("path"));
    types.push_back(entry["type"]);
  }
  for (const char* wanted : {"user", "pid", "mount", "network", "ipc", "uts", "cgroup"})
    EXPECT_NE(std::find(types.begin(), types.end(), wanted), types.end()) << wanted;
}

TEST(Bundle, GuestRootIsNobodyOnTheHost) {
  const Json config = config_of(example_bundle());
  for (const char* which : {"uidMappings", "gidMappings"})
    for (const auto& range : config["linux"][which]) EXPECT_GE(range["hostID"].get<std::uint32_t>(), 0x70000000u);
}

TEST(Bundle, DevicesAreDeniedByDefault) {
  const Json config = config_of(example_bundle());
  const Json& devices = config["linux"]["resources"]["devices"];
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0]["allow"], false);
}

TEST(Bundle, MemoryLimitCountsSwap) {
  const Json config = config_of(example_bundle());
  EXPECT_EQ(config["linux"]["resources"]["memory"]["swap"], config["linux"]["resources"]["memory"]["limit"]);
}

TEST(Bundle, TmpIsAsLargeAsItIsLimitedTo) {
  Bundle bundle = example_bundle();
  bundle.limits.tmp = 8 << 20;
  const Json config = config_of(bundle);
  const auto tmp = std::ranges::find_if(config["mounts"], [](const Json& one) { return one["destination"] == "/tmp"; });
  ASSERT_NE(tmp, config["mounts"].end());
  EXPECT_EQ((*tmp)["options"].back(), "size=8388608");
}

TEST(Bundle, WithoutACgroupThereAreNoLimitsToPretend) {
  Bundle bundle = example_bundle();
  bundle.cgroup_path.clear();
  const Json config = config_of(bundle);
  EXPECT_TRUE(config["linux"]["resources"].empty());
  EXPECT_FALSE(config["linux"].contains("cgroupsPath"));
}

TEST(Seccomp, DangerousCallsAreNotAllowed) {
  const Json config = config_of(example_bundle());
  const Json& profile = config["linux"]["seccomp"];
  EXPECT_EQ(profile["defaultAction"], "SCMP_ACT_ERRNO");
  for (const auto& rule : profile["syscalls"]) {
    if (rule["action"] != "SCMP_ACT_ALLOW") continue;
    for (const auto& name : rule["names"])
      for (const char* bad :
           {"bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "io_uring_setup", "kexec_load", "init_module",
            "open_by_handle_at", "reboot", "clock_settime", "swapon", "clone3"})
        EXPECT_NE(name, bad);
  }
}

// The kernel reads an int where a filter sees 64 bits: a comparison of all of them is evaded by a bit above.
TEST(Seccomp, EveryComparisonIsMaskedToWhatTheKernelReads) {
  const Json config = config_of(example_bundle());
  std::size_t compared = 0;
  for (const auto& rule : config["linux"]["seccomp"]["syscalls"])
    for (const auto& argument : rule.value("args", Json::array())) {
      ++compared;
      EXPECT_EQ(argument["op"], "SCMP_CMP_MASKED_EQ") << rule["names"];
      EXPECT_LE(argument["value"].get<std::uint64_t>(), 0xffffffffu) << rule["names"];
      EXPECT_EQ(argument["valueTwo"].get<std::uint64_t>() & ~argument["value"].get<std::uint64_t>(), 0u)
          << rule["names"] << ": never equal";
    }
  EXPECT_GT(compared, 10u);
}

// An unconditional rule for a call would make its others meaningless.
TEST(Seccomp, WhatIsRestrictedIsNotAllowedElsewhere) {
  const Json config = config_of(example_bundle());
  std::set<std::string> restricted;
  std::set<std::string> whole;
  for (const auto& rule : config["linux"]["seccomp"]["syscalls"])
    for (const auto& name : rule["names"]) (rule.contains("args") ? restricted : whole).insert(name);
  for (const auto& name : restricted) EXPECT_FALSE(whole.contains(name)) << name;
  for (const char* name : {"socket", "socketpair", "fcntl", "clone", "unshare"})
    EXPECT_TRUE(restricted.contains(name)) << name;
}

// What holds for every other container must not be lost for those that make none.
TEST(Bundle, OnlyOneThatMakesContainersMayDivideItsGroups) {
  Bundle bundle = example_bundle();
  bundle.mount_cgroup = true;
  const auto is_read_only = [](const Json& config, const std::string& path) {
    const Json& listed = config["linux"]["readonlyPaths"];
    return std::find(listed.begin(), listed.end(), Json(path)) != listed.end();
  };
  const auto options_of = [](const Json& config, const std::string& path) {
    for (const Json& mount : config["mounts"])
      if (mount["destination"] == path) return mount["options"].dump();
    return std::string();
  };
  const Json usual = config_of(bundle);
  bundle.makes_containers = true;
  const Json makes = config_of(bundle);
  EXPECT_TRUE(is_read_only(usual, "/proc/sys"));
  EXPECT_FALSE(is_read_only(makes, "/proc/sys"));
  EXPECT_TRUE(is_read_only(makes, "/sys"));
  EXPECT_NE(options_of(usual, "/sys/fs/cgroup").find("\"ro\""), std::string::npos);
  EXPECT_EQ(options_of(makes, "/sys/fs/cgroup").find("\"ro\""), std::string::npos);
  EXPECT_LT(usual["process"]["capabilities"]["bounding"].size(), makes["process"]["capabilities"]["bounding"].size());
}

}  // namespace
}  // namespace sbx::backends::oci
