# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The filtering proxy beside mitmproxy and squid: one nginx behind all of them, wrk and curl before them, on the host and in
guests."""

import json
import pathlib
import shutil
import socket
import ssl
import subprocess

from machine import Machine
from proxies import Namespace, mitmproxy, nginx, own_proxy, peak_mib, squid
from report import interleaved, run

SECONDS = 3
MANY = 10
CROWD = 100
NEW_NAMES = 30
# What wrk calls when it is done: its own report has too few digits.
SUMMARY = """
function done(summary, latency)
  local errors = summary.errors
  io.stderr:write(string.format('{"rate": %f, "p50": %f, "p99": %f, "errors": %d}', summary.requests / summary.duration * 1e6,
    latency:percentile(50), latency:percentile(99), errors.connect + errors.read + errors.write + errors.status))
end
"""


class Client:
    """wrk and curl, in one place. `way`: the words before a command."""

    def __init__(self, script, host="localhost", way=(), wrk=("wrk",), environment=None):
        self.script, self.host, self.environment = script, host, environment
        self.way, self.wrk = [str(a) for a in way], [str(a) for a in wrk]

    def load(self, port, connections):
        """rate: requests per second; p50 and p99: microseconds."""
        argv = [*self.way, *self.wrk, "-t1", f"-c{connections}", f"-d{SECONDS}", "-s", self.script,
                f"https://{self.host}:{port}/"]
        done = self.run([str(a) for a in argv])
        figures = json.loads(done.stderr.splitlines()[-1]) if done.returncode == 0 else {"errors": done.stderr}
        if figures["errors"]:
            raise RuntimeError(f"{' '.join(done.args)}: errors: {figures['errors']}")
        return figures

    def megabytes_per_second(self, port, *options):
        """Of one connection, for no longer than it takes to know."""
        argv = [*self.way, "curl", "-sS", *options, "-m", str(SECONDS), "-o", "/dev/null", "-w",
                "%{http_code} %{speed_download}", f"http://{self.host}:{port}/big"]
        done = self.run(argv)
        status, speed = done.stdout.split()
        if status != "200":
            raise RuntimeError(f"{' '.join(argv)}: status {status} {done.stderr}")
        return float(speed) / 1e6

    def run(self, argv):
        return subprocess.run(argv, capture_output=True, text=True, check=False, env=self.environment)


class Chained(Client):
    """A client of a forward proxy: wrk knows of none, so proxychains4 puts a CONNECT before each of its connections. It
    would look localhost up by itself, if it found it in /etc/hosts; the name is for the proxy to see."""

    def __init__(self, script, work, port, address="127.0.0.1", way=()):
        path = work / f"chain-{address}-{port}.conf"
        path.write_text(f"strict_chain\nproxy_dns\n[ProxyList]\nhttp {address} {port}\n")
        without_hosts = ["unshare", "--mount", "sh", "-c", 'mount --bind /dev/null /etc/hosts && exec "$@"', "sh"]
        super().__init__(script, way=way, wrk=[*without_hosts, "proxychains4", "-q", "-f", path, "wrk"])


def portable(program, directory):
    """How to run a program of the host's in a guest that may have other libraries: with the host's."""
    listing = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    libraries = [word for line in listing.splitlines() for word in line.split() if word.startswith("/")]
    for path in (program, *libraries):
        run(["cp", "-L", path, directory])
    loader = next(directory / pathlib.Path(path).name for path in libraries if "/ld-linux" in path)
    return [loader, "--library-path", directory, directory / pathlib.Path(program).name]


class Guest(Client):
    """In a sandbox, captured on the way: through init, the channel, the shim and its gate."""

    def __init__(self, ours, backend, upstream):
        self.ours, self.name = ours, f"proxy-{backend}"
        directory = ours.directory(self.name)
        script = directory / "summary.lua"
        script.write_text(SUMMARY)
        super().__init__(script, "host.docker.internal", ours.argv("exec", self.name),
                         portable(shutil.which("wrk"), directory), ours.environment)
        ours.run(*ours.creation(self.name, backend, directory))
        ours.run("network", "proxy", self.name, *upstream.policy())

    def peaks(self):
        processes = Machine(self.ours.inspect(self.name)).processes()
        return {name: peak_mib(processes[name]) for name in ("shim", "sandbox-gate")}

    def close(self):
        self.ours.remove(self.name)


class Part:
    """One run: what is there, and the tables that come of it."""

    def __init__(self, world):
        self.report, self.rounds = world.report, min(world.rounds, 5)
        self.work = world.work / "proxy"
        self.work.mkdir()
        self.script = self.work / "summary.lua"
        self.script.write_text(SUMMARY)
        self.names = [f"new{number}.bench.test" for number in range(NEW_NAMES)]
        self.upstream = world.kept(nginx(self.work))
        self.namespace = world.kept(Namespace())
        self.squid = world.kept(squid(self.work))
        self.ours = world.kept(own_proxy(self.work, self.upstream, self.names))
        self.proxies = {"ours": self.ours, "squid, ssl-bump": self.squid, "mitmproxy": world.kept(mitmproxy(self.work))}
        self.direct = Client(self.script)
        self.clients = {name: Chained(self.script, self.work, proxy.port) for name, proxy in self.proxies.items()}
        for client in self.clients.values():
            client.load(self.upstream.port, MANY)  # whatever is done once is done now

    def loads(self, clients, connections, rounds):
        return interleaved(rounds, {name: lambda _, client=client: client.load(self.upstream.port, connections)
                                    for name, client in clients.items()})

    def rates(self):
        samples = self.loads(self.clients, MANY, self.rounds)
        table = self.report.table(f"inspected HTTPS, {MANY} connections, wrk on the host",
                                  {name: [s["rate"] for s in each] for name, each in samples.items()}, "ours", "requests/s")
        self.report.claim("inspected HTTPS, requests per second, to mitmproxy's", table.ratio("ours", "mitmproxy"), least=10)
        self.report.claim("inspected HTTPS, requests per second, to squid's", table.ratio("ours", "squid, ssl-bump"), least=1)

    def latency(self):
        samples = self.loads({"no proxy": self.direct, **self.clients}, 1, self.rounds)
        for percentile, goal in (("p50", 1), ("p99", 5)):
            times = {name: [s[percentile] for s in each] for name, each in samples.items()}
            table = self.report.table(f"latency of one client, {percentile}, wrk on the host", times, "no proxy", "µs")
            added = (table.median("ours") - table.median("no proxy")) / 1000
            self.report.claim(f"latency that the proxy adds, {percentile}, ms", added, most=goal)

    def tunnel(self):
        through = lambda port: lambda _: self.direct.megabytes_per_second(
            self.upstream.plain, "-p", "-x", f"http://127.0.0.1:{port}")
        table = self.report.table("plain tunnel, one connection, curl on the host", interleaved(self.rounds, {
            "no proxy": lambda _: self.direct.megabytes_per_second(self.upstream.plain),
            "ours": through(self.ours.port), "squid": through(self.squid.plain)}), "squid", "MB/s")
        self.report.claim("plain tunnel, to squid's", table.ratio("ours", "squid"), least=0.8)

    def handshake(self, name):
        """What it takes our proxy, in ms of processor time: others on the machine do not add to that."""
        trust = ssl.create_default_context(cafile=str(self.ours.roots))
        before = self.ours.processor_ms()
        with socket.create_connection(("127.0.0.1", self.ours.port)) as connection:
            connection.sendall(f"CONNECT {name}:{self.upstream.port} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
            if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
                raise RuntimeError(f"no tunnel to {name}")
            with trust.wrap_socket(connection, server_hostname=name):
                return self.ours.processor_ms() - before

    def new_leaf(self):
        samples = {"a new name": [], "the same again": []}
        for name in self.names:
            for times in samples.values():
                times.append(self.handshake(name))
        table = self.report.table("TLS handshake with our proxy, its processor time", samples, "the same again")
        self.report.claim("a new leaf certificate, ms of processor time",
                          table.median("a new name") - table.median("the same again"), most=2)

    def memory(self, guests):
        self.loads(self.clients, CROWD, 1)
        self.loads(guests, CROWD, 1)
        peaks = {name: [proxy.peak_mib()] for name, proxy in self.proxies.items()}
        for name, guest in guests.items():
            peaks |= {f"{process} of the {name}": [mib] for process, mib in guest.peaks().items()}
        self.report.table(f"resident memory at its highest, with {CROWD} connections at last", peaks, "ours", "MB")

    def from_guests(self, guests):
        """A peer's client is in a namespace of its own, as a container's would be."""
        way = self.namespace.way()
        peer = Chained(self.script, self.work, self.squid.port, Namespace.HOST, way)
        samples = self.loads({**guests, "squid, from a namespace": peer}, MANY, min(self.rounds, 3))
        rates = self.report.table(f"inspected HTTPS, {MANY} connections, wrk in the guest",
                                  {name: [s["rate"] for s in each] for name, each in samples.items()},
                                  "squid, from a namespace", "requests/s")
        proxy = ("-p", "-x", f"http://{Namespace.HOST}:{self.squid.plain}")
        far = Client(self.script, way=way)
        contestants = {name: lambda _, guest=guest: guest.megabytes_per_second(self.upstream.plain, "--noproxy", "*")
                       for name, guest in guests.items()}
        contestants["squid, from a namespace"] = lambda _: far.megabytes_per_second(self.upstream.plain, *proxy)
        tunnels = self.report.table("plain tunnel, one connection, curl in the guest",
                                    interleaved(min(self.rounds, 3), contestants), "squid, from a namespace", "MB/s")
        self.report.claim("inspected HTTPS from a container, requests per second, to squid's",
                          rates.ratio("container", "squid, from a namespace"), least=1)
        self.report.claim("plain tunnel from a container, to squid's",
                          tunnels.ratio("container", "squid, from a namespace"), least=0.8)


def proxy(world):
    part = Part(world)
    part.rates()
    part.latency()
    part.tunnel()
    part.new_leaf()
    # The sandboxes' proxies are to trust nginx.
    world.ours.run("daemon", "stop")
    world.ours.environment["SSL_CERT_FILE"] = str(part.work / "nginx.crt")
    guests = {name: world.kept(Guest(world.ours, name.lower(), part.upstream)) for name in ("container", "microVM")}
    part.from_guests(guests)
    part.memory(guests)
