// Requests and bytes per second of an object store, and the processor time that they cost:
//   object_store URL [--keys N] [--gib N]   one JSON object per line; beside it object_store.py
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include "core/parallel.h"
#include "core/text.h"
#include "object_store/open.h"

namespace {

using namespace icefield;
using object_store::Key;
using object_store::PutCondition;

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Prints work items per second and processor time for each.
void measure(const char* name, std::size_t items, const char* unit,
             const std::function<bool()>& work) {
  const auto began = std::chrono::steady_clock::now();
  const auto cpu = cpu_seconds();
  const bool good = work();
  const auto seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf(R"({"client":"icefield","case":"%s","ok":%s,"%s_per_s":%.1f,"cpu_us_per_%s":%.2f})"
              "\n",
              name, good ? "true" : "false", unit, static_cast<double>(items) / seconds, unit,
              (cpu_seconds() - cpu) * 1e6 / static_cast<double>(items));
  std::fflush(stdout);
}

bool put_all(object_store::ObjectStore& store, const std::vector<Key>& keys, std::size_t at_once,
             const core::Bytes& body) {
  std::atomic<bool> good{true};
  core::parallel_map<Key>(keys, at_once, [&](const Key& key) {
    if (!store.put(key, body, PutCondition::none())) good = false;
    return 0;
  });
  return good;
}

bool get_all(const object_store::ObjectStore& store, const std::vector<Key>& keys,
             std::size_t at_once, std::size_t size) {
  std::atomic<bool> good{true};
  core::parallel_map<Key>(keys, at_once, [&](const Key& key) {
    const auto object = store.get(key);
    if (!object || object->bytes.size() != size) good = false;
    return 0;
  });
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: object_store URL [KEYS] [MIB]\n");
    return 2;
  }
  const auto opened = object_store::open_store(argv[1]);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message().c_str());
    return 1;
  }
  auto& store = **opened;
  const std::size_t number = argc > 2 ? std::stoul(argv[2]) : 4000;
  const std::size_t mib = argc > 3 ? std::stoul(argv[3]) : 256;
  const core::Bytes small(1024, std::byte{1});
  std::vector<Key> keys;
  for (std::size_t i = 0; i < number; ++i) keys.emplace_back(core::text("small/", 100'000 + i));

  for (const std::size_t at_once : {16U, 64U}) {
    measure(core::text("put 1 KiB, ", at_once, " at once").c_str(), number, "request",
            [&] { return put_all(store, keys, at_once, small); });
    measure(core::text("get 1 KiB, ", at_once, " at once").c_str(), number, "request",
            [&] { return get_all(store, keys, at_once, small.size()); });
  }
  measure("list", number, "key", [&] {
    const auto all = list_all(store, "small/");
    return all && all->size() == number;
  });
  const core::Bytes large(mib << 20U, std::byte{2});
  measure("put large", mib, "mib",
          [&] { return store.put(Key("large"), large, PutCondition::none()).has_value(); });
  measure("read large in 8 MiB ranges", mib, "mib", [&] {
    std::vector<core::ByteRange> ranges;
    for (std::size_t at = 0; at < large.size(); at += 8U << 20U) ranges.push_back({at, 8U << 20U});
    for (const auto& part : store.get_many(Key("large"), ranges)) {
      if (!part) return false;
    }
    return true;
  });
}
