// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "agents/catalogue.h"
#include "images/templates.h"

namespace sbx::sandboxes {

// A line for the user when the template's label com.docker.sandboxes.flavor names another agent than the sandbox's.
// Empty: it fits, or does not say; a shell is at home in any.
std::string flavor_note(const images::Template& base, const std::string& agent, const agents::Catalogue& agents);

}  // namespace sbx::sandboxes
