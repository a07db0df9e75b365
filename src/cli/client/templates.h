// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/client/client.h"
#include "cli/client/steps.h"
#include "wire/build.h"
#include "wire/template.h"

// The daemon's templates as typed calls.
namespace sbx::cli {

Result<std::vector<wire::TemplateDetails>> list_templates(const Client& client);
Result<wire::TemplateDetails> get_template(const Client& client, const std::string& name);
Result<wire::TemplateHistory> get_template_history(const Client& client, const std::string& name);
Result<wire::TemplateDetails> pull_template(const Client& client, const wire::TemplatePull& request,
                                            const OnStep& on_step);
// The archive comes from `source`, which gives its bytes piece by piece to what it is called with.
Result<wire::TemplatesLoaded> load_templates(const Client& client, const std::string& tag, const Client::Source& source,
                                             const OnStep& on_step);
// The archive is a file, which the daemon reads where it is.
Result<wire::TemplatesLoaded> load_templates(const Client& client, const std::string& tag, const Fd& file,
                                             const OnStep& on_step);
// Builds one; `on_output` hears what its steps print.
Result<wire::TemplateDetails> build_template(const Client& client, const wire::TemplateBuild& build,
                                             const Client::Source& directory,
                                             const std::function<void(const std::string& text)>& on_output);
Result<wire::TemplateDetails> tag_template(const Client& client, const wire::TemplateTag& request);
Result<wire::TemplatesRemoved> remove_template(const Client& client, const std::string& name);
Result<wire::TemplatesRemoved> prune_templates(const Client& client, bool all);

}  // namespace sbx::cli
