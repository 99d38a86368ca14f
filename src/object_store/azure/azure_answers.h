#pragma once

#include <string>

#include "core/result.h"
#include "object_store/http/http_message.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// One page of List Blobs. Errors: kCorrupt.
struct AzureListPage {
  ListPage page;
  std::string next;  // marker of the next page; empty: none
};
core::Result<AzureListPage> read_azure_listing(const HttpResponse& answer);

/// Compares the body of a whole blob with the content-md5 of its answer, if it has one. Errors:
/// kCorrupt, with `name` and both sums.
core::Status verify_blob(const std::string& name, const HttpResponse& answer);

/// The service's code for an error: the header x-ms-error-code, or the document's.
std::string azure_error_code(const HttpResponse& answer);

/// The answer as an Error, with that code. A missing container is kInvalidArgument, 409
/// kUnavailable (what was in the way is no lost race).
core::Error azure_error(const std::string& object, const HttpResponse& answer);

}  // namespace icefield::object_store
