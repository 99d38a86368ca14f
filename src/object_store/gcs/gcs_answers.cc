#include "object_store/gcs/gcs_answers.h"

#include <chrono>
#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "object_store/http/http_errors.h"
#include "object_store/internal/checksum.h"
#include "object_store/internal/iso_time.h"
#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

std::string text_of(const core::Json& document, std::string_view name) {
  const auto* const value = document.find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

// Times are kept to the second: that is what the answers to reading tell.
core::Instant to_second(core::Instant at) {
  return core::Instant(std::chrono::floor<std::chrono::seconds>(at));
}

core::Result<ObjectInfo> read_resource(Key key, const core::Json& resource) {
  const auto size = parse_number(text_of(resource, "size"));
  if (!size)
    return core::Error(core::ErrorCode::kCorrupt, key.value() + ": an object without size");
  TRY_ASSIGN(const auto updated, read_iso_time(text_of(resource, "updated")));
  return ObjectInfo{std::move(key), *size, Version(text_of(resource, "generation")),
                    to_second(updated)};
}

}  // namespace

core::Result<FoundWrite> read_gcs_object(const Key& key, const HttpResponse& answer) {
  TRY_ASSIGN(const auto document, core::Json::parse(core::as_text(answer.body)));
  TRY_ASSIGN(auto info, read_resource(key, document));
  const auto* const metadata = document.find("metadata");
  return FoundWrite{std::move(info),
                    metadata == nullptr ? std::string() : text_of(*metadata, kWriteIdName)};
}

core::Result<Object> read_gcs_media(const Key& key, const std::string& name, HttpResponse answer) {
  ObjectInfo info{
      key, answer.body.size(), Version(std::string(answer.header("x-goog-generation"))), {}};
  const auto promised = parse_number(answer.header("content-length"));
  if (promised && *promised != answer.body.size()) {
    return core::Error(core::ErrorCode::kCorrupt, name + ": fewer bytes came than were promised");
  }
  if (const auto time = parse_http_date(answer.header("last-modified"))) {
    info.last_modified = core::Instant(*time);
  } else {  // a generation is the microsecond of its making
    const auto made = parse_number(info.version.value()).value_or(0);
    info.last_modified = to_second(core::Instant(std::chrono::microseconds(made)));
  }
  return Object{std::move(info), std::move(answer.body)};
}

core::Status verify_gcs_media(const std::string& name, const HttpResponse& answer) {
  const auto stored = answer.header("x-goog-stored-content-encoding");
  if (!stored.empty() && stored != "identity" && answer.header("content-encoding") != stored) {
    return {};
  }
  constexpr std::string_view kSum = "crc32c=";
  for (const auto& header : answer.headers) {
    const auto at = header.name == "x-goog-hash" ? header.value.find(kSum) : std::string::npos;
    if (at == std::string::npos) continue;
    const auto value = std::string_view(header.value).substr(at + kSum.size());
    const auto told = value.substr(0, value.find_first_of(", "));
    const auto found = base64_of(crc32c(answer.body));
    if (found == told) return {};
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text(name, ": ", answer.body.size(), " bytes came with crc32c ",
                                  told.substr(0, 64), ", but theirs is ", found));
  }
  return {};
}

bool tells_other_checksum(const HttpResponse& answer) {
  const auto text = gcs_error({}, answer).message();
  return text.find("match calculated") != std::string::npos;
}

core::Result<GcsListPage> read_gcs_listing(const HttpResponse& answer) {
  TRY_ASSIGN(const auto document, core::Json::parse(core::as_text(answer.body)));
  GcsListPage read;
  const auto* const items = document.find("items");
  if (items != nullptr && items->is_array()) {
    for (const auto& item : items->as_array()) {
      Key key(text_of(item, "name"));
      if (!check_key(key)) continue;  // markers of folders, and what no key here may be
      TRY_ASSIGN(auto info, read_resource(std::move(key), item));
      read.page.objects.push_back(std::move(info));
    }
  }
  const auto* const prefixes = document.find("prefixes");
  if (prefixes != nullptr && prefixes->is_array()) {
    for (const auto& prefix : prefixes->as_array()) {
      if (prefix.is_string()) read.page.folders.push_back(prefix.as_string());
    }
  }
  read.next = text_of(document, "nextPageToken");
  return read;
}

core::Error gcs_error(const std::string& object, const HttpResponse& answer) {
  constexpr std::size_t kMostRead = 64U << 10U;
  std::string said;
  if (answer.body.size() <= kMostRead) {
    const auto document = core::Json::parse(core::as_text(answer.body));
    const auto* const error = document ? document->find("error") : nullptr;
    if (error != nullptr) said = text_of(*error, "message");
  }
  auto made = status_error(object, answer, said);
  if (answer.status != 409) return made;
  return {core::ErrorCode::kUnavailable, made.message()};
}

}  // namespace icefield::object_store
