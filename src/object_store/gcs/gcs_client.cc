#include "object_store/gcs/gcs_client.h"

#include "object_store/gcs/gcs_answers.h"
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
                   .url = call.session.empty() ? endpoint_ + call.path : call.session,
                   .headers = call.headers,
                   .body = call.body,
                   .max_answer = call.max_answer};
  if (!call.query.empty()) made.url += "?" + encode_query(call.query);
  if (tokens_ && call.session.empty()) {  // a session's address is its own permission
    TRY_ASSIGN(const auto token, tokens_->get(core::system_now()));
    if (!token.empty()) made.headers.push_back({"authorization", "Bearer " + token});
  }
  return made;
}

Sent GcsClient::send(const GcsCall& call) const {
  const auto once = [&] {
    return send_retrying(sending_, [&](int /*attempt*/) { return request(call); });
  };
  return send_judged(sending_, once,
                     [&](core::Result<HttpResponse>& answer) { return judge(call, answer); });
}

std::vector<Sent> GcsClient::send_all(std::span<const GcsCall> calls) const {
  return send_all_judged(
      calls.size(),
      [&](std::span<const std::size_t> items) {
        return send_all_retrying(sending_, items.size(), [&](std::size_t i, int /*attempt*/) {
          return request(calls[items[i]]);
        });
      },
      [&](std::size_t item, core::Result<HttpResponse>& answer) {
        return judge(calls[item], answer);
      },
      [&](std::size_t item) { return send(calls[item]); });
}

NextStep GcsClient::judge(const GcsCall& call, core::Result<HttpResponse>& answer) const {
  if (!answer) return NextStep::kTake;
  const int status = answer->status;
  const auto object = call.object.empty() ? endpoint_ + call.path : call.object;
  if (status == 200 && call.whole) {
    const auto verified = verify_gcs_media(object, *answer);
    if (verified) return NextStep::kTake;
    answer = verified.error();
    return NextStep::kAgainLater;
  }
  if (status == 401 && tokens_) {  // revoked before it expired
    tokens_->forget();
    return NextStep::kAgainNow;
  }
  const bool damaged = status == 400 && !call.body.empty() && tells_other_checksum(*answer);
  if ((status != 409 || call.may_conflict) && !damaged) return NextStep::kTake;
  answer = core::Error(core::ErrorCode::kUnavailable, gcs_error(object, *answer).message());
  return NextStep::kAgainLater;
}

}  // namespace icefield::object_store
