#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "icechunk/commit/compact.h"
#include "icechunk/commit/refs.h"
#include "icechunk/commit/testing/repository_words.h"

// Random operations on sessions and on plain maps, compared. ICEFIELD_MODEL_ROUNDS asks for more
// rounds, ICEFIELD_MODEL_SEED repeats one.

namespace icefield::icechunk {
namespace {

using namespace testing_words;  // NOLINT: small words of the tests

struct ModelArray {
  std::vector<std::uint32_t> shape;
  std::map<ChunkIndex, std::string> chunks;
  friend bool operator==(const ModelArray&, const ModelArray&) = default;
};
using Model = std::map<std::string, ModelArray>;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);  // NOLINT: no other thread is running
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Machine {
 public:
  explicit Machine(std::uint64_t seed)
      : state_(seed),
        repository_(
            new_repository(memory_store(), split_by(static_cast<std::uint32_t>(roll(6) + 1)))) {}

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      auto session = must(repository_.writable_session("main"));
      auto other = must(repository_.writable_session("main"));
      Model changed = model_;
      resized_.clear();
      edit(session, changed);
      if (!session.has_changes()) continue;
      if (roll(3) == 0) land_beside(other);
      const auto result = commit(session, core::text("step ", step), {}, layout());
      if (result) {
        model_ = merged(changed);
      } else {
        ASSERT_EQ(result.error().code(), core::ErrorCode::kConflict) << result.error().message();
        model_ = beside_;
      }
      if (roll(10) == 0) must(compact(repository_, "main", "compact", {.keep_manifests = roll(3)}));
      ASSERT_NO_FATAL_FAILURE(compare());
      beside_ = model_;
    }
  }

 private:
  std::uint64_t roll(std::uint64_t below) { return core::splitmix64(state_) % below; }
  CommitOptions layout() {
    return {.layout = roll(4) == 0 ? ManifestLayout::kWindows : ManifestLayout::kAppend,
            .conflicts = {}};
  }
  std::string array_name() { return core::text("/a", roll(4)); }

  ChunkIndex position(const ModelArray& array) {
    ChunkIndex index;
    for (const auto size : array.shape) index.push_back(static_cast<std::uint32_t>(roll(size)));
    return index;
  }

  void edit(Session& session, Model& model) {
    for (std::uint64_t i = 1 + roll(12); i-- > 0;) {
      const std::string name = array_name();
      const auto found = model.find(name);
      if (found == model.end()) {
        ModelArray made{.shape = {static_cast<std::uint32_t>(1 + roll(12)),
                                  static_cast<std::uint32_t>(1 + roll(5))},
                        .chunks = {}};
        put_array(session, name, made.shape);
        model.emplace(name, made);
        continue;
      }
      change(session, model, found);
    }
  }

  void change(Session& session, Model& model, Model::iterator array) {
    const auto what = roll(20);
    if (what == 0) {
      must(session.delete_node(array->first));
      model.erase(array);
    } else if (what == 1) {
      resize(session, *array);
    } else if (what < 5) {
      const ChunkIndex index = position(array->second);
      must(session.delete_chunk(array->first, index));
      array->second.chunks.erase(index);
    } else if (what < 10) {
      const ChunkIndex index = position(array->second);
      const std::string text = core::text("v", ++serial_);
      put_chunk(session, array->first, index, text);
      array->second.chunks[index] = text;
    } else {
      const ChunkIndex first = position(array->second);
      for (std::uint32_t i = first[0]; i < array->second.shape[0]; ++i) {  // a block of rows
        for (std::uint32_t j = first[1]; j < array->second.shape[1]; ++j) {
          const std::string text = core::text("v", ++serial_);
          put_chunk(session, array->first, {i, j}, text);
          array->second.chunks[{i, j}] = text;
        }
      }
    }
  }

  /// Once per session: chunks that a smaller shape hides are only dropped by the commit.
  void resize(Session& session, Model::value_type& array) {
    if (!resized_.insert(array.first).second) return;
    array.second.shape[0] = static_cast<std::uint32_t>(1 + roll(14));
    put_array(session, array.first, array.second.shape, core::text("{\"n\":", ++serial_, "}"));
    std::erase_if(array.second.chunks,
                  [&](const auto& chunk) { return chunk.first[0] >= array.second.shape[0]; });
  }

  /// A commit by another session, of chunks of arrays that the first one may have changed too.
  void land_beside(Session& other) {
    beside_ = model_;
    for (auto& [name, array] : beside_) {
      if (roll(2) == 0) continue;
      const ChunkIndex index = position(array);
      const std::string text = core::text("beside", ++serial_);
      put_chunk(other, name, index, text);
      array.chunks[index] = text;
      beside_changes_[name].push_back({index, text});
    }
    if (other.has_changes()) must(commit(other, "beside"));
  }

  /// What both left behind, given that nothing contradicted.
  Model merged(Model changed) {
    for (const auto& [name, changes] : beside_changes_) {
      const auto array = changed.find(name);
      if (array == changed.end()) continue;
      for (const auto& [index, text] : changes) {
        if (index[0] < array->second.shape[0]) array->second.chunks[index] = text;
      }
    }
    return changed;
  }

  static std::string shown(const Model& model) {
    std::string text;
    for (const auto& [name, array] : model) {
      text += core::text(name, " ", array.shape[0], "x", array.shape[1], ":");
      for (const auto& [index, value] : array.chunks) {
        text += core::text(" ", index[0], ",", index[1], "=", value);
      }
      text += "\n";
    }
    return text;
  }

  void compare() {
    beside_changes_.clear();
    const auto fresh = must(Repository::open(repository_.assets()->shared_store()));
    const auto session = must(fresh.readonly_session(BranchName("main")));
    Model seen;
    for (const NodeView& node : session.nodes()) {
      ModelArray& array = seen[node.path];
      for (const auto& size : node.shape) array.shape.push_back(size.num_chunks);
      array.chunks = chunks_of(session, node.path);
      for (const auto& [index, text] : array.chunks) {
        ASSERT_EQ(chunk_text(session, node.path, index), text);
      }
    }
    ASSERT_EQ(shown(seen), shown(model_));
    const auto snapshot = must(fresh.assets()->snapshot(session.base()));
    const auto sound = check_snapshot(*snapshot);
    ASSERT_TRUE(sound) << sound.error().message();
  }

  std::uint64_t state_;
  Repository repository_;
  Model model_;
  Model beside_;
  std::map<std::string, std::vector<std::pair<ChunkIndex, std::string>>> beside_changes_;
  std::set<std::string> resized_;
  std::uint64_t serial_ = 0;
};

TEST(Model, agrees_with_the_repository_after_random_operations) {
  const std::uint64_t rounds = from_environment("ICEFIELD_MODEL_ROUNDS", 10);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t seed = from_environment("ICEFIELD_MODEL_SEED", core::random_u64());
    SCOPED_TRACE("ICEFIELD_MODEL_SEED=" + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(Machine(seed).run(40));
  }
}

}  // namespace
}  // namespace icefield::icechunk
