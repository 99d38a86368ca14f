#include "object_store/http/http_store.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "object_store/http/html_index.h"
#include "object_store/http/http_errors.h"
#include "object_store/http/many_requests.h"
#include "object_store/http/redirect.h"
#include "object_store/http/url.h"
#include "object_store/internal/percent.h"
#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

constexpr int kDeepestFolder = 64;
constexpr std::uint64_t kMostIndex = 64U << 20U;  // bytes of one index page

class HttpStore final : public ObjectStore {
 public:
  HttpStore(std::string base, Sending sending)
      : base_(std::move(base)), sending_(std::move(sending)) {}

  const std::string& location() const override { return base_; }

  core::Result<Object> get(const Key& key) const override {
    TRY_ASSIGN(auto answer, ask("GET", key, {}));
    return object_from(key, base_ + key.value(), std::move(answer));
  }

  core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                     const Version& known) const override {
    // a version that is no entity tag is a time
    const bool tag = known.value().find('"') != std::string::npos;
    const Headers headers = {{tag ? "if-none-match" : "if-modified-since", known.value()}};
    TRY_ASSIGN(auto answer, ask("GET", key, headers));
    if (answer.status == 304) return std::optional<Object>();
    TRY_ASSIGN(auto object, object_from(key, base_ + key.value(), std::move(answer)));
    if (object.info.version == known) return std::optional<Object>();
    return std::optional<Object>(std::move(object));
  }

  std::vector<core::Result<core::Bytes>> get_many(
      const Key& key, std::span<const core::ByteRange> ranges) const override {
    const auto name = base_ + key.value();
    return get_ranges(
        key, name, ranges,
        [&](std::span<const RangeRequest> requests) {
          return send_all_following(sending_, requests.size(), [&](std::size_t item) {
            return HttpRequest{.url = url(key.value()),
                               .headers = requests[item].headers,
                               .max_answer = requests[item].max_answer};
          });
        },
        [&](const HttpResponse& answer) { return status_error(name, answer); });
  }

  core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const override {
    return get_suffix_by_size(*this, key, length);
  }

  core::Result<ObjectInfo> head(const Key& key) const override {
    TRY_ASSIGN(const auto answer, ask("HEAD", key, {}));
    return info_from_headers(key, answer);
  }

  core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> /*bytes*/,
                               const PutCondition& /*condition*/) override {
    return read_only(key);
  }

  core::Status copy(const Key& /*from*/, const Key& to,
                    const std::optional<Version>& /*only_if*/) override {
    return read_only(to);
  }

  std::vector<core::Status> remove(std::span<const Key> keys) override {
    std::vector<core::Status> results;
    for (const auto& key : keys) results.emplace_back(read_only(key));
    return results;
  }

  core::Status list(const ListOptions& options,
                    const std::function<bool(const ListPage&)>& visit) const override {
    if (!may_start_a_key(options.prefix)) return {};
    const auto slash = options.prefix.rfind('/');
    bool more = true;
    return list_folder(
        slash == std::string::npos ? std::string() : options.prefix.substr(0, slash + 1), options,
        visit, more, 0);
  }

 private:
  core::Error read_only(const Key& key) const {
    return {core::ErrorCode::kUnsupported, base_ + key.value() + ": a web server is read-only"};
  }

  std::string url(const std::string& key) const { return base_ + percent_encode_segments(key); }

  // The answer of status 200 or 304. Others are errors.
  core::Result<HttpResponse> ask(const char* method, const Key& key, const Headers& headers) const {
    TRY(check_key(key));
    auto answers = send_all_following(sending_, 1, [&](std::size_t /*item*/) {
      return HttpRequest{.method = method, .url = url(key.value()), .headers = headers};
    });
    if (!answers.front()) return std::move(answers.front()).error();
    const int status = answers.front()->status;
    if (status == 200 || status == 304) return *std::move(answers.front());
    return status_error(base_ + key.value(), *answers.front());
  }

  // Names in a folder as its index page shows them; none when there is no such folder.
  core::Result<std::vector<std::string>> names_in(const std::string& folder) const {
    const auto page = url(folder);
    auto answers = send_all_following(sending_, 1, [&](std::size_t /*item*/) {
      return HttpRequest{.url = page, .max_answer = kMostIndex};
    });
    if (!answers.front()) return std::move(answers.front()).error();
    if (answers.front()->status == 404) return std::vector<std::string>();
    if (answers.front()->status != 200) return status_error("list " + page, *answers.front());
    return read_html_index(core::as_text(answers.front()->body), page);
  }

  core::Status list_folder(const std::string& folder, const ListOptions& options,
                           const std::function<bool(const ListPage&)>& visit, bool& more,
                           int depth) const {
    if (depth > kDeepestFolder) {
      return core::Error(core::ErrorCode::kCorrupt, base_ + folder + ": folders without end");
    }
    TRY_ASSIGN(const auto names, names_in(folder));
    ListPage page;
    for (const auto& name : names) {
      const auto entry = folder + name;
      const bool is_folder = name.back() == '/';
      const auto& after = options.start_after;
      if (is_folder ? entry < after && !after.starts_with(entry) : entry <= after) continue;
      const bool inside = entry.starts_with(options.prefix);
      if (!inside && !(is_folder && options.prefix.starts_with(entry))) continue;
      if (!is_folder) {
        page.objects.emplace_back();
        page.objects.back().key = Key(entry);
      } else if (!options.recursive) {
        if (entry > after) page.folders.push_back(entry);
      } else {
        TRY(give(page, visit, more));
        if (more) TRY(list_folder(entry, options, visit, more, depth + 1));
      }
      if (!more) return {};
    }
    return give(page, visit, more);
  }

  // Completes the page's objects by asking for each, and passes it on.
  core::Status give(ListPage& page, const std::function<bool(const ListPage&)>& visit,
                    bool& more) const {
    if (!more || (page.objects.empty() && page.folders.empty())) return {};
    auto answers = send_all_following(sending_, page.objects.size(), [&](std::size_t item) {
      return HttpRequest{.method = "HEAD", .url = url(page.objects[item].key.value())};
    });
    ListPage known{.objects = {}, .folders = std::move(page.folders)};
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i]) return std::move(answers[i]).error();
      if (answers[i]->status == 404) continue;
      const auto& key = page.objects[i].key;
      if (answers[i]->status != 200) return status_error(base_ + key.value(), *answers[i]);
      TRY_ASSIGN(auto info, info_from_headers(key, *answers[i]));
      known.objects.push_back(std::move(info));
    }
    page = {};
    more = visit(known);
    return {};
  }

  std::string base_;
  Sending sending_;
};

}  // namespace

core::Result<std::unique_ptr<ObjectStore>> make_http_store(const std::string& base,
                                                           const Sending& sending) {
  TRY_ASSIGN(const auto url, parse_url(base));
  if (!url.query.empty()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       std::string(shown(base)) + ": a store's URL has no query");
  }
  auto whole = url.origin() + url.path;
  if (!whole.ends_with('/')) whole += '/';
  return std::unique_ptr<ObjectStore>(std::make_unique<HttpStore>(std::move(whole), sending));
}

}  // namespace icefield::object_store
