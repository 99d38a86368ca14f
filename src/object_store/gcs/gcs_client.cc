#include "object_store/gcs/gcs_client.h"

#include "object_store/internal/percent.h"

namespace icefield::object_store {

std::string GcsClient::bucket_path() const {
  return "/storage/v1/b/" + percent_encode_all(bucket_) + "/o";
}

std::string GcsClient::object_path(const std::string& key) const {
  return bucket_path() + "/" + percent_encode_all(key);
}

std::string GcsClient::upload_path() const {
  return "/upload/storage/v1/b/" + percent_encode_all(bucket_) + "/o";
}

core::Result<HttpRequest> GcsClient::request(const GcsCall& call) const {
  HttpRequest made{.method = call.method,
                   .url = endpoint_ + call.path,
                   .headers = call.headers,
                   .body = call.body,
                   .max_answer = call.max_answer};
  if (!call.query.empty()) made.url += "?" + encode_query(call.query);
  if (tokens_) {
    TRY_ASSIGN(const auto token, tokens_->get(core::system_now()));
    if (!token.empty()) made.headers.push_back({"authorization", "Bearer " + token});
  }
  return made;
}

Sent GcsClient::send(const GcsCall& call) const {
  const auto once = [&] {
    return send_retrying(sending_, [&](int /*attempt*/) { return request(call); });
  };
  auto sent = once();
  if (!tokens_ || !sent.answer || sent.answer->status != 401) return sent;
  tokens_->forget();  // revoked before it expired
  return once();
}

std::vector<core::Result<HttpResponse>> GcsClient::send_all(std::span<const GcsCall> calls) const {
  return send_all_retrying(sending_, calls.size(),
                           [&](std::size_t item, int /*attempt*/) { return request(calls[item]); });
}

}  // namespace icefield::object_store
