// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What programs do with dockerode, for docker_clients.bats: node dockerode_client.cjs SOCKET. A line for each that worked.
const Docker = require("dockerode");
const { PassThrough } = require("node:stream");
const { once } = require("node:events");

const docker = new Docker({ socketPath: process.argv[2] });

function collected() {
  const stream = new PassThrough();
  const parts = [];
  stream.on("data", (part) => parts.push(part));
  stream.text = () => Buffer.concat(parts).toString().trim();
  return stream;
}

async function runs() {
  const out = collected();
  const [end, container] = await docker.run("small", ["sh", "-c", "echo hello from dockerode; exit 7"], out, { Tty: false });
  console.log(`ran: ${out.text().replace(/^[^h]*/, "")}, status ${end.StatusCode}`);
  await container.remove();
}

async function execs() {
  const container = await docker.createContainer({ Image: "small", Cmd: ["sleep", "600"] });
  await container.start();
  const exec = await container.exec({ Cmd: ["cat"], AttachStdin: true, AttachStdout: true });
  const stream = await exec.start({ hijack: true, stdin: true });
  const out = collected();
  docker.modem.demuxStream(stream, out, out);
  stream.end("in the container\n");
  await once(stream, "end");
  console.log(`exec: ${out.text()}`);
  return container;
}

async function hears(container) {
  const events = await docker.getEvents({ filters: { container: [container.id], event: ["die"] } });
  const first = once(events, "data");
  const stats = await container.stats({ stream: false });
  await container.remove({ force: true });
  const [event] = await first;
  events.destroy();
  console.log(`event: ${JSON.parse(event).status}`);
  console.log(`stats: ${stats.memory_stats !== undefined ? "yes" : "no"}`);
}

async function builds() {
  const archive = require("tar-stream").pack();
  archive.entry({ name: "Dockerfile" }, 'FROM small\nRUN echo built by dockerode > /built\nCMD ["cat", "/built"]\n');
  archive.finalize();
  const progress = await docker.buildImage(archive, { t: "by-dockerode" });
  await new Promise((done, failed) => docker.modem.followProgress(progress, (error) => (error ? failed(error) : done())));
  const out = collected();
  const [, container] = await docker.run("by-dockerode", [], out, { Tty: true });
  console.log(`built: ${out.text()}`);
  await container.remove();
}

async function main() {
  await docker.ping();
  console.log("pinged");
  await runs();
  const container = await execs();
  const images = await docker.listImages({ filters: { reference: ["small"] } });
  console.log(`image: ${images[0].RepoTags[0].split(":")[0]}`);
  await hears(container);
  await builds();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
