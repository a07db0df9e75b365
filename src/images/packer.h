// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/child.h"
#include "base/fd.h"
#include "base/result.h"
#include "layers/pack_job.h"

namespace sbx::images {

// sandbox-layer (`program`) at work, as the guest's root: packs a directory in the form of overlayfs as a layer.
//   TRY_ASSIGN(Packer packer, Packer::start(program, job));
//   ... read packer.take_output() until EOF ...
//   TRY(packer.finish());
class Packer {
 public:
  // `before_exec`: as Command's; where the directory has to be made visible first.
  static Result<Packer> start(const std::string& program, const layers::PackJob& job,
                              const std::function<int()>& before_exec = {});

  // Once: the layer. At its EOF it is not known yet whether it is whole.
  Fd take_output() { return std::move(output_); }
  // Whether the layer was whole, or its reader went before its end, and knows why. Waits for the end.
  Result<> finish();

 private:
  Packer(Child child, Fd output, Fd complaints)
      : child_(std::move(child)), output_(std::move(output)), complaints_(std::move(complaints)) {}

  Child child_;
  Fd output_;
  Fd complaints_;
};

}  // namespace sbx::images
