// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/image_proxy.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/file.h"
#include "base/home.h"
#include "base/text.h"
#include "base/value.h"
#include "images/image_config.h"

// The protocol: packets of JSON, {"method","args"} and {"success","value","pipeid","error"}; what is long comes by a
// pipe that is attached to the answer, whose writing end stays open until FinishPipe.
namespace sbx::images {
namespace {

constexpr std::size_t kLargestPacket = 64u << 10;
constexpr std::size_t kLargestDocument = 8u << 20;
constexpr std::size_t kMostLayers = 500;  // of an overlay

struct Descriptor {
  std::string digest;
  std::int64_t size = 0;
};
void describe(Members& members, Descriptor& descriptor) {
  members.required("digest", descriptor.digest);
  members.required("size", descriptor.size);
  members.check(is_digest(descriptor.digest) && descriptor.size >= 0, "it is no descriptor of a blob");
}

struct Manifest {
  std::vector<Descriptor> layers;
};
void describe(Members& members, Manifest& manifest) { members.required("layers", manifest.layers); }

// skopeo wants to be told whose signatures it believes in; where the host says nothing about that, it believes all.
bool host_has_policy() {
  const auto home = user_home();
  return exists("/etc/containers/policy.json") || (home && exists(*home + "/.config/containers/policy.json"));
}

// What every command of skopeo's is told.
std::vector<std::string> skopeo(const ImageLocation& location) {
  std::vector<std::string> argv{"skopeo", "--override-os", "linux"};
  const auto platform = split(location.architecture, '/');
  if (!platform[0].empty()) argv.insert(argv.end(), {"--override-arch", platform[0]});
  if (platform.size() > 1) argv.insert(argv.end(), {"--override-variant", platform[1]});
  if (!host_has_policy()) argv.emplace_back("--insecure-policy");
  return argv;
}

std::vector<std::string> command_line(const ImageLocation& location) {
  std::vector<std::string> argv = skopeo(location);
  argv.insert(argv.end(), {"experimental-image-proxy", "--sockfd", "3"});
  if (location.plain_http) argv.emplace_back("--tls-verify=false");
  if (!location.docker_host.empty()) argv.insert(argv.end(), {"--daemon-host", location.docker_host});
  return argv;
}

bool mentions(const std::string& text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (text.find(word) != std::string::npos) return true;
  return false;
}

// What skopeo says is for people; some of it means something to us.
Error error_from(const std::string& said) {
  const std::string text = printable(said);
  if (mentions(text, {"unauthorized", "authentication required", "access to the resource is denied", "403"}))
    return {Code::kForbidden, text, "docker login, or podman login, to that registry"};
  if (mentions(text,
               {"manifest unknown", "name unknown", "not found", "No such image", "no such file", "does not exist"}))
    return {Code::kNotFound, text};
  if (mentions(text, {"dial tcp", "no such host", "connection refused", "Cannot connect", "timeout"}))
    return {Code::kUnavailable, text};
  return {Code::kInternal, text};
}

Result<> check_skopeo() {
  if (find_program("skopeo")) return Ok{};
  return fail(Code::kUnavailable, "skopeo is not installed", "sudo apt-get install skopeo");
}

}  // namespace

// Layers are left uncompressed, as containers-storage has them.
Result<ImageLocation> copied_image(const ImageLocation& location, const std::string& directory) {
  TRY(check_skopeo());
  std::vector<std::string> argv = skopeo(location);
  argv.insert(argv.end(), {"copy", "--quiet", location.text, "dir:" + directory});
  TRY_ASSIGN(const RunOutput output, run({.argv = std::move(argv)}, std::chrono::hours(1)));
  if (output.exit.code != 0) return fail(error_from(std::string(trimmed(output.err))));
  return ImageLocation{"dir:" + directory, location.architecture};
}

struct ImageProxy::Reply {
  Json value;
  std::int64_t pipe = 0;
  Fd fd;
};

ImageProxy::ImageProxy(Child child, Fd socket, Fd errors)
    : child_(std::move(child)), socket_(std::move(socket)), errors_(std::move(errors)) {}

Result<std::unique_ptr<ImageProxy>> ImageProxy::open(const ImageLocation& location) {
  TRY(check_skopeo());
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail_errno("make a socket pair");
  Fd ours(ends[0]);
  const Fd theirs(ends[1]);
  TRY_ASSIGN(Pipe errors, make_pipe());
  Command command;
  command.argv = command_line(location);
  command.stderr_fd = errors.write.get();
  command.passed_fds = {theirs.get()};
  if (location.archive >= 0) command.passed_fds.push_back(location.archive);
  TRY_ASSIGN(Child child, Child::start(command));
  std::unique_ptr<ImageProxy> proxy(new ImageProxy(std::move(child), std::move(ours), std::move(errors.read)));
  TRY(proxy->read_image(location.text));
  return proxy;
}

Result<> ImageProxy::send(const std::string& method, const Json& arguments) {
  const std::string text = dump(Json{{"method", method}, {"args", arguments}});
  if (::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL) < 0) return fail_errno("ask skopeo");
  return Ok{};
}

Result<ImageProxy::Reply> ImageProxy::receive() {
  std::string text(kLargestPacket, '\0');
  std::array<char, CMSG_SPACE(sizeof(int))> control{};
  iovec part{text.data(), text.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t n = 0;
  do {
    n = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n < 0) return fail_errno("hear from skopeo");
  Reply reply;
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message);
      header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof number);
    reply.fd = Fd(number);
  }
  if (n == 0) {
    const auto said = read_all(errors_, 16u << 10);
    return fail(Code::kInternal, "skopeo: " + printable(trimmed(said.value_or("it has ended"))));
  }
  TRY_ASSIGN(const Json json, parse_json(std::string_view(text).substr(0, static_cast<std::size_t>(n))));
  if (json.value("success", false) != true) return fail(error_from(json.value("error", "skopeo has failed")));
  reply.value = json.value("value", Json());
  reply.pipe = json.value("pipeid", std::int64_t{0});
  return reply;
}

Result<ImageProxy::Reply> ImageProxy::call(const std::string& method, const Json& arguments) {
  TRY(send(method, arguments));
  return receive();
}

// FinishPipe is asked for before all has been read, because only that ends the pipe.
Result<std::string> ImageProxy::read_whole(Reply reply) {
  TRY(send("FinishPipe", Json::array({reply.pipe})));
  auto text = read_all(reply.fd, kLargestDocument);
  reply.fd.reset();
  TRY(receive());
  return text;
}

Result<> ImageProxy::read_image(const std::string& location) {
  TRY(call("Initialize", Json::array()));
  TRY_ASSIGN(const Reply opened, call("OpenImage", Json::array({location})));
  if (!opened.value.is_number_integer()) return fail(Code::kInternal, "skopeo opened no image");
  image_ = opened.value.get<std::int64_t>();
  TRY_ASSIGN(Reply manifest, call("GetManifest", Json::array({image_})));
  if (manifest.value.is_string()) digest_ = manifest.value.get<std::string>();
  TRY_ASSIGN(const std::string manifest_text, read_whole(std::move(manifest)));
  TRY_ASSIGN(const Manifest parsed, value_in<Manifest>(manifest_text, "manifest", Unknown::kIgnored));
  TRY_ASSIGN(Reply config, call("GetFullConfig", Json::array({image_})));
  TRY_ASSIGN(config_, read_whole(std::move(config)));
  if (parsed.layers.size() > kMostLayers) return fail(Code::kInvalid, "the image has too many layers");
  for (const Descriptor& layer : parsed.layers) layers_.push_back({layer.digest, layer.size});
  return Ok{};
}

Result<Fd> ImageProxy::blob(const LayerBlob& layer) {
  TRY_ASSIGN(Reply reply, call("GetBlob", Json::array({image_, layer.digest, layer.size})));
  if (!reply.fd) return fail(Code::kInternal, "skopeo gave no blob");
  pipe_ = reply.pipe;
  return std::move(reply.fd);
}

Result<> ImageProxy::start_finishing() { return send("FinishPipe", Json::array({pipe_})); }

Result<> ImageProxy::finish_blob() {
  TRY(receive());
  return Ok{};
}

}  // namespace sbx::images
