// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/template_image.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/child.h"
#include "base/file.h"
#include "idmap/idmap.h"
#include "support/small_disk.h"
#include "support/temporary_directory.h"

namespace sbx::backends::qemu {
namespace {

// Runs as the guest's root, in the directory that the tree is in.
constexpr const char* kMakeTree = R"(
set -e
mkdir -p root/etc root/home/agent root/tmp
echo text > root/etc/file
chmod 0640 root/etc/file
chown 33:44 root/etc/file
touch -d @1234567890 root/etc/file
ln -s /etc/file root/etc/link
ln root/etc/file root/etc/hard
chmod 1777 root/tmp
chown 1000:1000 root/home/agent
mkdir -m 0700 root/secret
echo hidden > root/secret/file
chmod 0000 root/secret/file
cp /bin/true root/ping
setcap cap_net_raw+ep root/ping
chmod 4755 root/ping
)";

Result<> run_as_guest_root(const std::string& script, const std::string& directory) {
  Command command;
  command.argv = {"sh", "-c", script};
  command.directory = directory;
  command.stderr_fd = 2;
  TRY_ASSIGN(Child child, idmap::start_as_guest_root(command));
  TRY_ASSIGN(const Exit exit, child.wait());
  if (exit.code != 0) return fail(Code::kInternal, "the script failed");
  return Ok{};
}

std::string said_by(std::vector<std::string> argv) {
  Command command;
  command.argv = std::move(argv);
  const auto output = run(command);
  EXPECT_TRUE(output && output->exit.code == 0) << (output ? output->out + output->err : output.error().what());
  return output ? output->out : "";
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// What the image says of a path: "Uid: 33   Gid: 44  Access: 0640/rw-r-----", among others.
void expect_inode(const std::string& image, const std::string& path, std::vector<std::string> parts) {
  const std::string said = said_by({"dump.erofs", "--path=" + path, image});
  for (const std::string& part : parts)
    EXPECT_TRUE(contains(said, part)) << path << " has no " << part << " in " << said;
}

// The mode on disk, of which dump.erofs shows only the lower nine bits: at byte 4 of the inode, which is number NID of
// the slots of 32 bytes from the block that byte 40 of the superblock names.
unsigned mode_of(const std::string& image, const std::string& path) {
  const std::string said = said_by({"dump.erofs", "--path=" + path, image});
  const std::size_t nid = std::stoul(said.substr(said.find("NID: ") + 5));
  const std::string bytes = *read_file(image);
  std::uint32_t block = 0;
  std::memcpy(&block, bytes.data() + 1024 + 40, sizeof block);
  std::uint16_t mode = 0;
  std::memcpy(&mode, bytes.data() + block * 4096ul + nid * 32 + 4, sizeof mode);
  return mode;
}

void expect_tree(const std::string& image) {
  said_by({"fsck.erofs", image});
  expect_inode(image, "/etc/file", {"Uid: 33 ", "Gid: 44 ", "Access: 0640/", "Links: 2", "2009-02-13"});
  expect_inode(image, "/etc/link", {"symlink", "Uid: 0 "});
  expect_inode(image, "/home/agent", {"directory", "Uid: 1000 ", "Gid: 1000 "});
  expect_inode(image, "/secret/file", {"Access: 0000/", "Uid: 0 "});
  expect_inode(image, "/ping", {"Access: 0755/", "Uid: 0 "});
  EXPECT_EQ(mode_of(image, "/tmp"), S_IFDIR | 01777u);
  EXPECT_EQ(mode_of(image, "/ping"), S_IFREG | 04755u);
  EXPECT_FALSE(contains(said_by({"dump.erofs", "--path=/ping", image}), "Xattr size: 0"));
  // cap_net_raw+ep, as setcap writes it for the host's root: revision 2, effective, bit 13.
  using namespace std::string_view_literals;
  EXPECT_TRUE(contains(*read_file(image), "\x01\0\0\x02\0\x20\0\0"sv));
}

class TemplateImageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"mkfs.erofs", "fsck.erofs", "dump.erofs", "setcap"})
      if (!find_program(program)) GTEST_SKIP() << program << " is not installed";
    ASSERT_EQ(::chmod(directory.path().c_str(), 0755), 0);
  }
  void TearDown() override { EXPECT_TRUE(idmap::remove_guest_tree(root)); }

  static MachineSpec spec_for(const std::vector<std::string>& layers, const std::string& directory) {
    MachineSpec spec;
    spec.template_image = directory + "/templates/00.erofs";
    spec.template_layers = layers;
    return spec;
  }

  testing::TemporaryDirectory directory;
  std::string root = directory / "root";
  std::string image = directory / "templates/00.erofs";
  MachineSpec spec = spec_for({root}, directory.path());
};

TEST_F(TemplateImageTest, HoldsTheTreeAsAGuestSeesIt) {
  ASSERT_TRUE(run_as_guest_root(kMakeTree, directory.path()));
  const auto made = ready_template_image(spec, nullptr);
  ASSERT_TRUE(made) << made.error().what();
  expect_tree(image);
  EXPECT_EQ(directory.entries(), (std::vector<std::string>{"root", "templates"}));
}

// Whether the same holds for the user's own ids is for a process of that user's to say.
TEST_F(TemplateImageTest, HoldsTheTreeAsAGuestOfAnOrdinaryUserSeesIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "the test above was one of an ordinary user";
  const passwd* user = ::getpwnam("sandboxd-test");
  if (user == nullptr) GTEST_SKIP() << "there is no user sandboxd-test (tests/support/user_template makes it)";
  ASSERT_EQ(::chown(directory.path().c_str(), user->pw_uid, user->pw_gid), 0);
  ASSERT_EQ(::chmod(directory.path().c_str(), 0700), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const bool is_user = ::setgroups(0, nullptr) == 0 && ::setgid(user->pw_gid) == 0 && ::setuid(user->pw_uid) == 0;
    Result<> made = is_user ? run_as_guest_root(kMakeTree, directory.path()) : fail_errno("become the user");
    if (made) made = ready_template_image(spec, nullptr);
    if (!made) std::fprintf(stderr, "%s\n", made.error().what().c_str());
    ::_exit(made ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  ASSERT_EQ(status, 0);
  expect_tree(image);
  struct stat info {};
  ASSERT_EQ(::stat(image.c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, user->pw_uid);
  EXPECT_EQ(info.st_mode & 07777, 0644u);
}

// All but the superblock, which has the time of its making, and a checksum of that.
TEST_F(TemplateImageTest, TheSameTreeGivesTheSameImage) {
  constexpr std::size_t kSuperblock = 1024;
  constexpr std::size_t kSuperblockLength = 128;
  const auto made = [&] {
    EXPECT_TRUE(ready_template_image(spec, nullptr));
    const std::string bytes = read_file(image).value_or("");
    EXPECT_EQ(::unlink(image.c_str()), 0);
    return bytes;
  };
  ASSERT_TRUE(run_as_guest_root(kMakeTree, directory.path()));
  const std::string first = made();
  const std::string second = made();
  ASSERT_GT(first.size(), kSuperblock + kSuperblockLength);
  EXPECT_TRUE(first.substr(kSuperblock + kSuperblockLength) == second.substr(kSuperblock + kSuperblockLength));
}

TEST_F(TemplateImageTest, IsAllLayersInOne) {
  if (::geteuid() != 0) GTEST_SKIP() << "a whiteout for overlayfs can only be made by root";
  const std::string upper = directory / "upper";
  ASSERT_TRUE(make_directories(root + "/etc", 0755));
  ASSERT_TRUE(make_directories(upper + "/etc", 0755));
  for (const char* name : {"/etc/below", "/etc/gone"}) ASSERT_TRUE(write_file(root + name, "below"));
  ASSERT_TRUE(write_file(upper + "/etc/above", "above"));
  ASSERT_EQ(::mknod((upper + "/etc/gone").c_str(), S_IFCHR, 0), 0);
  const MachineSpec layered = spec_for({root, upper}, directory.path());
  const auto made = ready_template_image(layered, nullptr);
  ASSERT_TRUE(made) << made.error().what();
  const std::string listed = said_by({"dump.erofs", "--ls", "--path=/etc", image});
  EXPECT_TRUE(contains(listed, "below") && contains(listed, "above")) << listed;
  EXPECT_FALSE(contains(listed, "gone")) << listed;
  EXPECT_EQ(names_in(upper).size(), 1u);
}

TEST_F(TemplateImageTest, OneThatIsThereIsLeftAndNothingIsSaid) {
  ASSERT_TRUE(make_directories(root));
  std::vector<std::string> steps;
  const Progress note = [&](std::string_view step, std::int64_t, std::int64_t) { steps.emplace_back(step); };
  ASSERT_TRUE(ready_template_image(spec, note));
  EXPECT_EQ(steps.size(), 1u);
  ASSERT_TRUE(write_file(image, "old"));
  ASSERT_TRUE(ready_template_image(spec, note));
  EXPECT_EQ(steps.size(), 1u);
  EXPECT_EQ(read_file(image), "old");
}

TEST_F(TemplateImageTest, ATreeThatIsNotThereIsAnErrorAndLeavesNothing) {
  const auto made = ready_template_image(spec, nullptr);
  ASSERT_FALSE(made);
  EXPECT_TRUE(contains(made.error().what(), image)) << made.error().what();
  EXPECT_TRUE(names_in(directory / "templates").empty());
}

TEST_F(TemplateImageTest, AFullHostIsOneClearErrorAndNothingIsLeft) {
  const testing::TemporaryDirectory small;
  const testing::SmallDisk full(small.path(), 300 << 10);
  if (!full.mounted()) GTEST_SKIP() << "only root can mount a small file system";
  ASSERT_TRUE(make_directories(small / "root"));
  // A sparse file: it takes more in the image than in the tree.
  ASSERT_TRUE(write_file(small / "root/sparse", ""));
  ASSERT_EQ(::truncate((small / "root/sparse").c_str(), 1 << 20), 0);
  const auto made = ready_template_image(spec_for({small / "root"}, small.path()), nullptr);
  ASSERT_FALSE(made);
  EXPECT_TRUE(contains(made.error().what(), "No space left on device")) << made.error().what();
  EXPECT_TRUE(names_in(small / "templates").empty());
}

}  // namespace
}  // namespace sbx::backends::qemu
