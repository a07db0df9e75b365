// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/blob_door.h"

#include <utility>

#include "base/log.h"
#include "blobs/message.h"
#include "streams/socket_stream.h"

namespace sbx::shim {

BlobDoor::BlobDoor(loop::Loop& loop, Fd line)
    : loop_(loop),
      lifeline_(loop),
      line_(
          loop, std::move(line), [this](std::string_view bytes, Fd attached) { answered(bytes, std::move(attached)); },
          [this] { lost(); }) {}

BlobDoor::Ticket BlobDoor::find(const blobs::BlobId& id, OnFound done) {
  const Ticket ticket = next_++;
  asked_.emplace(ticket, std::move(done));
  if (is_lost_)
    lifeline_.later([this, ticket] { give(ticket, {}); });
  else
    line_.send(encode(blobs::Ask{ticket, id}));
  return ticket;
}

void BlobDoor::answered(std::string_view bytes, Fd attached) {
  const auto answer = blobs::decode_answer(bytes);
  if (!answer) return log_error("{}", answer.error().what());
  Found found;
  if (attached && answer->size)  // without one: too many are open
    found = {std::move(attached), *answer->size, nullptr};
  else if (attached)
    found.copy = std::make_unique<streams::SocketStream>(loop_, std::move(attached));
  give(answer->ticket, std::move(found));
}

void BlobDoor::give(Ticket ticket, Found found) {
  auto node = asked_.extract(ticket);
  if (!node.empty()) node.mapped()(std::move(found));  // else it was cancelled meanwhile
}

void BlobDoor::lost() {
  log_error("the cache of blobs has ended: nothing of registries is kept until the next start");
  is_lost_ = true;
  for (const auto& [ticket, done] : asked_) lifeline_.later([this, number = ticket] { give(number, {}); });
}

void BlobDoor::finish(std::unique_ptr<streams::Stream> copy) {
  const auto place = finishing_.emplace(finishing_.end());
  place->copy = std::move(copy);
  place->on_end = [this, place] { lifeline_.later([this, place] { finishing_.erase(place); }); };
  place->copy->listen(*place);
  place->copy->finish();
  place->copy->resume();
}

}  // namespace sbx::shim
