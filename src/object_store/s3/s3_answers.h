#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "object_store/http/http_message.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// One page of ListObjectsV2.
struct S3ListPage {
  ListPage page;
  std::string continuation;  // empty: the last page
};
core::Result<S3ListPage> read_list_page(const HttpResponse& answer);

/// The keys that DeleteObjects could not delete, with their errors.
struct S3DeleteFailure {
  std::string key;
  core::Error error;
};
core::Result<std::vector<S3DeleteFailure>> read_delete_failures(const HttpResponse& answer);

/// True when DeleteObjects left keys only because the service was busy: asked again, it may delete
/// them.
bool can_be_deleted_later(const HttpResponse& answer);

}  // namespace icefield::object_store
