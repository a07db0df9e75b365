# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The servers of two model makers, on loopback, as far as their agents need them: model.py DIRECTORY

Speaks HTTPS on port 443 of an address of its own (written to DIRECTORY/model-address) with DIRECTORY/model.{crt,key}, as
api.anthropic.com (POST /v1/messages), api.openai.com (POST /v1/responses) and chatgpt.com (POST /backend-api/codex/responses,
for subscriptions); with a DIRECTORY/model-key for that credential only, and 401 to all others. The model that it plays runs one command,
that of DIRECTORY/model-command, and says what the command printed; with a DIRECTORY/model-tool ({"name", "input"}) it
calls that tool instead. Each request is noted in DIRECTORY/model-visits: host, method, path, and the credential that came
with it; the last one is in DIRECTORY/model-request.json, and all of them are in model-requests.json.
"""

import json
import subprocess
import sys

import https_server

kDirectory = sys.argv[1]
kWord = "The command has printed:"


def command():
    with open(kDirectory + "/model-command") as f:
        return f.read().strip()


def wanted_tool():
    try:
        with open(kDirectory + "/model-tool") as f:
            return json.load(f)
    except FileNotFoundError:
        return None


def tool():
    """What is called: the tool that the test wants, or the one that runs commands."""
    return wanted_tool() or {"name": "Bash", "input": {"command": command(), "description": "it"}}


def accepted():
    """The one credential that is taken; None: all are."""
    try:
        with open(kDirectory + "/model-key") as f:
            return f.read().strip()
    except FileNotFoundError:
        return None


def note(line):
    with open(kDirectory + "/model-visits", "a") as f:
        f.write(line + "\n")


def text_of(content):
    """The text in a value of either API, however deep."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(text_of(part) for part in content)
    if isinstance(content, dict):
        return text_of(content.get("text", content.get("content", content.get("output", ""))))
    return ""


class Anthropic:
    def result(self, request):
        """What the tool has answered, if it was called."""
        for message in request.get("messages", []):
            content = message.get("content")
            for part in content if isinstance(content, list) else []:
                if part.get("type") == "tool_result":
                    return text_of(part.get("content"))
        return None

    def events(self, request):
        names = [tool.get("name") for tool in request.get("tools", [])]
        result = self.result(request)
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.get("model", "m"), "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": usage}
        yield {"type": "message_start", "message": message}
        call = tool() if names else {"name": None}
        if call["name"] in names and result is None:
            block = {"type": "tool_use", "id": "toolu_1", "name": call["name"], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call["input"])}
            reason = "tool_use"
        else:
            block = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": f"{kWord} {result}"}
            reason = "end_turn"
        yield {"type": "content_block_start", "index": 0, "content_block": block}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
        yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}
        yield {"type": "message_stop"}


class OpenAi:
    def tools(self, value):
        """All tools that a request offers, at whatever depth this version of the agent has them."""
        if isinstance(value, list):
            for part in value:
                yield from self.tools(part)
        elif isinstance(value, dict):
            for tool in value.get("tools", []):
                yield tool
                yield from self.tools(tool)
            yield from self.tools(value.get("input"))

    def call(self, request):
        """The call of a tool that runs commands, whatever this version of the agent calls it."""
        kinds = {tool.get("name"): tool.get("type") for tool in self.tools(request)}
        if wanted := wanted_tool():
            return self.wanted_call(wanted, kinds)
        for name, arguments in (("exec_command", {"cmd": command()}), ("shell_command", {"command": command()}),
                                ("shell", {"command": ["sh", "-c", command()]})):
            if name in kinds:
                return {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": json.dumps(arguments)}
        if kinds.get("exec") == "custom":
            script = f"text((await tools.exec_command({json.dumps({'cmd': command()})})).output)"
            return {"type": "custom_tool_call", "id": "ct_1", "call_id": "call_1", "namespace": "functions", "name": "exec", "input": script}
        return None

    def wanted_call(self, wanted, kinds):
        name, arguments = wanted["name"], json.dumps(wanted["input"])
        if name in kinds:
            return {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": arguments}
        if kinds.get("exec") == "custom":
            script = f"text(JSON.stringify(await tools.{name}({arguments})))"
            return {"type": "custom_tool_call", "id": "ct_1", "call_id": "call_1", "namespace": "functions", "name": "exec", "input": script}
        return None

    def result(self, request):
        for item in request.get("input", []):
            if isinstance(item, dict) and item.get("type") in ("function_call_output", "custom_tool_call_output"):
                return text_of(item.get("output"))
        return None

    def events(self, request):
        result = self.result(request)
        item = self.call(request) if result is None else None
        if item is None:
            part = {"type": "output_text", "text": f"{kWord} {result}", "annotations": []}
            item = {"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "content": [part]}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": {"cached_tokens": 0},
                 "output_tokens_details": {"reasoning_tokens": 0}}
        yield {"type": "response.created", "response": {"id": "r_1"}}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        yield {"type": "response.completed", "response": {"id": "r_1", "status": "completed", "output": [item], "usage": usage}}


kApis = {"/v1/messages": Anthropic(), "/v1/responses": OpenAi(), "/backend-api/codex/responses": OpenAi()}


class Handler(https_server.Handler):
    def credential(self):
        return self.headers.get("x-api-key") or self.headers.get("authorization") or "-"

    def account(self):
        """What codex asks of a subscription before it talks to the model: that its account may use any server."""
        return {"accounts": [{"id": self.headers.get("chatgpt-account-id", ""), "structure": "personal", "plan_type": "plus",
                              "workspace_backend_origin": "NO_CONSTRAINT", "account_routing_override": "NO_CONSTRAINT"}]}

    def answer(self, kind, body, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def any(self):
        path = self.path.partition("?")[0]
        body = self.body()
        note(f"{self.headers.get('host')} {self.command} {path} {self.credential()}")
        if self.headers.get("upgrade"):  # events come by HTTP only
            return self.answer("text/plain", b"", 426)
        if path == "/backend-api/wham/accounts/check":
            return self.answer("application/json", json.dumps(self.account()).encode())
        if self.command != "POST" or path not in kApis:
            return self.answer("application/json", b"{}")
        if accepted() not in (None, self.credential()):
            return self.answer("application/json", b'{"error": {"type": "authentication_error", "message": "no"}}', 401)
        if self.headers.get("content-encoding") == "zstd":  # codex, with a subscription
            body = subprocess.run(["zstd", "-dcq"], input=body, stdout=subprocess.PIPE, check=True).stdout
        request = json.loads(body)
        with open(kDirectory + "/model-request.json", "w") as f:
            json.dump(request, f, indent=1)
        with open(kDirectory + "/model-requests.json", "a") as f:
            f.write(json.dumps(request) + "\n")
        events = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in kApis[path].events(request))
        return self.answer("text/event-stream", events.encode())

    do_GET = do_POST = do_PUT = do_DELETE = any


https_server.serve_on_443(Handler, "127.78.0", kDirectory + "/model", kDirectory + "/model-address")
