// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/command_line.h"

#include "backends/qemu/without.h"
#include "base/format.h"
#include "wire/guest.h"

namespace sbx::backends::qemu {
namespace {

using Words = std::vector<std::string>;

void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

// Nothing is plugged in that is not named below: no network card, no PCI, no USB, no display, no monitor.
Words machine(const Hardware& hardware) {
  // SECURITY: the emulated PIT and PIC stay on without KVM, because a stock kernel hangs without them there.
  const char* legacy = hardware.kvm ? "pit=off,pic=off,rtc=off" : "pit=on,pic=on,rtc=on";
  // la57, erms: slower than without. pku: each exec would set its register, for which QEMU forgets all translated
  // addresses.
  const char* processor = hardware.kvm ? "host" : "max,la57=off,erms=off,pku=off";
  return {"-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none",
          "-no-reboot",  // a guest that reboots, or panics, ends
          "-M",
          sbx::format("microvm,memory-backend=memory,isa-serial=on,x-option-roms={},auto-kernel-cmdline=off,{}",
                      hardware.firmware.loads_kernels ? "off" : "on", legacy),
          "-bios", hardware.firmware.path, "-accel", hardware.kvm ? "kvm" : "tcg,thread=multi,tb-size=256", "-cpu",
          processor, "-smp", std::to_string(hardware.cpus), "-m", sbx::format("{}k", hardware.memory / 1024),
          // Shared, because virtiofsd reads and writes the guest's memory.
          "-object",
          sbx::format("memory-backend-file,id=memory,size={}k,share=on,mem-path={}", hardware.memory / 1024,
                      hardware.memory_file),
          "-global", "virtio-mmio.force-legacy=false", "-device", "virtio-balloon-device,free-page-reporting=on"};
}

// Everything that a process which only moves bytes does not need.
Words confinement() { return {"-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"}; }

Words kernel(const Hardware& hardware) {
  return {"-kernel", hardware.kernel, "-initrd", hardware.initramfs, "-append", kernel_command_line(hardware)};
}

// Errors are the guest's to see: QEMU would otherwise stop the machine, without a word, when the host's disk is full.
Words disk(const std::string& name, int fd, bool readonly) {
  const int set = readonly ? 1 : 2;
  return {
      "-add-fd",
      sbx::format("fd={},set={}", fd, set),
      "-blockdev",
      sbx::format("driver=file,node-name={}-file,filename=/dev/fdset/{},read-only={},discard=unmap,aio=threads", name,
                  set, readonly ? "on" : "off"),
      "-blockdev",
      sbx::format("driver=raw,node-name={0},file={0}-file,read-only={1},discard=unmap", name, readonly ? "on" : "off"),
      "-device",
      sbx::format("virtio-blk-device,drive={0},serial={0},werror=report,rerror=report", name)};
}

Words console(const Hardware& hardware) {
  return {"-chardev", sbx::format("socket,id=console,fd={}", hardware.console_fd), "-serial", "chardev:console"};
}

Words channel(const Hardware& hardware) {
  return {"-chardev", sbx::format("socket,id=channel,fd={}", hardware.channel_fd),
          "-device",  "virtio-serial-device,max_ports=2",
          "-device",  "virtserialport,chardev=channel,name=sandbox.channel"};
}

Words shared(const Hardware& hardware) {
  return {"-chardev", sbx::format("socket,id=shared,fd={}", hardware.shared_fd), "-device",
          sbx::format("vhost-user-fs-device,chardev=shared,tag={},queue-size=1024", wire::kSharedTag)};
}

// CONFIG_HZ of most kernels. One with more of them only waits longer where it counts.
constexpr std::int64_t kTicksPerSecond = 250;

}  // namespace

// swiotlb: no device here needs its 64 MB of bounce buffers.
// quiet, because each character of a serial console is a trip to the host; what a dying kernel says comes through.
std::string kernel_command_line(const Hardware& hardware) {
  std::string line =
      "console=ttyS0 quiet panic=-1 reboot=t random.trust_cpu=on cryptomgr.notests no_timer_check "
      "swiotlb=noforce";
  // SECURITY: an emulated processor speculates about nothing, so that mitigations only cost (a lost translation cache
  // at each system call); a program that is at another address each time is translated anew each time, which makes exec
  // five times slower; and clearing each page before its first use is slow where a store is a function. Emulation is
  // for machines without KVM: on KVM the guest has all three.
  // noreplace-smp: to patch the kernel for its one processor throws away all that was translated.
  // irqaffinity: see src/guest/boot/first_processor.h.
  // lsm: the others have no policy in the guest, and are asked about every file and page of an exec all the same.
  // preempt: at each tick, the kernel's own threads would have the processor in the middle of an exec.
  // dhash_entries, ihash_entries: by the size of the memory they would be eight times as large, and are cleared first.
  // lpj: each further processor would measure how fast it counts, which on a busy host takes many seconds.
  if (!hardware.kvm)
    line += sbx::format(
        " mitigations=off norandmaps init_on_alloc=0 noreplace-smp irqaffinity=0 lsm=landlock,lockdown,yama "
        "preempt=none dhash_entries=131072 ihash_entries=65536 lpj={} tsc_early_khz={} tsc=reliable",
        hardware.tsc_khz * 1000 / kTicksPerSecond, hardware.tsc_khz);
  // A kernel that boots changes its own code, by way of a breakpoint. QEMU before 8.1 reads the code that it translates
  // without a lock: while one processor changes it, another may translate the breakpoint and keep it for ever, and both
  // end up in sched_clock_idle_wakeup_event, trapping. So the others start when that is over
  // (src/guest/boot/processors.h).
  if (!hardware.kvm && hardware.cpus > 1) line += " maxcpus=1";
  // A word with a value that the kernel does not know is in its init's environment.
  if (without("spare")) line += " SANDBOXD_WITHOUT=spare";
  return line + " -- --boot";
}

std::vector<std::string> qemu_command(const Hardware& hardware) {
  Words words{hardware.program};
  add(words, confinement());
  add(words, machine(hardware));
  add(words, kernel(hardware));
  add(words, disk("template", hardware.template_fd, true));
  add(words, disk("disk", hardware.disk_fd, false));
  add(words, console(hardware));
  add(words, channel(hardware));
  add(words, shared(hardware));
  return words;
}

// rlimit-nofile=0: as it was started with. Both would otherwise ask for more than an ordinary user's hard limit, and
// end. allow-mmap: what is not cached cannot be mapped shared without it, as databases and linkers do. What the guest
// has looked up may be up to kAttributeLimit old, so that a change on the host shows within 100 ms.
std::vector<std::string> virtiofsd_command(const FileServer& server) {
  const std::string fd = sbx::format("--fd={}", server.listener_fd);
  if (server.flavour == Flavour::kRust) {
    Words words{server.program,
                fd,
                "--shared-dir",
                server.directory,
                "--sandbox",
                "chroot",
                "--announce-submounts",
                "--cache",
                "never",
                "--seccomp",
                "kill",
                "--thread-pool-size=0",
                "--rlimit-nofile=0",
                "--log-level",
                "warn"};
    if (server.maps_files) words.emplace_back("--allow-mmap");
    return words;
  }
  return {server.program,
          fd,
          "-o",
          "source=" + server.directory,
          "-o",
          "sandbox=chroot,announce_submounts,cache=auto,timeout=0.05,log_level=err",
          "--thread-pool-size=0",
          "--rlimit-nofile=0"};
}

}  // namespace sbx::backends::qemu
