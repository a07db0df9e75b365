// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/selection.h"

namespace sbx::secrets {
namespace {

// For one sandbox.
class Selection {
 public:
  Selection(const Contents& contents, const EnvironmentSecrets& environment, const std::string& sandbox_id)
      : contents_(contents), environment_(environment), sandbox_id_(sandbox_id) {}

  std::vector<Selected> all() const {
    std::vector<Selected> chosen;
    for (const std::string& id : {sandbox_id_, std::string()}) add_custom(chosen, id);
    for (const std::string& name : service_names())
      if (auto selected = of_service(name)) chosen.push_back(std::move(*selected));
    return chosen;
  }

 private:
  std::shared_ptr<const Secret> value_of(const std::string& secret) const {
    const auto found = contents_.values.find(secret);
    return found == contents_.values.end() ? nullptr : found->second;
  }

  void add_custom(std::vector<Selected>& chosen, const std::string& id) const {
    for (const wire::Binding& binding : contents_.ledger.bindings)
      if (binding.service.empty() && binding.sandbox_id == id)
        if (auto value = value_of(binding.secret)) chosen.push_back({nullptr, binding, binding.secret, "", value});
  }

  std::optional<Selected> of_service(const std::string& name) const {
    if (auto bound = by_binding(name, sandbox_id_)) return bound;
    if (auto bound = by_binding(name, "")) return bound;
    if (auto named = by_name(name)) return named;
    return by_variable(name);
  }

  std::optional<Selected> by_binding(const std::string& name, const std::string& id) const {
    for (const wire::Binding& binding : contents_.ledger.bindings) {
      if (binding.service != name || binding.sandbox_id != id) continue;
      if (auto value = value_of(binding.secret))
        return Selected{service_for(name, value->view()), binding, binding.secret, "", value};
    }
    return std::nullopt;
  }

  std::optional<Selected> by_name(const std::string& name) const {
    for (const Service& service : services()) {
      if (service.name != name) continue;
      for (const std::string& secret : service.secret_names)
        if (auto value = value_of(secret)) return Selected{meant(service, *value), {}, secret, "", value};
    }
    return std::nullopt;
  }

  std::optional<Selected> by_variable(const std::string& name) const {
    for (const Service& service : services()) {
      if (service.name != name) continue;
      for (const std::string& variable : service.host_variables)
        if (const auto found = environment_.find(variable); found != environment_.end())
          return Selected{meant(service, *found->second), {}, "", variable, found->second};
    }
    return std::nullopt;
  }

  // A plain name says which service, and the value which way: "anthropic" may be a key or a token.
  static const Service* meant(const Service& service, const Secret& value) {
    return service.form == ValueForm::kPlain ? service_for(service.name, value.view()) : &service;
  }

  const Contents& contents_;
  const EnvironmentSecrets& environment_;
  const std::string& sandbox_id_;
};

}  // namespace

std::string Selected::source() const {
  if (secret.empty()) return "variable " + variable + " of the daemon";
  if (!binding) return "secret " + secret;
  return "secret " + secret + (binding->sandbox_id.empty() ? ", bound to all sandboxes" : ", bound to the sandbox");
}

std::vector<Selected> select_secrets(const Contents& contents, const EnvironmentSecrets& environment,
                                     const std::string& sandbox_id) {
  return Selection(contents, environment, sandbox_id).all();
}

}  // namespace sbx::secrets
