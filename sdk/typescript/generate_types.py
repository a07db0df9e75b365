#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The types of docs/openapi.yaml in TypeScript: schemas.ts has an interface for each schema, operations.ts the method, the
path and the types of each operation. The committed files are what this prints; a test compares them.

usage: generate_types.py OPENAPI_YAML DIRECTORY
"""
import pathlib
import re
import sys

import yaml

HEAD = """// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// Generated from docs/openapi.yaml by generate_types.py. Do not edit.
"""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
# Names that mean something else in TypeScript's own library.
RENAMED = {"Error": "ErrorBody", "Event": "SandboxEvent"}
BINARY = "AsyncIterable<Uint8Array>"
WIDTH = 116


class Types:
    """TypeScript's words for the part of JSON Schema that the document uses."""

    def __init__(self, document, prefix=""):
        self.document = document
        self.prefix = prefix  # of the names of schemas

    def resolve(self, node):
        while "$ref" in node:
            target = self.document
            for part in node["$ref"][2:].split("/"):
                target = target[part]
            node = target
        return node

    def of(self, node, indent=""):
        if "$ref" in node:
            return self.prefix + name_of(node["$ref"].rsplit("/", 1)[1])
        if "enum" in node:
            return " | ".join(f'"{word}"' for word in node["enum"])
        if node["type"] == "array":
            return self.array(self.of(node["items"], indent))
        if node["type"] == "object":
            return self.object(node, indent)
        return PLAIN[node["type"]]

    @staticmethod
    def array(item):
        return f"Array<{item}>" if "|" in item or "{" in item else f"{item}[]"

    def object(self, node, indent):
        if "properties" not in node:
            other = node.get("additionalProperties", True)
            return f"Record<string, {self.of(other) if isinstance(other, dict) else 'unknown'}>"
        return "{\n" + "".join(self.members(node, indent + "  ")) + indent + "}"

    def members(self, node, indent):
        for name, member in node["properties"].items():
            yield from comment(member.get("description"), indent)
            mark = "" if name in node.get("required", []) else "?"
            yield f"{indent}{name}{mark}: {self.of(member, indent)};\n"


def name_of(schema):
    return RENAMED.get(schema, schema)


def comment(text, indent):
    """A description as a comment, in lines of a bearable width."""
    if not text:
        return
    lines, words = [""], text.replace("*/", "*\\/").split()
    for word in words:
        if lines[-1] and len(indent) + len(lines[-1]) + len(word) + 8 > WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */\n"
        return
    yield f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def schemas(document):
    types = Types(document)
    parts = [HEAD]
    for name, node in document["components"]["schemas"].items():
        described = types.of(node)
        parts.append("\n" + "".join(comment(node.get("description"), "")))
        is_interface = described.startswith("{")
        parts.append(f"export interface {name_of(name)} {described}\n" if is_interface else f"export type {name_of(name)} = {described};\n")
    return "".join(parts)


def answer_of(types, operation):
    """The JSON of a success; bytes for another content; nothing for none."""
    for status, response in sorted(operation["responses"].items()):
        if not status.startswith("2"):
            continue
        content = types.resolve(response).get("content", {})
        if "application/json" in content:
            return types.of(content["application/json"]["schema"], "    ")
        if content and set(content) != {"text/event-stream"}:
            return BINARY
    return "undefined"


def body_of(types, operation):
    body = operation.get("requestBody")
    if body is None:
        return None
    mark = "" if body.get("required") else "?"
    content = body["content"]
    kind = types.of(content["application/json"]["schema"]) if "application/json" in content else BINARY
    return f"    body{mark}: {kind};\n"


def parameters_of(types, operation, place):
    for parameter in map(types.resolve, operation.get("parameters", [])):
        if parameter["in"] == place:
            yield parameter


def parameter_type(types, parameter):
    if "schema" in parameter:
        return types.of(parameter["schema"])
    return types.of(parameter["content"]["application/json"]["schema"])


def arguments(types, operation, place):
    found = list(parameters_of(types, operation, place))
    if not found:
        return None
    members = [f"{p['name']}{'' if p.get('required') else '?'}: {parameter_type(types, p)}" for p in found]
    mark = "" if any(p.get("required") for p in found) else "?"
    return f"    {place}{mark}: {{ {'; '.join(members)} }};\n"


def takes_key(types, operation):
    return any(p["name"] == "Idempotency-Key" for p in parameters_of(types, operation, "header"))


def operations(document):
    types = Types(document, "schemas.")
    table, interfaces = [], []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            table.append(f'  {name}: ["{method.upper()}", "{path}"],\n')
            members = [arguments(types, operation, "path"), arguments(types, operation, "query"), body_of(types, operation)]
            if takes_key(types, operation):
                members.append("    key: true;\n")
            members.append(f"    answer: {answer_of(types, operation)};\n")
            interfaces += comment(operation["summary"], "  ")
            interfaces.append(f"  {name}: {{\n{''.join(filter(None, members))}  }};\n")
    return (HEAD + 'import type * as schemas from "./schemas.js";\n\n'
            "/** The method and the path of each operation. */\n"
            "export const routes = {\n" + "".join(table) + "} as const satisfies Record<string, readonly [string, string]>;\n\n"
            "/** What each operation takes and answers. */\n"
            "export interface Operations {\n" + "".join(interfaces) + "}\n")


def main(document, directory):
    document = yaml.safe_load(pathlib.Path(document).read_text(encoding="utf-8"))
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in (("schemas.ts", schemas(document)), ("operations.ts", operations(document))):
        (directory / name).write_text(re.sub(r" +\n", "\n", text), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
