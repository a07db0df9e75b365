#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The network policy, the ports and the log as their user sees them. Nothing here goes over the network.

load world

setup_file() {
  world_up
  mkdir -p "$WORLD/ws-idle"
  sandbox create -q --name idle shell "$WORLD/ws-idle" >/dev/null
}

setup() {
  RULES=$SANDBOXES_HOME/vm/idle/proxy-config.json
  DEFAULT=${SANDBOXD_CONFIG%/*}/proxy-config.json
  sandbox network proxy idle --reset >/dev/null
}

policy_of() { sandbox network proxy "$1" --json | jq -r .policy.default; }

# bats test_tags=once
@test "the policy of new sandboxes is made once, copied into each, and never written to again" {
  equal "$(jq -r .policy.default "$DEFAULT")" allow
  equal "$(jq -c .network.blockedCIDRs "$DEFAULT" | md5sum)" "$(jq -c .network.blockedCIDRs "$RULES" | md5sum)"
  echo '{"policy": "deny"}' >"$DEFAULT"
  sandbox create -q --name strict shell "$WORLD/ws-idle"
  equal "$(policy_of strict)" deny
  equal "$(policy_of idle)" allow
  equal "$(cat "$DEFAULT")" '{"policy": "deny"}'
  sandbox rm strict
  echo '{"policy": "deny", "network": {"allowdDomains": []}}' >"$DEFAULT"
  run -2 --separate-stderr sandbox create -q --name strict shell "$WORLD/ws-idle"
  is_error "$DEFAULT"
  is_error allowdDomains
  [[ ! -e $SANDBOXES_HOME/vm/strict ]]
  rm "$DEFAULT"
}

# bats test_tags=once
@test "network proxy shows the policy, to people and to programs" {
  run -0 sandbox network proxy idle
  says "Policy: allow"
  says "Allowed hosts: none"
  says "  169.254.0.0/16"
  run -0 sandbox network proxy idle --json
  equal "$output" "$(cat "$RULES")"
}

# bats test_tags=once
@test "create and run take the policy's flags; of a sandbox that is there run changes it at once" {
  run -0 sandbox create -q --name limited --preset agent --block-host a.test shell "$WORLD/ws-idle"
  equal "$(policy_of limited)" deny
  run -0 sandbox network check limited https://api.anthropic.com
  run -1 sandbox network check limited https://a.test
  run -0 sandbox run -q limited --allow-host a.test -- -c true
  run -0 sandbox network check limited https://a.test
  equal "$(policy_of limited)" deny
  run -2 --separate-stderr sandbox run -q limited --policy allow --allow-host a..b -- -c true
  is_error "--allow-host"
  equal "$(policy_of limited)" deny
  run -2 --separate-stderr sandbox create --name never --policy shut shell "$WORLD/ws-idle"
  is_error "the policy is allow or deny"
  [[ ! -e $SANDBOXES_HOME/vm/never ]]
  run -2 --separate-stderr sandbox run --reset limited
  sandbox rm limited
}

# bats test_tags=once
@test "edits are applied in their order, all of them or none" {
  run -0 sandbox network proxy idle --policy deny --allow-host a.test --block-host a.test --allow-host '*.b.test:443'
  says "Changed the network policy of idle: deny, hosts: 1 allowed, 1 blocked"
  equal "$(jq -c .network.allowedDomains "$RULES")" '["*.b.test:443"]'
  equal "$(jq -c .network.blockedDomains "$RULES")" '["a.test"]'
  run -2 --separate-stderr sandbox network proxy idle --policy allow --allow-host 'a..b'
  is_error "--allow-host"
  equal "$(policy_of idle)" deny
  run -125 --separate-stderr sandbox network proxy idle --remove-host none.test
  is_error "no rule for none.test"
  sandbox network proxy idle --remove-host a.test
  equal "$(jq -c .network.blockedDomains "$RULES")" '[]'
}

# bats test_tags=once
@test "a rule that says raw takes a host and a port, and is in the file only when there is one" {
  run ! grep rawDomains "$RULES"
  run -0 sandbox network proxy idle --policy deny --allow-raw imap.example.com:993
  says "1 for any protocol"
  equal "$(jq -c .network.rawDomains "$RULES")" '["imap.example.com:993"]'
  run -0 sandbox network check idle imap.example.com:993
  says "passes: anything, and nothing is looked at"
  equal "$(sandbox network check --json idle imap.example.com:993 | jq -r '.decision, .passes')" $'tunnel\nraw'
  for words in imap.example.com '*.example.com:993'; do
    run -2 --separate-stderr sandbox network proxy idle --allow-raw "$words"
    is_error "--allow-raw"
  done
  sandbox network proxy idle --remove-host imap.example.com:993
  run ! grep rawDomains "$RULES"
}

# bats test_tags=once
@test "the agents' preset denies all but a list" {
  sandbox network proxy idle --preset agent
  equal "$(policy_of idle)" deny
  run -0 sandbox network check idle https://registry.npmjs.org/left-pad
  run -1 sandbox network check idle https://example.com
}

# bats test_tags=once
@test "what cannot be meant is refused with the reason" {
  for words in "--policy maybe" "--allow-host a_b:99999" "--block-cidr 10.0.0.1/8" "--bypass-cidr ten" "--preset all"; do
    # shellcheck disable=SC2086
    run --separate-stderr sandbox network proxy idle $words
    [[ $status == 2 || $status == 125 ]]
    is_error "${words%% *}"
  done
  run -125 --separate-stderr sandbox network proxy none --policy deny
  is_error 'sandbox "none" not found'
  run -125 --separate-stderr sandbox network check none example.com
  is_error 'sandbox "none" not found'
  run -125 --separate-stderr sandbox network log none
  is_error 'sandbox "none" not found'
  run -125 --separate-stderr sandbox ports none
  is_error 'sandbox "none" not found'
  run -2 --separate-stderr sandbox network check idle 'http://a b/'
  run -0 sandbox network
  says "proxy  "
}

# bats test_tags=once
@test "network check says by which rule, how to change it, and exits with 1 when refused" {
  run -0 sandbox network check idle https://example.com/
  says "Allowed by network policy: example.com:443"
  says "rule: <default policy>"
  says "what the name resolves to is checked"
  run -1 sandbox network check idle 192.168.1.5:80
  says "rule: 192.168.0.0/16"
  command=$(sed -n 's/^to allow it, on the host: sandbox //p' <<<"$output")
  # shellcheck disable=SC2086
  sandbox $command
  run -0 sandbox network check idle 192.168.1.5:80
  says "rule: 192.168.1.5"
  run -1 sandbox network check --json idle localhost:3000
  equal "$(jq -r '.allowed, .decision, .rule' <<<"$output")" $'false\ndeny\n<host ports>'
}

@test "the policy is the same after a start, a stop and another daemon" {
  sandbox network proxy idle --policy deny --allow-host example.com
  sandbox start idle
  sandbox stop idle
  sandbox daemon restart
  equal "$(sandbox network proxy idle --json | jq -c .network.allowedDomains)" '["example.com"]'
  equal "$(inspect idle '.network.policy | .policy, .allowed_hosts')" $'deny\n1'
  equal "$(inspect idle .network.proxy)" host.docker.internal:3128
}

@test "a sandbox whose policy cannot be read does not start, and a reset mends it" {
  echo '{"policy": "deny", "netwrk": {}}' >"$RULES"
  run --separate-stderr sandbox start idle
  ((status != 0))
  is_error "$RULES"
  is_error netwrk
  says "try: sandbox network proxy idle --reset" "$stderr"
  says_not null "$(inspect idle .network.policy.error)"
  rm "$RULES"
  run --separate-stderr sandbox start idle
  ((status != 0))
  is_error "$RULES"
  sandbox network proxy idle --reset
  sandbox start idle
  sandbox stop idle
}

# bats test_tags=once
@test "edits at once do not lose each other" {
  for i in 1 2 3 4 5 6 7 8; do sandbox network proxy idle --allow-host "h$i.test" >/dev/null & done
  wait
  equal "$(jq -r '.network.allowedDomains | length' "$RULES")" 8
}

# bats test_tags=once
@test "ports of a stopped sandbox are recorded" {
  local port
  port=$(free_port)
  sandbox create -q --name served -p "$port:80" -p 443 shell "$WORLD/ws-idle"
  run -0 sandbox ports served
  equal "$(tr -s ' ' <<<"${lines[0]}")" "HOST IP HOST PORT SANDBOX PORT PROTOCOL"
  equal "$(tr -s ' ' <<<"${lines[1]}")" "127.0.0.1 $port 80 tcp"
  equal "$(tr -s ' ' <<<"${lines[2]}")" "127.0.0.1 any 443 tcp"
  run -0 sandbox ports served --publish '[::1]:9000-9001:90-91' --unpublish 443
  equal "$output" $'Unpublished 127.0.0.1:any->443/tcp\nPublished [::1]:9000->90/tcp\nPublished [::1]:9001->91/tcp'
  says "127.0.0.1:$port->80/tcp, [::1]:9000->90/tcp" "$(sandbox ls)"
  equal "$(sandbox ls --json | jq -c '.vms[] | select(.name == "served") | .ports[0]')" \
    "{\"host_ip\":\"127.0.0.1\",\"host_port\":$port,\"sandbox_port\":80,\"protocol\":\"tcp\"}"
  equal "$(sandbox ports served --json | jq -r '.[].host_port' | tr '\n' ' ')" "$port 9000 9001 "
  run -125 --separate-stderr sandbox ports served --publish "$port:81"
  is_error "published already"
  run -125 --separate-stderr sandbox ports served --unpublish 81
  is_error "does not publish"
  run -2 --separate-stderr sandbox ports served --publish 53/udp
  is_error "only TCP"
  run -2 --separate-stderr sandbox ports served --publish 1.2.3:80:80
  is_error "not an address"
  sandbox rm served
}

# bats test_tags=once
@test "hosts are given addresses of the user's choice" {
  sandbox create -q --name named --add-host DB.test:10.0.0.5 --add-host six.test:::1 shell "$WORLD/ws-idle"
  equal "$(inspect named .network.hosts | jq -c .)" '{"db.test":"10.0.0.5","six.test":"::1"}'
  sandbox rm named
  run -2 --separate-stderr sandbox create --add-host localhost:10.0.0.5 shell "$WORLD/ws-idle"
  is_error "the host itself"
  run -2 --separate-stderr sandbox create --add-host db.test:10.0.0.500 shell "$WORLD/ws-idle"
  is_error "not an address"
}

# bats test_tags=once
@test "the log of a sandbox that has asked for nothing is empty" {
  run -0 sandbox network log idle
  says "Blocked requests:"
  says "Allowed requests:"
  equal "$(grep -c 'SANDBOX *HOST *RULE *LAST SEEN *COUNT' <<<"$output")" 2
  run -0 sandbox network log --blocked
  says_not "Allowed requests:"
  equal "$(sandbox network log -q)" ""
  equal "$(sandbox network log --json idle | jq -c .)" '{"blocked_hosts":[],"allowed_hosts":[],"unwritten":[]}'
}

@test "a running sandbox is changed at once, and the change is kept" {
  box runner
  sandbox network proxy runner --policy deny --allow-host example.com
  equal "$(policy_of runner)" deny
  sandbox stop runner
  sandbox start runner
  equal "$(sandbox network proxy runner --json | jq -c .network.allowedDomains)" '["example.com"]'
  sandbox rm runner
}

@test "a running sandbox whose gate is gone says that only the file is changed, and a restart helps" {
  box gateless
  rm "$SANDBOXES_HOME/vm/gateless/network.sock"
  run -125 --separate-stderr sandbox network proxy gateless --policy deny
  is_error "is changed, but the running sandbox may not keep to it"
  says "try: sandbox stop gateless" "$stderr"
  equal "$(policy_of gateless)" deny
  sandbox stop gateless
  sandbox start gateless
  sandbox network proxy gateless --policy allow
  sandbox rm gateless
}

listens() { (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; }

@test "ports of a running sandbox are opened and closed at once, and opened again at its next start" {
  box open -p 80
  local port
  port=$(sandbox ports open --json | jq -r '.[0].host_port')
  ((port > 0))
  listens 127.0.0.1 "$port"
  run -0 sandbox ports open --publish 81
  matches '^Published 127\.0\.0\.1:[0-9]+->81/tcp$'
  sandbox ports open --unpublish "$port:80"
  run ! listens 127.0.0.1 "$port"
  port=$(sandbox ports open --json | jq -r '.[0].host_port')
  listens 127.0.0.1 "$port"
  sandbox daemon restart
  equal "$(sandbox ports open --json | jq -r '.[0].host_port')" "$port"
  sandbox stop open
  run ! listens 127.0.0.1 "$port"
  equal "$(sandbox ports open --json | jq -r '.[0].host_port')" 0
  sandbox start open
  listens 127.0.0.1 "$(sandbox ports open --json | jq -r '.[0].host_port')"
  sandbox rm open
}

# bats test_tags=once
@test "a port of the host's that is taken is an error that names it, and is not recorded" {
  box first -p 80
  local port
  port=$(sandbox ports first --json | jq -r '.[0].host_port')
  box second
  run -125 --separate-stderr sandbox ports second --publish "$port:80"
  is_error "$port"
  equal "$(sandbox ports second --json)" "[]"
  sandbox stop second
  sandbox ports second --publish "$port:80"
  run -125 --separate-stderr sandbox start second
  is_error "$port"
  equal "$(status_of second)" stopped
  sandbox rm first second
}

# A request to the proxy with nothing but a shell.
ask_proxy() {
  sandbox exec "$1" bash -c "exec 3<>/dev/tcp/host.docker.internal/3128
    printf 'GET http://$2/secret?token=x HTTP/1.1\r\nHost: $2\r\nConnection: close\r\n\r\n' >&3; cat <&3"
}

@test "what was refused is in the log, without its query, and told to a follower" {
  box asks
  sandbox network proxy asks --policy deny
  # A follower that tells of the last decision of before has its place: it tells of all that come after that one.
  ask_proxy asks before.test >/dev/null
  "$SANDBOXD_BIN/sandbox" network log --follow --limit 1 --json asks >"$WORLD/followed" 3>&- &
  local follower=$!
  eventually grep -q before.test "$WORLD/followed"
  ask_proxy asks blocked.test >"$WORLD/answer"
  eventually grep -q blocked.test "$WORLD/followed"
  kill "$follower"
  says "Blocked by network policy: blocked.test:80" "$(cat "$WORLD/answer")"
  equal "$(tail -n 1 "$WORLD/followed" | jq -r '.vm_name, .host, .allowed, .rule')" \
    $'asks\nblocked.test:80\nfalse\n<default policy>'
  run -0 sandbox network log asks
  matches $'asks +blocked.test:80 +<default policy> +[0-9:]{8} [0-9]{2}-[A-Z][a-z]{2} +[0-9]+'
  equal "$(sandbox network log --hosts --blocked asks)" $'blocked.test:80\nbefore.test:80'
  equal "$(sandbox network log --json | jq -r '.blocked_hosts[0] | .vm_name, .host, .proxy_type')" \
    $'asks\nblocked.test:80\nforward'
  says_not token "$(cat "$WORLD/followed"; sandbox network log --json)"
  sandbox stop asks
  equal "$(sandbox network log --hosts asks)" $'blocked.test:80\nbefore.test:80'
  sandbox rm asks
}

@test "a published port leads to a program in the sandbox" {
  box serves -p 8000
  sandbox exec -d serves python3 -m http.server 8000 --bind 127.0.0.1 --directory "$(workspace_of serves)"
  echo hello >"$(workspace_of serves)/file"
  local port
  port=$(sandbox ports serves --json | jq -r '.[0].host_port')
  answered() { [[ $(curl -s --noproxy '*' --max-time 10 "http://127.0.0.1:$port/file" 3>&-) == hello ]]; }
  eventually answered
  sandbox rm serves
}

@test "the log has what was refused the moment before it is asked" {
  box told
  sandbox network proxy told --policy deny
  local count
  for count in 1 2 3 4 5; do
    ask_proxy told now.test >"$WORLD/answer"
    equal "$(sandbox network log --json told | jq -r '.blocked_hosts[0] | .host, .count_since')" "now.test:80"$'\n'"$count"
  done
  sandbox rm told
}

@test "run with ports and hosts adds them to a sandbox that is there" {
  local directory=$WORLD/ws-added
  mkdir -p "$directory"
  sandbox run -q -d --name added shell "$directory"
  for _ in 1 2; do
    run -0 --separate-stderr sandbox run -d -p 8000 -p 9000 --add-host DB.test:10.0.0.5 shell "$directory"
    equal "$stderr" ""
    equal "$(sandbox ports added --json | jq -c 'map(.sandbox_port)')" '[8000,9000]'
    equal "$(inspect added .network.hosts | jq -c .)" '{"db.test":"10.0.0.5"}'
  done
  run -0 sandbox run -d --add-host db.test:10.0.0.6 added
  equal "$(inspect added .network.hosts | jq -c .)" '{"db.test":"10.0.0.6"}'
  run -2 --separate-stderr sandbox run -d --add-host localhost:10.0.0.6 added
  is_error "the host itself"
  sandbox rm added
}

# bats test_tags=once
@test "an agent's own hosts are allowed in its new sandboxes, but not what is blocked in all of them" {
  echo '{"policy": "deny", "network": {"blockedDomains": ["blocked.example"]}}' >"$DEFAULT"
  echo '{"agents": [{"name": "mine", "command": ["true"], "template": "shell",
    "hosts": ["api.mine.example", "*.cdn.example:8443", "blocked.example"]}]}' >"${SANDBOXD_CONFIG%/*}/agents.json"
  sandbox create -q --name hosted mine "$(workspace_of idle)" >/dev/null
  sandbox network check hosted api.mine.example
  sandbox network check hosted x.cdn.example:8443
  for target in x.cdn.example:443 other.example blocked.example; do run -1 sandbox network check hosted "$target"; done
  echo '{"agents": [{"name": "mine", "command": ["true"], "template": "shell", "hosts": ["not a host"]}]}' \
    >"${SANDBOXD_CONFIG%/*}/agents.json"
  run --separate-stderr sandbox create -q --name bad mine "$(workspace_of idle)"
  is_error "the hosts of agent mine"
  rm "$DEFAULT" "${SANDBOXD_CONFIG%/*}/agents.json"
  sandbox rm hosted >/dev/null
}
