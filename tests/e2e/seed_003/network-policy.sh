#!/usr/bin/env bash
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# network-policy.sh NAME: deny all but the hosts of seed 003's table, one call each.
set -euo pipefail

docker sandbox network proxy "$1" --policy deny
for host in api.anthropic.com statsig.anthropic.com statsig.com sentry.io '*.npmjs.org' '*.yarnpkg.com' github.com \
  '*.github.com' '*.githubusercontent.com'; do
  docker sandbox network proxy "$1" --allow-host "$host"
done
