// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "agents/catalogue.h"
#include "backends/backend.h"
#include "backends/host_changes.h"
#include "base/file.h"
#include "base/home.h"
#include "base/value.h"
#include "config/config.h"
#include "images/image_store.h"
#include "sandboxes/policy_file.h"
#include "sandboxes/sandboxes.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::testing {

// The backend of fake_shim.cc: what a machine leaves behind is the file <home>/world/<name>, its writable layer is
// disk/.
class FakeBackend : public backends::Backend, public backends::HostChanges {
 public:
  using OnCleanUp = std::function<void(const backends::MachineSpec&)>;

  explicit FakeBackend(std::string world, OnCleanUp on_clean_up = {})
      : world_(std::move(world)), on_clean_up_(std::move(on_clean_up)) {}
  std::string_view name() const override { return "fake"; }
  wire::Isolation isolation() const override { return wire::Isolation::kContainer; }
  backends::Traits traits() const override { return {}; }
  Result<> available() const override { return Ok{}; }
  Result<std::unique_ptr<backends::Machine>> start(const backends::MachineSpec&) override {
    return fail(Code::kInternal, "machines are started by the shim");
  }
  Result<> clean_up(const backends::MachineSpec& spec) const override {
    if (on_clean_up_) on_clean_up_(spec);
    return remove_tree(world_ + "/" + spec.name);
  }
  Result<> destroy(const backends::MachineSpec& spec) const override {
    TRY(clean_up(spec));
    return remove_tree(spec.state_directory + "/disk");
  }
  Result<backends::Grant> grant(const wire::Limits& limits, const std::string&) const override {
    if (limits.disk != 0) return fail(Code::kUnavailable, "nothing holds it to --disk");
    return backends::Grant{limits, ""};
  }
  std::vector<backends::Check> checks(const std::string&) const override { return {}; }
  Result<backends::HostDirectory> changes_of(const backends::MachineSpec& spec, std::optional<pid_t>) const override {
    return backends::HostDirectory{spec.state_directory + "/disk/upper"};
  }

 private:
  std::string world_;
  OnCleanUp on_clean_up_;
};

// The same with a kernel of its own, which boots no faster than an emulator lets it.
class FakeVirtualMachines : public FakeBackend {
 public:
  using Prepare = std::function<Result<>(const backends::MachineSpec&)>;

  FakeVirtualMachines(std::string world, Prepare prepare)
      : FakeBackend(std::move(world)), prepare_(std::move(prepare)) {}
  std::string_view name() const override { return "fake-vm"; }
  wire::Isolation isolation() const override { return wire::Isolation::kMicrovmEmulated; }
  backends::Traits traits() const override { return {.own_kernel = true, .limits_enforced = true}; }
  Result<backends::Grant> grant(const wire::Limits& wanted, const std::string&) const override {
    wire::Limits limits = wanted;
    if (limits.memory == 0) limits.memory = kMemory;
    if (limits.memory < kMemory) return fail(Code::kInvalid, "no kernel boots in so little memory");
    limits.disk_bound = wire::DiskBound::kVirtualDisk;
    return backends::Grant{limits, limits.disk == 0 ? "" : "The disk is a fake."};
  }
  std::vector<wire::GuestMount> guest_mounts(const backends::MachineSpec& spec) const override {
    return {{"first", spec.mounts.front().target, spec.mounts.front().readonly}};
  }
  Result<> prepare(const backends::MachineSpec& spec, const backends::Progress& progress) const override {
    progress("making a disk", 0, 0);
    TRY(write_file(spec.state_directory + "/disk.raw", ""));
    return prepare_ ? prepare_(spec) : Ok{};
  }

  static constexpr std::int64_t kMemory = 128 << 20;

 private:
  Prepare prepare_;
};

// A home, a workspace, and the sandboxes of one daemon after another in it.
struct FakeWorld {
  FakeWorld() : FakeWorld(std::make_unique<TemporaryDirectory>()) {}
  // In a directory of another process's world.
  explicit FakeWorld(std::string path) : root(std::move(path)) {
    for (const auto& made : {workspace, home.root() + "/world", template_root}) EXPECT_TRUE(make_directories(made));
    EXPECT_TRUE(replace_file(workspace + "/precious", "bytes"));
  }

  sandboxes::Parts parts() const {
    return {store::Store(home),
            [this](const images::TemplateRequest& request, const images::Progress& progress) {
              if (progress) progress("unpacking", 1, 2);
              return before_template ? before_template(request.name) : template_named(request.name);
            },
            [this](std::string_view name, const backends::Settings&) { return backend(name); },
            {"fake", "fake-vm"},
            [this] { return config::read_config(config_file); },
            [this] { return sandboxes::rules_of_new_sandboxes(policy_file); },
            [this] { return clock(); },
            test_program("fake_shim"),
            "/sandbox-init",
            true,
            template_store.get(),
            [this] { return agents::Catalogue::read(agents_file); },
            environment_secrets,
            token_endpoints};
  }

  Result<std::unique_ptr<backends::Backend>> backend(std::string_view name) const {
    const std::string world = home.root() + "/world";
    if (name.empty() || name == "fake") return std::make_unique<FakeBackend>(world, on_clean_up);
    if (name == "fake-vm") return std::make_unique<FakeVirtualMachines>(world, on_prepare);
    return fail(Code::kInvalid, "no backend " + std::string(name));
  }

  Result<images::Template> template_named(const std::string& name) const {
    return images::Template{name, "sha256:" + template_digest, {"sha256:" + template_digest}, {}};
  }

  // One whose image is in the store, so that others can be made of it.
  Result<images::Template> stored_template(const std::string& name) const {
    const std::string layer = "sha256:" + template_digest;
    TRY(replace_file(home.templates() + "/layers/" + template_digest + "/layer.json",
                     text_of(layers::Unpacked{layer, 1, 1, 0})));
    images::ImageStore store(home.templates());
    TRY_ASSIGN(const std::string digest,
               store.put(R"({"os":"linux","rootfs":{"type":"layers","diff_ids":[")" + layer + R"("]}})"));
    return images::Template{name, digest, {layer}, {}};
  }

  // As a daemon does when it starts.
  std::unique_ptr<sandboxes::Sandboxes> daemon() const {
    auto made = sandboxes::Sandboxes::create(parts());
    EXPECT_TRUE(made);
    EXPECT_TRUE((*made)->recovery.recover());
    return std::move(*made);
  }

  wire::CreateRequest request(const std::string& name = "", const std::string& manner = "") const {
    wire::CreateRequest wanted;
    wanted.agent = "shell";
    wanted.name = name;
    wanted.workspaces = {{workspace, workspace, false}};
    if (!manner.empty()) wanted.environment = {{"FAKE", manner}};
    return wanted;
  }

  // On the backend whose machines have kernels of their own.
  wire::CreateRequest virtual_machine(const std::string& name, const std::string& manner = "") const {
    wire::CreateRequest wanted = request(name, manner);
    wanted.backend = "fake-vm";
    return wanted;
  }
  void configure(const std::string& json) const { EXPECT_TRUE(replace_file(config_file, json)); }

  bool has_leftovers(const std::string& name) const { return exists(home.root() + "/world/" + name); }

  std::unique_ptr<TemporaryDirectory> directory;  // if it is ours
  std::string root;
  Home home{root + "/home"};
  std::string workspace = root + "/project";
  std::string template_digest = std::string(64, '0');
  std::string template_root = home.layer("sha256:" + template_digest);
  std::unique_ptr<images::Templates> template_store =
      std::make_unique<images::Templates>(home.templates(), built_program("sandbox-layer"));
  std::string config_file = root + "/config.json";
  std::string agents_file = root + "/agents.json";
  std::string policy_file = root + "/proxy-config.json";
  std::function<Result<images::Template>(const std::string& name)> before_template;
  std::function<WallTime()> clock = now;
  secrets::EnvironmentSecrets environment_secrets;
  secrets::TokenRefresher::Ask token_endpoints = [](const auto&, const auto&) {
    return secrets::TokenAnswer{0, false, "", "there is no network in a fake world"};
  };
  FakeVirtualMachines::Prepare on_prepare;
  FakeBackend::OnCleanUp on_clean_up;

 private:
  explicit FakeWorld(std::unique_ptr<TemporaryDirectory> own) : FakeWorld(own->path()) { directory = std::move(own); }
};

}  // namespace sbx::testing
