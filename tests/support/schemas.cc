// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// Prints the schemas of all values that cross the API, by their names in docs/openapi.yaml, for openapi_test.py.
#include <cstdio>

#include "base/value.h"
#include "policy/check.h"
#include "policy/edits.h"
#include "wire/agent.h"
#include "wire/build.h"
#include "wire/error.h"
#include "wire/event.h"
#include "wire/network_log.h"
#include "wire/sandbox.h"
#include "wire/save.h"
#include "wire/secret.h"
#include "wire/shim_control.h"
#include "wire/system.h"
#include "wire/template.h"
#include "wire/vm.h"

namespace {

// Of requests, and of what requests and answers have in common.
template <class T>
std::pair<const char*, sbx::Json> read(const char* name) {
  return {name, sbx::schema_of<T>(sbx::SchemaOf::kRead)};
}

template <class T>
std::pair<const char*, sbx::Json> written(const char* name) {
  return {name, sbx::schema_of<T>(sbx::SchemaOf::kWritten)};
}

}  // namespace

int main() {
  using namespace sbx;
  Json all = Json::object();
  for (auto& [name, schema] : {
           written<policy::PolicyCheck>("Check"),
           read<wire::CreateRequest>("CreateRequest"),
           written<wire::LoggedDecision>("Decision"),
           written<wire::DetachedStart>("Detached"),
           written<wire::ErrorAnswer>("Error"),
           written<wire::Event>("Event"),
           read<wire::ExecRequest>("ExecRequest"),
           written<wire::ExecExit>("ExecExit"),
           read<wire::HostList>("Hosts"),
           read<wire::Limits>("Limits"),
           written<wire::LoggedHost>("LoggedHost"),
           read<wire::Mount>("Mount"),
           written<wire::NetworkLog>("NetworkLog"),
           read<wire::McpChange>("McpChanges"),
           read<wire::McpGrant>("McpGrant"),
           written<wire::McpGrants>("McpGrants"),
           read<wire::PolicyEdit>("PolicyEdit"),
           read<wire::PolicyEdits>("PolicyEdits"),
           read<wire::PortsChange>("PortChanges"),
           written<wire::PortList>("Ports"),
           written<wire::Step>("Progress"),
           read<wire::PublishedPort>("PublishedPort"),
           written<wire::DiskUsage>("DiskUsage"),
           written<wire::SystemPruned>("SystemPruned"),
           written<wire::SandboxUsage>("SandboxUsage"),
           written<wire::TemplateUsage>("TemplateUsage"),
           written<wire::Reset>("Reset"),
           written<wire::SandboxInfo>("SandboxInfo"),
           read<wire::SaveRequest>("SaveRequest"),
           written<wire::Saved>("Saved"),
           written<wire::SandboxList>("SandboxList"),
           read<wire::AttachRequest>("AttachRequest"),
           written<wire::OutputPosition>("OutputPosition"),
           written<wire::SessionInfo>("SessionInfo"),
           written<wire::SessionList>("SessionList"),
           written<wire::SessionOpened>("SessionOpened"),
           read<wire::StaticHost>("StaticHost"),
           read<wire::StopRequest>("StopRequest"),
           written<wire::AgentInfo>("AgentInfo"),
           written<wire::AgentList>("AgentList"),
           read<wire::AgentUpdate>("AgentUpdate"),
           written<wire::AgentUpdated>("AgentUpdated"),
           written<wire::UpdatedSandbox>("UpdatedSandbox"),
           read<wire::TemplateBuild>("TemplateBuild"),
           written<wire::BuildOutput>("BuildOutput"),
           written<wire::TemplateConfig>("TemplateConfig"),
           written<wire::TemplateDetails>("TemplateDetails"),
           written<wire::TemplateHistory>("TemplateHistory"),
           written<wire::TemplateLayer>("TemplateLayer"),
           written<wire::TemplateList>("TemplateList"),
           read<wire::TemplatePrune>("TemplatePrune"),
           read<wire::TemplatePull>("TemplatePull"),
           written<wire::TemplateStep>("TemplateStep"),
           read<wire::TemplateTag>("TemplateTag"),
           written<wire::TemplatesLoaded>("TemplatesLoaded"),
           written<wire::TemplatesRemoved>("TemplatesRemoved"),
           written<wire::UnwrittenDecisions>("UnwrittenDecisions"),
           read<wire::SecretAdd>("SecretAdd"),
           written<wire::SecretInfo>("SecretInfo"),
           written<wire::SecretList>("SecretList"),
           read<wire::LeaseRequest>("LeaseRequest"),
           written<wire::LeaseInfo>("LeaseInfo"),
           written<wire::LeaseList>("LeaseList"),
           written<wire::LeasedSecret>("LeasedSecret"),
           written<wire::RevokedLeases>("RevokedLeases"),
           written<wire::Binding>("Binding"),
           read<wire::BindRequest>("BindRequest"),
           written<wire::BindingList>("BindingList"),
           written<wire::AuditEntry>("AuditEntry"),
           written<wire::AuditTail>("AuditTail"),
           written<wire::AuditReport>("AuditReport"),
           written<wire::SecretsStatus>("SecretsStatus"),
           written<wire::SandboxCredential>("SandboxCredential"),
           written<wire::SandboxCredentials>("SandboxCredentials"),
           written<wire::Version>("Version"),
           written<wire::Vm>("Vm"),
           read<wire::VmRequest>("VmRequest"),
           written<wire::VmSummary>("VmSummary"),
       })
    all[name] = schema;
  std::puts(dump(all).c_str());
}
