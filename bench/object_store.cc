// One piece of work on an object store: its rate, and the processor time that it costs this client.
//   object_store URL put|put_many|get|list ITEMS [AT_ONCE=64]    1 KiB objects; put_many: one call
//   object_store URL write|read MIB [AT_ONCE=16]             one object, read in ranges of 8 MiB
//   object_store URL remove                                  what was written
// Prints one JSON line. object_store.py runs it beside obstore.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "core/large_memory.h"
#include "core/parallel.h"
#include "core/text.h"
#include "object_store/open.h"
#include "object_store/traffic.h"

namespace {

using namespace icefield;
using object_store::Key;
using object_store::ObjectStore;
using object_store::PutCondition;
using object_store::PutRequest;

constexpr std::size_t kSmall = 1024;
constexpr std::size_t kPart = 8U << 20U;

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Work {
  std::string name;
  std::size_t items = 0;
  std::size_t at_once = 64;
};

// Calls `one(i)` for each item, AT_ONCE at a time; false when one of them was false.
bool each(const Work& work, const std::function<bool(std::size_t)>& one) {
  std::vector<std::size_t> numbers(work.items);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto done = core::parallel_map<std::size_t>(numbers, work.at_once, one);
  return std::ranges::all_of(done, [](bool good) { return good; });
}

Key small_key(std::size_t number) {
  return Key(core::text("small/", 1'000'000 + number));
}

bool put_small(ObjectStore& store, const Work& work) {
  const core::Bytes body(kSmall, std::byte{1});
  return each(work, [&](std::size_t i) {
    return store.put(small_key(i), body, PutCondition::none()).has_value();
  });
}

bool put_many_small(ObjectStore& store, const Work& work) {
  const core::Bytes body(kSmall, std::byte{1});
  std::vector<PutRequest> objects;
  for (std::size_t i = 0; i < work.items; ++i) objects.push_back({small_key(i), body});
  const auto written = store.put_many(objects);
  return std::ranges::all_of(written, [](const auto& one) { return one.has_value(); });
}

bool get_small(const ObjectStore& store, const Work& work) {
  return each(work, [&](std::size_t i) {
    const auto object = store.get(small_key(i));
    return object && object->bytes.size() == kSmall;
  });
}

bool list_small(const ObjectStore& store, const Work& work) {
  std::size_t seen = 0;
  const auto listed = store.list({.prefix = "small/"}, [&seen](const auto& page) {
    seen += page.objects.size();
    return true;
  });
  return listed && seen == work.items;
}

bool write_large(ObjectStore& store, const Work& work) {
  const core::Bytes body(work.items << 20U, std::byte{2});
  return store.put(Key("large"), body, PutCondition::none()).has_value();
}

bool read_large(const ObjectStore& store, const Work& work) {
  const std::size_t parts = (work.items << 20U) / kPart;
  return each({.name = {}, .items = parts, .at_once = work.at_once}, [&](std::size_t i) {
    const auto part = get_range(store, Key("large"), {i * kPart, kPart});
    return part && part->size() == kPart;
  });
}

bool remove_all(ObjectStore& store) {
  const auto all = list_all(store, "");
  if (!all) return false;
  std::vector<Key> keys;
  for (const auto& object : *all) keys.push_back(object.key);
  const auto removed = store.remove(keys);
  return std::ranges::all_of(removed, [](const auto& one) { return one.has_value(); });
}

bool run(ObjectStore& store, const Work& work) {
  if (work.name == "put") return put_small(store, work);
  if (work.name == "put_many") return put_many_small(store, work);
  if (work.name == "get") return get_small(store, work);
  if (work.name == "list") return list_small(store, work);
  if (work.name == "write") return write_large(store, work);
  if (work.name == "read") return read_large(store, work);
  return work.name == "remove" && remove_all(store);
}

}  // namespace

int main(int argc, char** argv) {
  core::keep_freed_memory();  // as the executable does
  if (argc < 3) {
    std::fprintf(
        stderr,
        "usage: object_store URL put|put_many|get|list|write|read|remove ITEMS [AT_ONCE]\n");
    return 2;
  }
  const auto opened = object_store::open_store(argv[1]);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message().c_str());
    return 1;
  }
  const Work work{.name = argv[2],
                  .items = argc > 3 ? std::stoul(argv[3]) : 1,
                  .at_once = argc > 4 ? std::stoul(argv[4]) : 64};
  const auto began = std::chrono::steady_clock::now();
  const auto cpu = cpu_seconds();
  const bool good = run(**opened, work);
  const auto cpu_used = cpu_seconds() - cpu;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  std::printf(R"({"client":"icefield","work":"%s","ok":%s,"items":%zu,"seconds":%.4f,"cpu_s":%.4f})"
              "\n",
              work.name.c_str(), good ? "true" : "false", work.items, seconds.count(), cpu_used);
  for (const auto& host : object_store::traffic()) {
    std::fprintf(stderr, "%s\n", object_store::describe(host).c_str());
  }
  return good ? 0 : 1;
}
