#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "object_store/open.h"
#include "object_store/testing/tiny_server.h"

namespace icefield::object_store_testing {

using Variables = std::map<std::string, std::string, std::less<>>;

/// The environment that these variables are.
object_store::Environment environment_of(Variables variables);

/// Options with that environment, and with retries that take milliseconds.
object_store::OpenOptions options_of(Variables variables);

/// A web server that remembers its requests and answers each from a list, the last one for all that
/// follow.
class ScriptedService {
 public:
  explicit ScriptedService(std::vector<TinyAnswer> answers);

  std::string url() const { return server_.url(); }

  /// The requests so far.
  std::vector<TinyRequest> seen() const;

 private:
  TinyAnswer next(const TinyRequest& request);

  std::vector<TinyAnswer> answers_;
  mutable std::mutex mutex_;  // guards seen_
  std::vector<TinyRequest> seen_;
  TinyServer server_;
};

/// The request's header, empty when absent.
std::string header_of(const TinyRequest& request, const std::string& name);

/// An answer to a GET that every kind of store takes: the object "object".
TinyAnswer object_answer(std::vector<std::pair<std::string, std::string>> more = {});

/// A file below `folder` with this content; its path.
std::string write_text(const std::string& path, const std::string& text);

}  // namespace icefield::object_store_testing
