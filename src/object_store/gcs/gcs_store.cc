#include "object_store/gcs/gcs_store.h"

#include <algorithm>
#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "object_store/gcs/gcs_answers.h"
#include "object_store/gcs/gcs_client.h"
#include "object_store/gcs/gcs_put.h"
#include "object_store/http/many_requests.h"
#include "object_store/http/put_together.h"
#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

constexpr const char* kFields = "items(name,size,generation,updated),prefixes,nextPageToken";

class GcsStore final : public ObjectStore {
 public:
  explicit GcsStore(GcsClient client) : client_(std::move(client)), location_(client_.name("")) {}

  const std::string& location() const override { return location_; }

  core::Result<Object> get(const Key& key) const override {
    TRY_ASSIGN(auto answer, media(key, {}, {}));
    return read_gcs_media(key, client_.name(key.value()), std::move(answer));
  }

  core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                     const Version& known) const override {
    Query query;
    if (parse_number(known.value())) query = {{"ifGenerationNotMatch", known.value()}};
    TRY_ASSIGN(auto answer, media(key, std::move(query), {}));
    if (answer.status == 304) return std::optional<Object>();
    TRY_ASSIGN(auto object, read_gcs_media(key, client_.name(key.value()), std::move(answer)));
    if (object.info.version == known) return std::optional<Object>();
    return std::optional<Object>(std::move(object));
  }

  std::vector<core::Result<core::Bytes>> get_many(
      const Key& key, std::span<const core::ByteRange> ranges) const override {
    const auto name = client_.name(key.value());
    return get_ranges(
        key, name, ranges,
        [&](std::span<const RangeRequest> requests) {
          std::vector<GcsCall> calls;
          for (const auto& [headers, most] : requests) {
            calls.push_back({.path = client_.object_path(key.value()),
                             .query = {{"alt", "media"}},
                             .headers = headers,
                             .max_answer = most});
          }
          return answers_of(client_.send_all(calls));
        },
        [&](const HttpResponse& answer) { return gcs_error(name, answer); });
  }

  core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const override {
    return get_suffix_by_size(*this, key, length);
  }

  core::Result<ObjectInfo> head(const Key& key) const override {
    TRY(check_key(key));
    TRY_ASSIGN(auto found, look_at_object(client_, key));
    return std::move(found.info);
  }

  core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> bytes,
                               const PutCondition& condition) override {
    return put_one<GcsPut>(client_, key, bytes, condition);
  }

  std::vector<core::Result<ObjectInfo>> put_many(std::span<const PutRequest> objects) override {
    return put_together<GcsPut>(client_, objects);
  }

  core::Status copy(const Key& from, const Key& to,
                    const std::optional<Version>& only_if) override {
    TRY(check_key(from));
    TRY(check_key(to));
    const auto target = client_.object_path(to.value());
    const auto name = client_.name(from.value());
    std::string token;
    for (;;) {
      Query query;
      if (only_if) query.emplace_back("ifSourceGenerationMatch", only_if->value());
      if (!token.empty()) query.emplace_back("rewriteToken", token);
      const auto sent = client_.send({.method = "POST",
                                      .path = client_.object_path(from.value()) + "/rewriteTo" +
                                              target.substr(std::string_view("/storage/v1").size()),
                                      .query = std::move(query)});
      if (!sent.answer) return sent.answer.error();
      if (sent.answer->status != 200) {
        auto error = gcs_error(name, *sent.answer);
        if (error.code() == core::ErrorCode::kConflict && sent.may_have_happened_before) {
          return core::Error(core::ErrorCode::kUnknownOutcome, error.message());
        }
        return error;
      }
      TRY_ASSIGN(const auto document, core::Json::parse(core::as_text(sent.answer->body)));
      const auto* const next = document.find("rewriteToken");
      if (next == nullptr || !next->is_string() || next->as_string().empty()) return {};
      token = next->as_string();
    }
  }

  std::vector<core::Status> remove(std::span<const Key> keys) override {
    return remove_each(
        keys,
        [this](std::span<const Key> good) {
          std::vector<GcsCall> calls;
          for (const Key& key : good) {
            calls.push_back({.method = "DELETE", .path = client_.object_path(key.value())});
          }
          return answers_of(client_.send_all(calls));
        },
        [this](const Key& key, const HttpResponse& answer) {
          return gcs_error(client_.name(key.value()), answer);
        });
  }

  core::Status list(const ListOptions& options,
                    const std::function<bool(const ListPage&)>& visit) const override {
    if (!may_start_a_key(options.prefix)) return {};
    const auto before = [&options](const std::string& entry) {
      return entry <= options.start_after;
    };
    std::string token;
    do {
      Query query = {{"prefix", options.prefix}, {"maxResults", "1000"}, {"fields", kFields}};
      if (!options.recursive) query.emplace_back("delimiter", "/");
      if (!options.start_after.empty()) query.emplace_back("startOffset", options.start_after);
      if (!token.empty()) query.emplace_back("pageToken", token);
      const auto sent = client_.send({.path = client_.bucket_path(), .query = std::move(query)});
      if (!sent.answer) return sent.answer.error();
      if (sent.answer->status == 404) {
        return core::Error(core::ErrorCode::kInvalidArgument, location_ + ": no such bucket");
      }
      if (sent.answer->status != 200) return gcs_error("list " + location_, *sent.answer);
      TRY_ASSIGN(auto read, read_gcs_listing(*sent.answer));
      std::erase_if(read.page.objects, [&](const auto& one) { return before(one.key.value()); });
      std::erase_if(read.page.folders, before);
      token = std::move(read.next);
      if (read.page.objects.empty() && read.page.folders.empty()) continue;
      if (!visit(read.page)) break;
    } while (!token.empty());
    return {};
  }

 private:
  core::Result<HttpResponse> media(const Key& key, Query query, Headers headers) const {
    TRY(check_key(key));
    query.emplace_back("alt", "media");
    auto sent = client_.send({.path = client_.object_path(key.value()),
                              .query = std::move(query),
                              .headers = std::move(headers),
                              .object = client_.name(key.value()),
                              .whole = true});
    if (!sent.answer) return std::move(sent.answer).error();
    if (sent.answer->status == 200 || sent.answer->status == 304) return *std::move(sent.answer);
    return gcs_error(client_.name(key.value()), *sent.answer);
  }

  GcsClient client_;
  std::string location_;
};

}  // namespace

std::string gcs_endpoint(const Environment& environment) {
  auto endpoint = environment("STORAGE_EMULATOR_HOST").value_or("https://storage.googleapis.com");
  if (endpoint.find("://") == std::string::npos) endpoint.insert(0, "http://");
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint;
}

std::unique_ptr<ObjectStore> make_gcs_store(const std::string& bucket, GcsAccess access,
                                            const Environment& environment,
                                            const Sending& sending) {
  auto tokens =
      access == GcsAccess::kAnonymous ? nullptr : std::make_unique<GcsTokens>(environment, sending);
  return std::make_unique<GcsStore>(
      GcsClient(bucket, gcs_endpoint(environment), std::move(tokens), sending));
}

}  // namespace icefield::object_store
