#include "object_store/http/many_requests.h"

#include <algorithm>
#include <utility>

#include "object_store/http/range_plan.h"
#include "object_store/http/ranged_answer.h"
#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

constexpr std::uint64_t kMostErrorText = 64U << 10U;

}  // namespace

std::vector<core::Result<core::Bytes>> get_ranges(
    const Key& key, const std::string& name, std::span<const core::ByteRange> ranges,
    const std::function<Answers(std::span<const RangeRequest>)>& send,
    const std::function<core::Error(const HttpResponse&)>& error_of) {
  if (const auto checked = check_key(key); !checked) {
    return {ranges.size(), core::Result<core::Bytes>(checked.error())};
  }
  const auto plan = plan_ranges(ranges);
  std::vector<RangeRequest> requests;
  for (const auto& fetch : plan.fetches) {
    requests.push_back({.headers = {{"range", range_header(fetch.range)}},
                        .max_answer = std::max(fetch.range.length, kMostErrorText)});
  }
  auto answers = send(requests);
  std::vector<core::Result<core::Bytes>> fetched;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    fetched.push_back(ranged_body(std::move(answers[i]), plan.fetches[i].range, error_of));
  }
  return cut_ranges(ranges, plan, std::move(fetched), name);
}

core::Result<core::Bytes> get_suffix_by_size(const ObjectStore& store, const Key& key,
                                             std::uint64_t length) {
  TRY_ASSIGN(const auto info, store.head(key));
  const auto taken = std::min(length, info.size);
  return get_range(store, key, {info.size - taken, taken});
}

std::vector<core::Status> remove_each(
    std::span<const Key> keys, const std::function<Answers(std::span<const Key>)>& send,
    const std::function<core::Error(const Key&, const HttpResponse&)>& error_of) {
  std::vector<core::Status> results(keys.size());
  std::vector<Key> good;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    results[i] = check_key(keys[i]);
    if (!results[i]) continue;
    good.push_back(keys[i]);
    places.push_back(i);
  }
  auto answers = send(good);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    auto& result = results[places[i]];
    if (!answers[i]) {
      result = std::move(answers[i]).error();
    } else if (answers[i]->status / 100 != 2 && answers[i]->status != 404) {
      result = error_of(good[i], *answers[i]);
    }
  }
  return results;
}

}  // namespace icefield::object_store
