#!/usr/bin/env bash
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# sandbox-ralph.sh [DIRECTORY]: the five steps of seed 003's script of this name, by the command lines that it documents:
# template (the first time), sandbox, policy, agent, and what to watch it with.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "${1:-.}" && pwd)
name=ralph-$(basename "$project")-$(date +%s)

command -v docker >/dev/null
docker sandbox version >/dev/null 2>&1
if ! docker image inspect ai-dev-kit-sandbox:latest >/dev/null 2>&1; then
  echo "building the template"
  docker build -t ai-dev-kit-sandbox:latest "$here"
fi
docker sandbox create --name "$name" --load-local-template -t ai-dev-kit-sandbox:latest claude "$project"
"$here/network-policy.sh" "$name" 2>/dev/null
echo "watch with: docker sandbox exec -it $name bash"
docker sandbox run "$name"
