// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sbx::images {

// Before images had layers a template was <templates>/<hex>/root, by the digest of its only archive. Moves such trees
// to where layers are, for the sandboxes that stand on them. Sandboxes may run on them meanwhile.
void adopt_old_templates(const std::string& templates);

}  // namespace sbx::images
