# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The filtering proxy beside mitmproxy and squid: one nginx behind all of them, one client (proxy_load) before them."""

import json
import os
import pathlib
import socket
import subprocess
import time

from report import interleaved, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = pathlib.Path(os.environ.get("SANDBOXD_BIN_DIR", ROOT / "build/release/bin")).parent / "tests"
SECONDS = 3
MANY = 10


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port, process, log):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise RuntimeError(f"{process.args[0]} does not listen: {log.read_text(errors='replace')[-2000:]}")


class Server:
    """A process that listens, until it is closed."""

    def __init__(self, work, name, argv, port, **options):
        self.port = port
        log = work / f"{name}.log"
        self.process = subprocess.Popen([str(a) for a in argv], stdin=subprocess.DEVNULL, stdout=log.open("wb"),
                                        stderr=subprocess.STDOUT, **options)
        try:
            await_port(port, self.process, log)
        except RuntimeError:
            self.close()
            raise

    def resident_mib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def make_certificate(path, names, *extensions):
    run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", f"/CN=bench {path.name}", "-keyout", f"{path}.key", "-out", f"{path}.crt",
         *(word for e in (f"subjectAltName={names}", *extensions) for word in ("-addext", e))])


def nginx(work):
    port = free_port()
    make_certificate(work / "nginx", "DNS:localhost,DNS:host.docker.internal")
    (work / "index.html").write_text("hello\n")
    (work / "nginx.conf").write_text(f"""
daemon off; pid {work}/nginx.pid; error_log {work}/nginx-errors.log; worker_processes 1;
events {{ worker_connections 4096; }}
http {{
  access_log off; keepalive_requests 100000000; keepalive_timeout 600;
  client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3; uwsgi_temp_path {work}/t4;
  scgi_temp_path {work}/t5;
  server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {work}/nginx.crt; ssl_certificate_key {work}/nginx.key;
           root {work}; }}
}}
""")
    return Server(work, "nginx", ["nginx", "-p", work, "-c", work / "nginx.conf"], port)


def squid(work):
    bump, plain = free_port(), free_port()
    home = work / "squid"
    home.mkdir()
    make_certificate(home / "ca", "DNS:ca", "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign")
    (home / "ca.pem").write_text((home / "ca.key").read_text() + (home / "ca.crt").read_text())
    certgen = "/usr/lib/squid/security_file_certgen"
    run([certgen, "-c", "-s", home / "db", "-M", "4MB"])
    (home / "squid.conf").write_text(f"""
http_port 127.0.0.1:{bump} ssl-bump tls-cert={home}/ca.pem generate-host-certificates=on dynamic_cert_mem_cache_size=4MB
http_port 127.0.0.1:{plain}
sslcrtd_program {certgen} -s {home}/db -M 4MB
acl step1 at_step SslBump1
ssl_bump peek step1
ssl_bump bump all
tls_outgoing_options cafile={work}/nginx.crt
http_access allow all
cache deny all
access_log none
cache_log {home}/cache.log
pid_filename {home}/pid
cache_effective_user proxy
coredump_dir {home}
pinger_enable off
shutdown_lifetime 0 seconds
""")
    run(["chown", "-R", "proxy", home])
    for directory in (work, work.parent):  # it gives up root
        directory.chmod(0o755)
    server = Server(work, "squid", ["squid", "-n", f"bench{os.getpid()}", "-N", "-f", home / "squid.conf"], bump)
    server.plain, server.roots = plain, home / "ca.crt"
    return server


def mitmproxy(work):
    port = free_port()
    home = work / "mitmproxy"
    server = Server(work, "mitmdump", ["mitmdump", "-q", "--set", f"confdir={home}", "--set",
                                       f"ssl_verify_upstream_trusted_ca={work}/nginx.crt", "--listen-host", "127.0.0.1",
                                       "-p", port], port)
    server.roots = home / "mitmproxy-ca-cert.pem"
    return server


def own_proxy(work, upstream, source):
    port = free_port()
    home = work / "ours"
    home.mkdir()
    server = Server(work, "proxy_server", [TESTS / "proxy_server", "--ca", home, "--roots", work / "nginx.crt", "--port",
                                           port, "--host", "localhost=127.0.0.1", "--allow-host",
                                           f"localhost:{upstream}", "--allow-host", f"localhost:{source}"], port)
    server.roots = home / "proxy-ca.crt"
    return server


def portable(program, directory):
    """How to run a program of the host's in a guest that may have other libraries: with the host's."""
    listing = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    libraries = [word for line in listing.splitlines() for word in line.split() if word.startswith("/")]
    for path in (program, *libraries):
        run(["cp", "-L", path, directory])
    loader = next(directory / pathlib.Path(path).name for path in libraries if "/ld-linux" in path)
    return [str(loader), "--library-path", str(directory), str(directory / program.name)]


class Guest:
    """The same client in a sandbox: through init, the channel, the shim and its gate."""

    def __init__(self, ours, backend, work, upstream, source):
        self.ours, self.name = ours, f"proxy-{backend}"
        directory = ours.directory(self.name)
        self.client = portable(TESTS / "proxy_load", directory)
        ours.run(*ours.creation(self.name, backend, directory))
        ours.run("network", "proxy", self.name, "--allow-host", f"localhost:{upstream}", "--allow-host",
                 f"localhost:{source}")

    def load(self, mode, target, connections):
        text = self.ours.output("exec", self.name, *self.client, mode, "--via", "198.18.0.1", "--port", "3128", "--target",
                                f"host.docker.internal:{target}", "--roots", "/etc/ssl/certs/ca-certificates.crt",
                                "--connections", str(connections), "--seconds", str(SECONDS))
        return json.loads(text)

    def close(self):
        self.ours.remove(self.name)


def load(mode, port, target, roots, connections):
    argv = [TESTS / "proxy_load", mode, "--port", port, "--target", f"localhost:{target}", "--roots", roots,
            "--connections", connections, "--seconds", SECONDS]
    output = subprocess.run([str(a) for a in argv], check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def proxy(world):
    work = world.work / "proxy"
    work.mkdir()
    upstream = world.kept(nginx(work))
    source = free_port()
    world.kept(Server(work, "source", [TESTS / "proxy_load", "source", "--port", source], source))
    theirs = {"squid, ssl-bump": world.kept(squid(work)), "mitmproxy": world.kept(mitmproxy(work))}
    ours = world.kept(own_proxy(work, upstream.port, source))
    inspecting = {"ours": ours, **theirs}
    rounds = min(world.rounds, 5)

    def requests(server, connections):
        return lambda _: load("requests", server.port, upstream.port, server.roots, connections)

    direct = lambda _: load("requests", 0, upstream.port, work / "nginx.crt", 1)
    many = interleaved(rounds, {name: requests(server, MANY) for name, server in inspecting.items()})
    one = interleaved(rounds, {"no proxy": direct, **{name: requests(s, 1) for name, s in inspecting.items()}})
    rates = {name: [s["requests_per_second"] for s in samples] for name, samples in many.items()}
    table = world.report.table(f"inspected HTTPS, {MANY} connections, from the host", rates, "ours", "requests/s")
    world.report.claim("at least 10 times mitmproxy's requests", table.ratio("ours", "mitmproxy") >= 10)
    world.report.claim("at least squid's requests", table.ratio("ours", "squid, ssl-bump") >= 1)

    for percentile, goal in (("p50", 1000), ("p99", 5000)):
        latency = world.report.table(f"latency of one client, {percentile}",
                                     {name: [s[f"{percentile}_us"] for s in samples] for name, samples in one.items()},
                                     "no proxy", "µs")
        added = latency.median("ours") - latency.median("no proxy")
        world.report.claim(f"{percentile} is {added / 1000:.2f} ms more than without a proxy, at most {goal / 1000:.0f}",
                           added <= goal)

    def tunnel(port):
        return lambda _: load("tunnel", port, source, work / "nginx.crt", 1)["bytes_per_second"] / 1e6

    tunnels = world.report.table("plain tunnel, one connection", interleaved(rounds, {
        "ours": tunnel(ours.port), "squid": tunnel(theirs["squid, ssl-bump"].plain)}), "squid", "MB/s")
    world.report.claim("at least 80 % of squid's tunnel", tunnels.ratio("ours", "squid") >= 0.8)
    world.report.table("resident memory after the load",
                       {name: [server.resident_mib()] for name, server in inspecting.items()}, "ours", "MB")
    from_guests(world, work, upstream.port, source, rounds)


def from_guests(world, work, upstream, source, rounds):
    bundle = work / "bundle.crt"
    bundle.write_text((work / "nginx.crt").read_text())
    world.ours.run("daemon", "stop")
    world.ours.environment["SSL_CERT_FILE"] = str(bundle)
    guests = {backend: world.kept(Guest(world.ours, backend, work, upstream, source))
              for backend in ("container", "microvm")}
    rates = interleaved(min(rounds, 3), {
        backend: (lambda _, guest=guest: guest.load("requests", upstream, MANY)["requests_per_second"])
        for backend, guest in guests.items()})
    world.report.table(f"inspected HTTPS, {MANY} connections, from a guest", rates, "container", "requests/s")
    tunnels = interleaved(min(rounds, 3), {
        backend: (lambda _, guest=guest: guest.load("tunnel", source, 1)["bytes_per_second"] / 1e6)
        for backend, guest in guests.items()})
    world.report.table("plain tunnel, one connection, from a guest", tunnels, "container", "MB/s")
