#include "object_store/azure/azure_store.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "object_store/azure/azure_answers.h"
#include "object_store/azure/azure_put.h"
#include "object_store/http/http_errors.h"
#include "object_store/http/many_requests.h"
#include "object_store/http/put_together.h"
#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

class AzureStore final : public ObjectStore {
 public:
  AzureStore(AzureSettings settings, const Sending& sending)
      : client_(std::move(settings), sending), location_(client_.name("")) {}

  const std::string& location() const override { return location_; }

  core::Result<Object> get(const Key& key) const override {
    TRY_ASSIGN(auto answer, ask(key, {}));
    return object_from(key, client_.name(key.value()), std::move(answer));
  }

  core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                     const Version& known) const override {
    TRY_ASSIGN(auto answer, ask(key, {{"if-none-match", known.value()}}));
    if (answer.status == 304) return std::optional<Object>();
    TRY_ASSIGN(auto object, object_from(key, client_.name(key.value()), std::move(answer)));
    return std::optional<Object>(std::move(object));
  }

  std::vector<core::Result<core::Bytes>> get_many(
      const Key& key, std::span<const core::ByteRange> ranges) const override {
    const auto name = client_.name(key.value());
    return get_ranges(
        key, name, ranges,
        [&](std::span<const RangeRequest> requests) {
          std::vector<AzureCall> calls;
          for (const auto& [headers, most] : requests) {
            calls.push_back({.key = key.value(), .headers = headers, .max_answer = most});
          }
          return answers_of(client_.send_all(calls));
        },
        [&](const HttpResponse& answer) { return azure_error(name, answer); });
  }

  core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const override {
    // the service refuses suffix ranges
    return get_suffix_by_size(*this, key, length);
  }

  core::Result<ObjectInfo> head(const Key& key) const override {
    TRY(check_key(key));
    TRY_ASSIGN(auto found, look_at_blob(client_, key));
    return std::move(found.info);
  }

  core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> bytes,
                               const PutCondition& condition) override {
    return put_one<AzurePut>(client_, key, bytes, condition);
  }

  std::vector<core::Result<ObjectInfo>> put_many(std::span<const PutRequest> objects) override {
    return put_together<AzurePut>(client_, objects);
  }

  core::Status copy(const Key& from, const Key& to,
                    const std::optional<Version>& only_if) override {
    TRY(check_key(to));
    Headers headers;
    if (only_if) headers.push_back({"if-match", only_if->value()});
    TRY_ASSIGN(const auto source, ask(from, headers));
    TRY(put(to, source.body, PutCondition::none()));
    return {};
  }

  std::vector<core::Status> remove(std::span<const Key> keys) override {
    return remove_each(
        keys,
        [this](std::span<const Key> good) {
          std::vector<AzureCall> calls;
          for (const Key& key : good) calls.push_back({.method = "DELETE", .key = key.value()});
          return answers_of(client_.send_all(calls));
        },
        [this](const Key& key, const HttpResponse& answer) {
          return azure_error(client_.name(key.value()), answer);
        });
  }

  core::Status list(const ListOptions& options,
                    const std::function<bool(const ListPage&)>& visit) const override {
    if (!may_start_a_key(options.prefix)) return {};
    const auto before = [&options](const std::string& entry) {
      return entry <= options.start_after;
    };
    std::string marker;
    do {
      Query query = {{"restype", "container"}, {"comp", "list"}, {"maxresults", "1000"}};
      if (!options.prefix.empty()) query.emplace_back("prefix", options.prefix);
      if (!options.recursive) query.emplace_back("delimiter", "/");
      if (!marker.empty()) query.emplace_back("marker", marker);
      const auto sent = client_.send({.query = std::move(query)});
      if (!sent.answer) return sent.answer.error();
      if (sent.answer->status != 200) return azure_error("list " + location_, *sent.answer);
      TRY_ASSIGN(auto read, read_azure_listing(*sent.answer));
      if (!options.start_after.empty()) {
        std::erase_if(read.page.objects, [&](const auto& one) { return before(one.key.value()); });
        std::erase_if(read.page.folders, before);
      }
      marker = std::move(read.next);
      if (read.page.objects.empty() && read.page.folders.empty()) continue;
      if (!visit(read.page)) break;
    } while (!marker.empty());
    return {};
  }

 private:
  // The answer, of status 200 or 304, to a GET of the whole blob. Others are errors.
  core::Result<HttpResponse> ask(const Key& key, Headers headers) const {
    TRY(check_key(key));
    auto sent = client_.send({.key = key.value(), .headers = std::move(headers), .whole = true});
    if (!sent.answer) return std::move(sent.answer).error();
    if (sent.answer->status == 200 || sent.answer->status == 304) return *std::move(sent.answer);
    return azure_error(client_.name(key.value()), *sent.answer);
  }

  AzureClient client_;
  std::string location_;
};

}  // namespace

std::unique_ptr<ObjectStore> make_azure_store(AzureSettings settings, const Sending& sending) {
  return std::make_unique<AzureStore>(std::move(settings), sending);
}

}  // namespace icefield::object_store
