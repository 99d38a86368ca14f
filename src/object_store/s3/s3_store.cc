#include "object_store/s3/s3_store.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/text.h"
#include "object_store/http/http_errors.h"
#include "object_store/http/many_requests.h"
#include "object_store/http/put_together.h"
#include "object_store/internal/digest.h"
#include "object_store/internal/percent.h"
#include "object_store/internal/xml.h"
#include "object_store/key_rules.h"
#include "object_store/s3/s3_answers.h"
#include "object_store/s3/s3_client.h"
#include "object_store/s3/s3_errors.h"
#include "object_store/s3/s3_multipart.h"
#include "object_store/s3/s3_put.h"

namespace icefield::object_store {
namespace {

constexpr std::size_t kKeysPerDelete = 1000;

class S3Store final : public ObjectStore {
 public:
  S3Store(const S3Settings& settings, const Environment& environment, const Sending& sending)
      : client_(settings,
                settings.access == S3Access::kChain ? credential_chain(environment, sending)
                                                    : std::vector<CredentialSource>(),
                sending),
        location_(client_.name("")) {}

  const std::string& location() const override { return location_; }

  core::Result<Object> get(const Key& key) const override {
    TRY_ASSIGN(auto answer, read(key, {}, true));
    return object_from(key, client_.name(key.value()), std::move(answer));
  }

  core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                     const Version& known) const override {
    TRY_ASSIGN(auto answer, read(key, {{"if-none-match", known.value()}}, true));
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
          std::vector<S3Call> calls;
          for (const auto& [headers, most] : requests) {
            calls.push_back({.key = key.value(), .headers = headers, .max_answer = most});
          }
          return answers_of(client_.send_all(calls));
        },
        [&](const HttpResponse& answer) { return s3_error(name, answer); });
  }

  core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const override {
    if (length == 0) {
      TRY(head(key));
      return core::Bytes{};
    }
    auto answer = read(key, {{"range", core::text("bytes=-", length)}}, false);
    if (!answer) {
      // an empty object has no last byte: 416
      if (answer.error().code() == core::ErrorCode::kCorrupt) return core::Bytes{};
      return std::move(answer).error();
    }
    auto& bytes = answer->body;
    if (bytes.size() > length)
      bytes.erase(bytes.begin(), bytes.end() - static_cast<std::ptrdiff_t>(length));
    return std::move(bytes);
  }

  core::Result<ObjectInfo> head(const Key& key) const override {
    TRY(check_key(key));
    auto sent = client_.send({.method = "HEAD", .key = key.value()});
    if (!sent.answer) return std::move(sent.answer).error();
    if (sent.answer->status != 200) return s3_error(client_.name(key.value()), *sent.answer);
    return info_from_headers(key, *sent.answer);
  }

  core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> bytes,
                               const PutCondition& condition) override {
    return put_one<S3Put>(client_, key, bytes, condition);
  }

  std::vector<core::Result<ObjectInfo>> put_many(std::span<const PutRequest> objects) override {
    return put_together<S3Put>(client_, objects);
  }

  core::Status copy(const Key& from, const Key& to,
                    const std::optional<Version>& only_if) override {
    TRY(check_key(from));
    TRY(check_key(to));
    const auto& bucket = client_.settings().bucket;
    Headers headers = {
        {"x-amz-copy-source", "/" + percent_encode_segments(bucket + "/" + from.value())}};
    if (only_if) headers.push_back({"x-amz-copy-source-if-match", only_if->value()});
    if (from == to) headers.push_back({"x-amz-metadata-directive", "REPLACE"});
    auto sent = client_.send({.method = "PUT", .key = to.value(), .headers = std::move(headers)});
    if (!sent.answer) return std::move(sent.answer).error();
    if (sent.answer->status == 200 && read_s3_error(*sent.answer).code.empty()) return {};
    auto error = s3_error(client_.name(from.value()), *sent.answer);
    if (error.code() == core::ErrorCode::kConflict && sent.may_have_happened_before) {
      return core::Error(core::ErrorCode::kUnknownOutcome, error.message());
    }
    return error;
  }

  std::vector<core::Status> remove(std::span<const Key> keys) override {
    std::vector<core::Status> results(keys.size());
    for (std::size_t from = 0; from < keys.size(); from += kKeysPerDelete) {
      const auto number = std::min(kKeysPerDelete, keys.size() - from);
      remove_some(keys.subspan(from, number), std::span(results).subspan(from, number));
    }
    return results;
  }

  core::Status list(const ListOptions& options,
                    const std::function<bool(const ListPage&)>& visit) const override {
    if (!may_start_a_key(options.prefix)) return {};
    std::string continuation;
    do {
      Query query = {{"list-type", "2"}, {"prefix", options.prefix}};
      if (!options.recursive) query.emplace_back("delimiter", "/");
      if (!options.start_after.empty()) query.emplace_back("start-after", options.start_after);
      if (!continuation.empty()) query.emplace_back("continuation-token", continuation);
      auto sent = client_.send({.query = std::move(query)});
      if (!sent.answer) return std::move(sent.answer).error().within("list " + location_);
      if (sent.answer->status != 200) return s3_error("list " + location_, *sent.answer);
      TRY_ASSIGN(auto read, read_list_page(*sent.answer));
      continuation = std::move(read.continuation);
      // services differ in which folders start-after leaves out
      std::erase_if(read.page.folders,
                    [&options](const auto& folder) { return folder <= options.start_after; });
      if (read.page.objects.empty() && read.page.folders.empty()) continue;
      if (!visit(read.page)) break;
    } while (!continuation.empty());
    return {};
  }

  core::Result<std::size_t> remove_leftovers(core::Instant older_than) override {
    return abort_uploads(client_, client_.settings().leftovers_below, older_than);
  }

 private:
  // An answer with a body of the object, or 304. Other statuses are errors.
  core::Result<HttpResponse> read(const Key& key, Headers headers, bool whole) const {
    TRY(check_key(key));
    auto sent = client_.send({.key = key.value(), .headers = std::move(headers), .whole = whole});
    if (!sent.answer) return std::move(sent.answer).error();
    const int status = sent.answer->status;
    if (status == 200 || status == 206 || status == 304) return *std::move(sent.answer);
    return s3_error(client_.name(key.value()), *sent.answer);
  }

  void remove_some(std::span<const Key> keys, std::span<core::Status> results) {
    std::string body = "<Delete><Quiet>true</Quiet>";
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      results[i] = check_key(keys[i]);
      if (!results[i]) continue;
      places[keys[i].value()] = i;
      body += "<Object><Key>" + xml_escape(keys[i].value()) + "</Key></Object>";
    }
    body += "</Delete>";
    if (places.empty()) return;
    const auto fail_all = [&](const core::Error& error) {
      for (const auto& [key, place] : places) results[place] = error;
    };
    auto sent = client_.send({.method = "POST",
                              .query = {{"delete", ""}},
                              .headers = {{"content-md5", base64(md5(core::as_bytes(body)))},
                                          {"content-type", "application/xml"}},
                              .body = core::as_bytes(body)});
    if (!sent.answer) return fail_all(sent.answer.error());
    if (sent.answer->status != 200)
      return fail_all(s3_error("delete in " + location_, *sent.answer));
    const auto failures = read_delete_failures(*sent.answer);
    if (!failures) return fail_all(failures.error());
    for (const auto& [key, error] : *failures) {
      if (const auto at = places.find(key); at != places.end()) results[at->second] = error;
    }
  }

  S3Client client_;
  std::string location_;
};

}  // namespace

std::unique_ptr<ObjectStore> make_s3_store(const S3Settings& settings,
                                           const Environment& environment, const Sending& sending) {
  return std::make_unique<S3Store>(settings, environment, sending);
}

}  // namespace icefield::object_store
