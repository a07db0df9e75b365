// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/spare.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <utility>

#include "guest/boot/first_processor.h"
#include "guest/exec/environment.h"
#include "guest/exec/lookup.h"
#include "guest/exec/privileges.h"
#include "guest/exec/process.h"

namespace sbx::guest {
namespace {

constexpr std::chrono::milliseconds kSoon{300};
constexpr std::chrono::milliseconds kSparePatience{20};
constexpr std::chrono::milliseconds kShortProgram{20};  // in an emulated machine
constexpr const char* kSpareName = "sandbox-spare";
constexpr unsigned kAboutFile = STATX_INO | STATX_SIZE | STATX_CTIME | STATX_MTIME;
constexpr unsigned kAboutDirectory = STATX_INO;

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (auto& s : strings) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

// The agent's, in the workspace, without a terminal.
bool is_usual(const wire::ExecRequest& request) {
  return request.user.empty() && !request.privileged && !request.tty && request.builtin == wire::Builtin::kNone &&
         request.directory.empty();
}

bool tell(const Fd& news, pid_t pid) { return ::write(news.get(), &pid, sizeof pid) == sizeof pid; }

}  // namespace

// What a name led to; another one later means that what was found there may not hold any more. Asks no server.
struct Stamp {
  const char* path = "";
  unsigned about = 0;
  struct statx seen {};

  void take() { look(seen); }
  bool holds() const {
    struct statx now {};
    look(now);
    return seen.stx_mask == now.stx_mask && seen.stx_mnt_id == now.stx_mnt_id && seen.stx_ino == now.stx_ino &&
           seen.stx_size == now.stx_size && same(seen.stx_ctime, now.stx_ctime) && same(seen.stx_mtime, now.stx_mtime);
  }

 private:
  static bool same(const statx_timestamp& a, const statx_timestamp& b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
  }
  // What was not asked for may come all the same, and would differ.
  void look(struct statx& into) const {
    struct statx all {};
    if (::statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, about | STATX_MNT_ID, &all) != 0) return;
    into.stx_mask = all.stx_mask & (about | STATX_MNT_ID);
    into.stx_mnt_id = all.stx_mnt_id;
    into.stx_ino = all.stx_ino;
    if ((about & STATX_SIZE) == 0) return;
    into.stx_size = all.stx_size;
    into.stx_ctime = all.stx_ctime;
    into.stx_mtime = all.stx_mtime;
  }
};

// What a spare runs on, one at a time. It is not cleared, so that only what is used of it is ever touched.
struct Spare::Stack {
  static constexpr pid_t kNoUserYet = -1;

  alignas(64) std::array<char, 64u << 10> bytes;
  // Set by the kernel before the spare begins; cleared when it has executed a program, or has ended.
  std::atomic<pid_t> user;
  static_assert(sizeof user == sizeof(pid_t) && decltype(user)::is_always_lock_free);

  // The kernel wakes the waiters on that word (futex).
  void await_end() const {
    for (pid_t pid = user; pid > 0; pid = user) ::syscall(SYS_futex, &user, FUTEX_WAIT, pid, nullptr);
  }
};

// What the spare is to run. Made by init, read by the spare.
struct Spare::Order {
  Ends ends;
  std::vector<std::string> files;  // to try
  std::vector<std::string> words;
  Variables settings;
  std::vector<char*> argv;
  std::vector<char*> environment;
};

// One spare, from make() to its exec or end: made by init, filled in by the thread, and then read by the spare.
struct Spare::Plan {
  const wire::GuestConfig& config;
  const DescriptorLimit& descriptors;
  Stack& stack;
  const Fd& wake;
  const Fd& news;
  std::array<Stamp, 3> stamps{};
  Identity identity{};
  Variables environment{};  // but for what the request adds
  bool one_processor = false;
  const Order* order = nullptr;
  bool declined = false;  // by the spare: it has not executed the program
  bool late = false;      // an exec has waited for it in vain

  bool make_spare();
  bool find_out();
  static int run(void* plan);
  void become_ready();
  void carry_out();
};

// The stamps first: a change while we read must show.
bool Spare::Plan::find_out() {
  stamps = {Stamp{"/etc/passwd", kAboutFile}, Stamp{"/etc/group", kAboutFile},
            Stamp{config.workspace.c_str(), kAboutDirectory}};
  for (Stamp& stamp : stamps) stamp.take();
  auto resolved = resolve_user("");
  if (!resolved) return false;
  identity = std::move(*resolved);
  environment = environment_of(config, identity, false);
  one_processor = ::sysconf(_SC_NPROCESSORS_ONLN) == 1;
  return true;
}

// In the thread, which then sleeps until there is another plan, and so until this spare is used up: the two share
// an errno.
bool Spare::Plan::make_spare() {
  constexpr int kFlags = CLONE_VM | CLONE_FILES | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
  auto* const user = reinterpret_cast<pid_t*>(&stack.user);
  return find_out() && ::clone(run, stack.bytes.data() + stack.bytes.size(), kFlags, this, user, nullptr, user) > 0;
}

int Spare::Plan::run(void* plan) {
  auto& self = *static_cast<Plan*>(plan);
  self.become_ready();
  self.carry_out();
  self.declined = true;
  ::_exit(EXIT_FAILURE);
}

void Spare::Plan::become_ready() {
  ::prctl(PR_SET_NAME, kSpareName);
  if (!start_afresh(config.max_processes, descriptors) || !become(identity, false)) ::_exit(EXIT_FAILURE);
  if (::chdir(config.workspace.c_str()) != 0) ::_exit(EXIT_FAILURE);
  if (!tell(news, ::getpid())) ::_exit(EXIT_SUCCESS);
  // A byte without an order was for one that was killed.
  for (char byte = 0; order == nullptr;)
    if (::read(wake.get(), &byte, 1) != 1) ::_exit(EXIT_SUCCESS);
}

// Returns if it cannot. Where there are several processors, first init goes to sleep: a process that executes a program
// on one that others wait for is moved to another, and waits for that.
void Spare::Plan::carry_out() {
  if (!one_processor) ::sched_yield();
  for (const Stamp& stamp : stamps)
    if (!stamp.holds()) return;
  // CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC: from here on they are descriptors of our own.
  if (::syscall(SYS_close_range, 3u, UINT_MAX, 2u | 4u) != 0) return;
  const Fd* from[] = {&order->ends.in, &order->ends.out, &order->ends.err};
  for (int number = 0; number < 3; ++number)
    if (::dup2(from[number]->get(), number) < 0) return;
  ::syscall(SYS_close_range, 3u, UINT_MAX, 0u);  // the channel among them
  if (!one_processor) use_all_processors();
  // To ask first is much shorter than an execve that fails, which has made a whole address space by then.
  const bool search = order->files.size() > 1;
  for (const std::string& file : order->files) {
    if (search && ::access(file.c_str(), X_OK) != 0) continue;
    ::execve(file.c_str(), order->argv.data(), order->environment.data());
    if (trouble_with(file.c_str()) == 0) return;
  }
}

Spare::Spare(loop::Loop& loop, const wire::GuestConfig& config, const DescriptorLimit& descriptors,
             std::function<void()> on_news)
    : loop_(loop), config_(config), descriptors_(descriptors), on_news_(std::move(on_news)) {}

Result<std::unique_ptr<Spare>> Spare::create(loop::Loop& loop, const wire::GuestConfig& config,
                                             const DescriptorLimit& descriptors, std::function<void()> on_news) {
  std::unique_ptr<Spare> spare(new Spare(loop, config, descriptors, std::move(on_news)));
  spare->stack_ = std::make_unique_for_overwrite<Stack>();
  spare->stack_->user = 0;
  TRY_ASSIGN(spare->plans_, make_pipe());
  TRY_ASSIGN(spare->wake_, make_pipe());
  TRY_ASSIGN(spare->news_, make_pipe());
  TRY(set_nonblocking(spare->news_.read));
  loop.watch(spare->news_.read, EPOLLIN, [self = spare.get()](std::uint32_t) { self->read_news(); });
  // The thread takes no signal that is for the loop.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  spare->thread_ = std::thread([plans = spare->plans_.read.get(), &news = spare->news_.write, &stack = *spare->stack_] {
    (void)limit_children();  // what is left to do here, each spare does, or ends
    for (Plan* plan = nullptr; ::read(plans, &plan, sizeof plan) == sizeof plan;)
      if (!plan->make_spare()) (void)tell(news, 0);
    stack.await_end();
  });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return spare;
}

Spare::~Spare() {
  dismiss();
  plans_.write.reset();
  if (thread_.joinable()) thread_.join();
  loop_.forget(news_.read);
}

void Spare::make() {
  if (plan_ || dismissed_ || config_.workspace.empty()) return;
  stack_->user = Stack::kNoUserYet;
  plan_.reset(new Plan{config_, descriptors_, *stack_, wake_.read, news_.write});
  Plan* const plan = plan_.get();
  if (::write(plans_.write.get(), &plan, sizeof plan) != sizeof plan) plan_.reset();
}

void Spare::dismiss() {
  dismissed_ = true;
  pid_ = 0;
  wake_.write.reset();
  wait_no_more();
}

void Spare::reaped() {
  if (plan_ && !order_ && stack_->user == 0) finish();
}

// It may have been killed since it said so.
void Spare::read_news() {
  pid_t pid = 0;
  while (::read(news_.read.get(), &pid, sizeof pid) == sizeof pid) {
    if (pid == 0) {
      finish();
    } else if (plan_ && stack_->user == pid && !dismissed_) {
      pid_ = pid;
      wait_no_more();
    }
    on_news_();
  }
}

void Spare::look_later() {
  look_ = loop_.after(kShortProgram, [this] { look(); });
}

// A program that has not ended by now is not a short one: the client is told that it runs.
void Spare::look() {
  if (stack_->user != 0) return look_later();
  const auto launched = std::exchange(on_launched_, nullptr);
  Outcome told = outcome();
  finish();
  if (launched) launched(std::move(told));
}

Spare::Outcome Spare::outcome() { return {!plan_->declined, std::move(order_->ends)}; }

Spare::Outcome Spare::conclude() {
  on_launched_ = nullptr;
  Outcome told = outcome();
  finish();
  return told;
}

// The spare process has exited or was never started: wake the exec that waits for it.
void Spare::finish() {
  pid_ = 0;
  order_.reset();
  plan_.reset();
  look_.cancel();
  next_ = loop_.after(kSoon, [this] { make(); });
  wait_no_more();
}

bool Spare::ready_for(const wire::ExecRequest& request) const { return pid_ != 0 && is_usual(request); }

bool Spare::coming_for(const wire::ExecRequest& request) const {
  const bool in_the_making = plan_ && pid_ == 0 && !order_ && !dismissed_;
  return in_the_making && !plan_->late && !waiting_ && is_usual(request);
}

void Spare::wait(std::function<void()> then) {
  waiting_ = std::move(then);
  patience_ = loop_.after(kSparePatience, [this] {
    if (plan_) plan_->late = true;
    wait_no_more();
  });
}

void Spare::wait_no_more() {
  patience_.cancel();
  if (const auto then = std::exchange(waiting_, nullptr)) then();
}

void Spare::forget_launch() {
  on_launched_ = nullptr;
  waiting_ = nullptr;
  wait_no_more();
}

pid_t Spare::launch(const wire::ExecRequest& request, Ends ends, OnLaunched on_launched) {
  Variables environment = std::move(plan_->environment);
  add_preferences(environment, plan_->config, request.preferences);
  add(environment, request.environment);
  auto files = candidates(request.command.front(), value_of(environment, "PATH"));
  order_.reset(new Order{std::move(ends), std::move(files), request.command, std::move(environment), {}, {}});
  order_->argv = pointers(order_->words);
  order_->environment = pointers(order_->settings);
  on_launched_ = std::move(on_launched);
  plan_->order = order_.get();
  (void)!::write(wake_.write.get(), "", 1);  // a pipe that is read takes a byte
  look_later();
  return std::exchange(pid_, 0);
}

}  // namespace sbx::guest
