// `icefield store ...` on repo objects that the official library wrote: what is shown and refused.
// More, on whole repositories and beside the official library: tests/interop/icechunk_commands.py.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "core/file.h"
#include "core/json.h"
#include "core/text.h"
#include "object_store/testing/scratch_folder.h"

namespace icefield::cli_tests {
namespace {

using testing::HasSubstr;

class StoreCommands : public testing::Test {
 protected:
  struct Outcome {
    int status = 0;
    std::string out;
    std::string err;
  };

  /// A repository of which only the repo object is there.
  void place(const std::string& golden) const {
    std::filesystem::create_directories(scratch_.path() / "store");
    std::filesystem::copy_file(
        std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/icechunk" / golden, repo(),
        std::filesystem::copy_options::overwrite_existing);
  }
  std::filesystem::path repo() const { return scratch_.path() / "store/repo"; }

  Outcome run(const std::string& words) const {
    const auto command = core::text("cd '", scratch_.path().string(), "' && '", ICEFIELD_PROGRAM,
                                    "' store ", words, " >out.txt 2>err.txt </dev/null");
    const int raw = std::system(command.c_str());  // NOLINT: a test of the command line
    return {WEXITSTATUS(raw), text_of(scratch_.path() / "out.txt"),
            text_of(scratch_.path() / "err.txt")};
  }

  static std::string text_of(const std::filesystem::path& file) {
    const auto bytes = core::read_file(file);
    return bytes ? std::string(core::as_text(*bytes)) : std::string();
  }

  core::Json json(const std::string& words) const {
    const auto outcome = run(words + " --json");
    EXPECT_EQ(outcome.status, 0) << words << ": " << outcome.err;
    auto value = core::Json::parse(outcome.out);
    EXPECT_TRUE(value) << outcome.out;
    return value ? *std::move(value) : core::Json();
  }

  object_store_testing::ScratchFolder scratch_;
};

TEST_F(StoreCommands, show_refs_and_history) {
  place("repo_refs");
  const auto expected = core::Json::parse(
      text_of(std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/icechunk/repo_refs.json"));
  ASSERT_TRUE(expected);
  const auto sorted = [](const core::Json& value) { return value.dump({.sort_names = true}); };
  EXPECT_EQ(sorted(json("branches store")), sorted(*expected->find("branches")));
  EXPECT_EQ(sorted(json("tags store")), sorted(*expected->find("tags")));
  const auto log = json("log store main");
  ASSERT_TRUE(log.is_array());
  EXPECT_EQ(log.as_array().back().find("snapshot")->as_string(), "1CECHNKREP0F1RSTCMT0");
  EXPECT_EQ(json("log store main --limit 1").as_array().size(), 1U);
}

TEST_F(StoreCommands, refuse_and_change_nothing) {
  place("repo_refs");
  const std::string before = text_of(repo());
  struct Case {
    const char* words;
    int status;
    const char* says;
  };
  const Case cases[] = {
      {"log store nothing", 1, "nothing"},
      {"log absent", 1, "no repository"},
      {"reset store nothing main", 1, "nothing"},
      {"reset store main main --expect 1CECHNKREP0F1RSTCMT0", 1, "not at"},
      {"create-branch store main", 1, "main"},
      {"delete-branch store main", 2, "main"},
      {"delete-tag store nothing", 1, "nothing"},
      {"gc store --older-than 5m", 2, "--no-writers"},
      {"gc store --older-than 2999-01-01 --no-writers", 2, "future"},
      {"gc store", 2, "--older-than"},
      {"expire store --older-than soon", 2, "soon"},
      {"repoint store nobody file:///tmp/", 1, "nobody"},
      {"set-status store closed", 2, "closed"},
      {"manifests store --budget many", 2, "--budget"},
  };
  for (const auto& [words, status, says] : cases) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.status, status) << words << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(says)) << words;
    EXPECT_EQ(outcome.out, "") << words;
  }
  EXPECT_EQ(json("reset store main 1CECHNKREP0F1RSTCMT0 --dry-run").find("dry_run")->as_bool(),
            true);
  EXPECT_EQ(json("create-tag store new --dry-run").find("now")->is_string(), true);
  EXPECT_EQ(text_of(repo()), before);
}

TEST_F(StoreCommands, name_snapshots) {
  place("repo_refs");
  const auto tip = json("branches store").find("main")->as_string();
  json("create-branch store made main");
  json("create-tag store made 1CECHNKREP0F1RSTCMT0");
  EXPECT_EQ(json("branches store").find("made")->as_string(), tip);
  EXPECT_EQ(json("tags store").find("made")->as_string(), "1CECHNKREP0F1RSTCMT0");
  json("reset store made tag:made --expect main");
  EXPECT_EQ(json("branches store").find("made")->as_string(), "1CECHNKREP0F1RSTCMT0");
  json("delete-branch store made --expect tag:made");
  json("delete-tag store made");
  EXPECT_EQ(json("branches store").find("made"), nullptr);
  EXPECT_THAT(run("create-tag store made").err, HasSubstr("was one"));
}

TEST_F(StoreCommands, leave_a_read_only_repository_alone) {
  place("repo_read_only");
  for (const char* words :
       {"create-tag store v9", "expire store --older-than 0s --dry-run", "gc store --older-than 2h",
        "compact store --dry-run", "delete-branch store x"}) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.status, 1) << words;
    EXPECT_THAT(outcome.err, HasSubstr("read only")) << words;
  }
  json("set-status store online");
  json("create-tag store v9");
}

TEST_F(StoreCommands, tell_what_is_damaged) {
  place("repo_refs");
  const auto missing = run("verify store --json");
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.out, HasSubstr("is needed but does not exist"));
  std::filesystem::resize_file(repo(), 60);
  const auto cut = run("verify store --json");
  EXPECT_EQ(cut.status, 1);
  EXPECT_THAT(cut.out, HasSubstr(R"("sound":false)"));
  EXPECT_EQ(run("log store").status, 1);
}

TEST_F(StoreCommands, help_with_an_example) {
  for (const char* command :
       {"ls",         "log",        "branches", "tags",          "diff",          "refs",
        "dump",       "manifests",  "stats",    "containers",    "verify",        "expire",
        "gc",         "compact",    "reset",    "create-branch", "delete-branch", "create-tag",
        "delete-tag", "set-status", "repoint"}) {
    const auto outcome = run(core::text(command, " --help"));
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr(core::text("icefield store ", command, " "))) << command;
  }
}

}  // namespace
}  // namespace icefield::cli_tests
