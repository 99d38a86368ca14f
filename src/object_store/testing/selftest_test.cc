#include "object_store/selftest.h"

#include <gtest/gtest.h>

#include "object_store/memory/memory_store.h"
#include "object_store/testing/expectations.h"
#include "object_store/testing/faulty_store.h"

namespace icefield::object_store_testing {
namespace {

TEST(Selftest, finds_a_good_store_fit_and_leaves_nothing) {
  const auto store = object_store::make_memory_store();
  const auto report = object_store::run_selftest(*store);
  EXPECT_TRUE(report.fit()) << object_store::describe(report);
  EXPECT_EQ(report.lines.size(), 12U);
  EXPECT_TRUE(listed(*store, {}).empty());
}

TEST(Selftest, finds_a_store_that_ignores_conditions_unfit) {
  class Careless final : public object_store::ObjectStore {
   public:
    const std::string& location() const override { return inner_->location(); }
    core::Result<object_store::Object> get(const object_store::Key& key) const override {
      return inner_->get(key);
    }
    core::Result<std::optional<object_store::Object>> get_if_changed(
        const object_store::Key& key, const object_store::Version& known) const override {
      return inner_->get_if_changed(key, known);
    }
    std::vector<core::Result<core::Bytes>> get_many(
        const object_store::Key& key, std::span<const core::ByteRange> ranges) const override {
      return inner_->get_many(key, ranges);
    }
    core::Result<core::Bytes> get_suffix(const object_store::Key& key,
                                         std::uint64_t length) const override {
      return inner_->get_suffix(key, length);
    }
    core::Result<object_store::ObjectInfo> head(const object_store::Key& key) const override {
      return inner_->head(key);
    }
    core::Result<object_store::ObjectInfo> put(
        const object_store::Key& key, std::span<const std::byte> bytes,
        const object_store::PutCondition& /*condition*/) override {
      return inner_->put(key, bytes, object_store::PutCondition::none());
    }
    core::Status copy(const object_store::Key& from, const object_store::Key& to,
                      const std::optional<object_store::Version>& only_if) override {
      return inner_->copy(from, to, only_if);
    }
    std::vector<core::Status> remove(std::span<const object_store::Key> keys) override {
      return inner_->remove(keys);
    }
    core::Status list(
        const object_store::ListOptions& options,
        const std::function<bool(const object_store::ListPage&)>& visit) const override {
      return inner_->list(options, visit);
    }

   private:
    std::unique_ptr<object_store::ObjectStore> inner_ = object_store::make_memory_store();
  };
  Careless store;
  const auto report = object_store::run_selftest(store);
  EXPECT_FALSE(report.fit());
  std::string failed;
  for (const auto& line : report.lines) failed += line.holds ? "" : line.name + "; ";
  EXPECT_EQ(failed,
            "conditional create; conditional replace; 32 concurrent creators; "
            "32 concurrent replacers; ");
}

}  // namespace
}  // namespace icefield::object_store_testing
