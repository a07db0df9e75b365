// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/tool_groups.h"

namespace sbx::openclaw {
namespace {

constexpr ToolGroup kGroups[] = {
    {"group:runtime", "exec process"},
    {"group:fs", "read write edit apply_patch ls view_image"},
    {"group:sessions",
     "sessions_list sessions_history sessions_search sessions_send sessions_spawn sessions_yield subagents "
     "session_status"},
    {"group:memory", "memory_search memory_get"},
    {"group:web", "web_search web_fetch"},
    {"group:ui", "browser canvas computer mobile_ui"},
    {"group:automation", "cron gateway"},
    {"group:messaging", "message"},
    {"group:nodes", "nodes"},
    {"group:agents", "agents_list"},
    {"group:media", "image image_generate tts"},
    {"group:openclaw",
     "web_search web_fetch memory_search memory_get sessions_list sessions_history sessions_search sessions_send "
     "sessions_spawn sessions_yield subagents session_status browser canvas computer mobile_ui message cron gateway "
     "nodes agents_list image image_generate tts"},
    // Tools of plugins are none of ours: no name is in it here.
    {"group:plugins", ""},
};

constexpr ToolGroup kProfiles[] = {
    {"minimal", "session_status"},
    {"coding", "group:fs group:runtime group:web group:sessions group:memory image image_generate cron"},
    {"messaging", "message sessions_list sessions_history sessions_send session_status"},
    {"full", ""},
};

constexpr std::string_view kAllow[] = {"bash",          "process",          "read",          "write",         "edit",
                                       "sessions_list", "sessions_history", "sessions_send", "sessions_spawn"};
constexpr std::string_view kDeny[] = {"browser", "canvas", "nodes", "cron", "discord", "gateway"};

}  // namespace

std::span<const ToolGroup> tool_groups() { return kGroups; }
std::span<const ToolGroup> tool_profiles() { return kProfiles; }
std::span<const std::string_view> usual_allow() { return kAllow; }
std::span<const std::string_view> usual_deny() { return kDeny; }

}  // namespace sbx::openclaw
