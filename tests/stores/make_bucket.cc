#include "make_bucket.h"

#include "core/text.h"
#include "object_store/azure/azure_client.h"
#include "object_store/gcs/gcs_client.h"
#include "object_store/gcs/gcs_store.h"
#include "object_store/s3/s3_client.h"

namespace icefield {
namespace {

using object_store::Sending;
using object_store::Transport;

core::Status judge(const object_store::Sent& sent) {
  if (!sent.answer) return sent.answer.error();
  const int status = sent.answer->status;
  if (status == 200 || status == 201 || status == 409) return {};
  return core::Error(core::ErrorCode::kUnavailable,
                     core::text("make bucket: status ", status, " ",
                                core::as_text(sent.answer->body).substr(0, 300)));
}

core::Status make_s3(const std::string& bucket) {
  const auto environment = object_store::process_environment();
  TRY_ASSIGN(auto settings, object_store::s3_settings(bucket, environment));
  const Sending sending{.transport = &Transport::shared()};
  const object_store::S3Client client(
      settings, object_store::credential_chain(environment, sending), sending);
  return judge(client.send({.method = "PUT"}));
}

core::Status make_gcs(const std::string& bucket) {
  const auto endpoint = object_store::gcs_endpoint(object_store::process_environment());
  const object_store::GcsClient client(bucket, endpoint, nullptr,
                                       {.transport = &Transport::shared()});
  const auto body = "{\"name\":\"" + bucket + "\"}";
  return judge(client.send({.method = "POST",
                            .path = "/storage/v1/b",
                            .query = {{"project", "test"}},
                            .headers = {{"content-type", "application/json"}},
                            .body = core::as_bytes(body)}));
}

core::Status make_azure(const std::string& container) {
  TRY_ASSIGN(auto settings,
             object_store::azure_settings(container, object_store::process_environment()));
  const object_store::AzureClient client(settings, {.transport = &Transport::shared()});
  return judge(client.send({.method = "PUT", .query = {{"restype", "container"}}}));
}

}  // namespace

core::Status make_bucket(const std::string& url) {
  const auto mark = url.find("://");
  if (mark == std::string::npos) return {};
  const auto scheme = url.substr(0, mark);
  const auto bucket = url.substr(mark + 3, url.find('/', mark + 3) - mark - 3);
  if (scheme == "s3") return make_s3(bucket);
  if (scheme == "gs") return make_gcs(bucket);
  if (scheme == "az") return make_azure(bucket);
  return {};
}

}  // namespace icefield
