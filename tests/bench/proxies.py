# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What the part proxy measures: nginx, the filtering proxy without its sandbox, squid and mitmproxy before it, and a network
namespace, from which a peer's client has as far to go as one in a container."""

import os
import pathlib
import socket
import subprocess
import time

from report import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = pathlib.Path(os.environ.get("SANDBOXD_BIN_DIR", ROOT / "build/release/bin")).parent / "tests"
BIG = 1 << 30


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


def peak_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


class Server:
    """A process that listens, until it is closed."""

    def __init__(self, work, name, argv, port):
        self.port = port
        log = work / f"{name}.log"
        with log.open("wb") as output:
            self.process = subprocess.Popen([str(a) for a in argv], stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=subprocess.STDOUT)
        try:
            await_port(port, self.process, log)
        except RuntimeError:
            self.close()
            raise

    def peak_mib(self):
        return peak_mib(self.process.pid)

    def processor_ms(self):
        """Of its first thread."""
        return int(pathlib.Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e6

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Namespace:
    """One wire to the host, which is at HOST."""

    HOST, GUEST = "169.254.83.1", "169.254.83.2"  # of a link, whatever else the host is connected to

    def __init__(self):
        self.name = f"bench{os.getpid()}"
        ours, theirs = f"{self.name}-a", f"{self.name}-b"
        run(["ip", "netns", "add", self.name])
        run(["ip", "-n", self.name, "link", "set", "lo", "up"])
        run(["ip", "link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", self.name])
        for where, link, address in ((("ip",), ours, self.HOST), (("ip", "-n", self.name), theirs, self.GUEST)):
            run([*where, "address", "add", f"{address}/30", "dev", link])
            run([*where, "link", "set", link, "up"])

    def way(self):
        return ["ip", "netns", "exec", self.name]

    def close(self):
        run(["ip", "netns", "delete", self.name])


def make_certificate(path, names, *extensions):
    run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", f"/CN=bench {path.name}", "-keyout", f"{path}.key", "-out", f"{path}.crt",
         *(word for e in (f"subjectAltName={names}", *extensions) for word in ("-addext", e))])


class Nginx(Server):
    def __init__(self, work, port, plain):
        super().__init__(work, "nginx", ["nginx", "-p", work, "-c", work / "nginx.conf"], port)
        self.plain = plain

    def policy(self):
        """That its clients need: what is not in TLS goes through a tunnel that nobody looks into."""
        return ["--allow-host", f"localhost:{self.port}", "--allow-host", f"localhost:{self.plain}", "--bypass-host",
                f"localhost:{self.plain}"]


def nginx(work):
    """A small page in TLS, and a big one without."""
    port, plain = free_port(), free_port()
    make_certificate(work / "nginx", "DNS:localhost,DNS:host.docker.internal,DNS:*.bench.test")
    (work / "index.html").write_text("hello\n")
    with open(work / "big", "wb") as big:
        big.truncate(BIG)
    (work / "nginx.conf").write_text(f"""
daemon off; pid {work}/nginx.pid; error_log {work}/nginx-errors.log; worker_processes 1;
events {{ worker_connections 4096; }}
http {{
  access_log off; sendfile on; keepalive_requests 100000000; keepalive_timeout 600;
  client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3; uwsgi_temp_path {work}/t4;
  scgi_temp_path {work}/t5;
  server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {work}/nginx.crt; ssl_certificate_key {work}/nginx.key;
           root {work}; }}
  server {{ listen 127.0.0.1:{plain}; root {work}; }}
}}
""")
    for directory in (work, work.parent):  # nginx's workers and squid give up root
        directory.chmod(0o755)
    return Nginx(work, port, plain)


def squid(work):
    """With ssl-bump on one port, a plain tunnel on another, and both for the namespace, too."""
    bump, plain = free_port(), free_port()
    home = work / "squid"
    home.mkdir()
    make_certificate(home / "ca", "DNS:ca", "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign")
    (home / "ca.pem").write_text((home / "ca.key").read_text() + (home / "ca.crt").read_text())
    certgen = "/usr/lib/squid/security_file_certgen"
    run([certgen, "-c", "-s", home / "db", "-M", "4MB"])
    options = f"ssl-bump tls-cert={home}/ca.pem generate-host-certificates=on dynamic_cert_mem_cache_size=4MB"
    (home / "squid.conf").write_text(f"""
http_port 127.0.0.1:{bump} {options}
http_port {Namespace.HOST}:{bump} {options}
http_port 127.0.0.1:{plain}
http_port {Namespace.HOST}:{plain}
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
    server = Server(work, "squid", ["squid", "-n", f"bench{os.getpid()}", "-N", "-f", home / "squid.conf"], bump)
    server.plain = plain
    return server


def mitmproxy(work, name="mitmdump", *options):
    port = free_port()
    return Server(work, name, ["mitmdump", "-q", *options, "--set", f"confdir={work / name}", "--set",
                               f"ssl_verify_upstream_trusted_ca={work}/nginx.crt", "--listen-host", "127.0.0.1", "-p",
                               port], port)


def own_proxy(work, upstream, names):
    """`names` are names of nginx, too."""
    port = free_port()
    home = work / "ours"
    home.mkdir()
    options = [word for name in ("localhost", *names)
               for word in ("--host", f"{name}=127.0.0.1", "--allow-host", f"{name}:{upstream.port}")]
    server = Server(work, "proxy_server", [TESTS / "proxy_server", "--ca", home, "--roots", work / "nginx.crt", "--port",
                                           port, *options, *upstream.policy()], port)
    server.roots = home / "proxy-ca.crt"
    return server
