#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A real gRPC, both ends of it.

grpc_echo.py serve DIRECTORY      on two free ports, in TLS with DIRECTORY/server.key and .crt, and plainly; their numbers
                                  are in DIRECTORY/grpc-ports, as a shell reads them
grpc_echo.py ask secure|insecure HOST:PORT    each kind of call once, a line for each
"""
import concurrent.futures
import os
import queue
import sys

import grpc

kLimit = 60  # seconds


def reverse(request, context):
    context.set_trailing_metadata((("x-kept", "yes"),))
    return request[::-1]


def refuse(_, context):
    context.abort(grpc.StatusCode.NOT_FOUND, "no such thing")


def count(request, _):
    for number in range(int(request)):
        yield b"%d" % number


def total(requests, _):
    return b"%d" % sum(len(request) for request in requests)


def echo(requests, _):
    yield from requests


kHandlers = {
    "/Echo/Reverse": grpc.unary_unary_rpc_method_handler(reverse),
    "/Echo/Refuse": grpc.unary_unary_rpc_method_handler(refuse),
    "/Echo/Count": grpc.unary_stream_rpc_method_handler(count),
    "/Echo/Total": grpc.stream_unary_rpc_method_handler(total),
    "/Echo/Echo": grpc.stream_stream_rpc_method_handler(echo),
}


class Echo(grpc.GenericRpcHandler):
    def service(self, details):
        return kHandlers.get(details.method)


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


def serve(directory):
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(8), handlers=[Echo()])
    pair = (content_of(directory + "/server.key"), content_of(directory + "/server.crt"))
    secure = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([pair]))
    insecure = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with open(directory + "/grpc-ports.new", "w") as file:
        file.write("GRPC_SECURE_PORT=%d\nGRPC_INSECURE_PORT=%d\n" % (secure, insecure))
    os.rename(directory + "/grpc-ports.new", directory + "/grpc-ports")
    server.wait_for_termination()


def converse(channel):
    """Each message goes out when the answer to the one before has come: nobody between may wait for more."""
    words = queue.Queue()
    words.put(b"0")
    heard = []
    for answer in channel.stream_stream("/Echo/Echo")(iter(words.get, None), timeout=kLimit):
        heard.append(answer.decode())
        words.put(b"%d" % len(heard) if len(heard) < 5 else None)
    return " ".join(heard)


def ask(kind, address):
    channel = grpc.insecure_channel(address)
    if kind == "secure":
        # Without roots of its own: what the sandbox's environment says is trusted.
        channel = grpc.secure_channel(address, grpc.ssl_channel_credentials())
    answer, call = channel.unary_unary("/Echo/Reverse").with_call(b"hello", timeout=kLimit)
    print("unary", answer.decode(), call.code().name, dict(call.trailing_metadata())["x-kept"])
    try:
        channel.unary_unary("/Echo/Refuse")(b"", timeout=kLimit)
    except grpc.RpcError as error:
        print("refused", error.code().name, error.details())
    print("down", sum(1 for _ in channel.unary_stream("/Echo/Count")(b"1000", timeout=kLimit)))
    print("up", channel.stream_unary("/Echo/Total")((bytes(50000) for _ in range(100)), timeout=kLimit).decode())
    print("both", converse(channel))


def main():
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        ask(sys.argv[2], sys.argv[3])


main()
