// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::sshagent {

// Whether the owner of this public key has signed these bytes: ssh-ed25519, ecdsa-sha2-nistp*, and ssh-rsa with SHA-2,
// all in SSH's own form. Any other key, a certificate too, has signed nothing.
bool has_signed(std::string_view host_key, std::string_view signature, std::string_view bytes);

}  // namespace sbx::sshagent
