// `icefield store verify`: whether a repository is sound.
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/store_command.h"
#include "core/printable.h"
#include "core/text.h"
#include "icechunk/maintenance/verify.h"
#include "zarr/codec/codec_chain.h"
#include "zarr/metadata/metadata_codec.h"

namespace icefield::cli {
namespace {

using icechunk::Severity;
using icechunk::VerifyReport;

/// Reads documents and decodes the chunks that lie in the repository itself.
class Chunks {
 public:
  explicit Chunks(VerifyReport& report) : report_(report) {}

  core::Status inspect(const icechunk::Repository& repository) {
    TRY_ASSIGN(const auto info, repository.info());
    std::set<icechunk::SnapshotId> tips;
    for (const auto* refs : {&info->branches, &info->tags}) {
      for (const auto& [name, target] : *refs) tips.insert(target);
    }
    for (const auto& tip : tips) {
      const auto session = repository.readonly_session(tip);
      if (!session) continue;  // told by verify
      for (const auto& node : session->nodes()) {
        const std::string object = core::text("snapshots/", tip.text(), node.path);
        const auto document = zarr::read_metadata(core::as_text(node.metadata.view()));
        if (!document && !node.is_array) {  // of arrays, a type or codec may be unknown here
          tell(Severity::kDamage, object, document.error().message());
        }
        if (node.is_array) TRY(inspect(*session, object, node));
      }
    }
    return {};
  }

 private:
  core::Status inspect(const icechunk::Session& session, const std::string& object,
                       const icechunk::NodeView& node) {
    const auto array = zarr::read_array_metadata(core::as_text(node.metadata.view()));
    const auto chain =
        array ? zarr::CodecChain::of(*array) : core::Result<zarr::CodecChain>(array.error());
    if (!chain) return skip(object, chain.error());
    core::Status ended;
    const auto walked = session.for_each_chunk(node.path, [&](const icechunk::ChunkEntry& entry) {
      if (std::holds_alternative<icechunk::VirtualView>(entry.reference)) return true;
      const auto bytes = session.read_chunk(node.path, entry.index);
      if (bytes && !*bytes) return true;  // not visible: told by verify
      const auto values = bytes ? chain->decode(**bytes) : core::Result<core::Bytes>(bytes.error());
      if (values) return true;
      if (values.error().code() == core::ErrorCode::kUnavailable) ended = values.error();
      if (!ended) return false;
      if (values.error().code() == core::ErrorCode::kUnsupported) {
        ended = skip(object, values.error());
        return false;
      }
      tell(Severity::kDamage, object,
           core::text("chunk ", position(entry.index), ": ", values.error().message()));
      return true;
    });
    TRY(std::move(ended));
    // A manifest that cannot be read has been told by verify.
    const bool told = !walked && walked.error().code() != core::ErrorCode::kUnavailable;
    return told ? core::Status() : walked;
  }

  static std::string position(icechunk::ChunkIndexView index) {
    std::string text;
    for (const std::uint32_t number : index) text += core::text(text.empty() ? "" : "/", number);
    return text;
  }

  core::Status skip(const std::string& object, const core::Error& why) {
    tell(Severity::kUnusual, object, "chunks are not looked at: " + why.message());
    return {};
  }

  void tell(Severity severity, const std::string& object, std::string what) {
    report_.findings.push_back({severity, object, std::move(what)});
  }

  VerifyReport& report_;
};

Printed show_report(const VerifyReport& report) {
  Printed printed;
  core::Json::Array findings;
  for (const auto& finding : report.findings) {
    const std::string severity = finding.severity == Severity::kDamage ? "damage" : "unusual";
    // What is damaged may hold anything, also what is no text.
    const std::string object = core::printable(finding.object);
    const std::string what = core::printable(finding.what);
    printed.lines.push_back(core::text(severity, "  ", object, ": ", what));
    findings.push_back(
        core::Json::object({{"severity", severity}, {"object", object}, {"what", what}}));
  }
  printed.lines.push_back(core::text(
      report.sound() ? "sound: " : "DAMAGED: ", report.snapshots, " snapshots, ", report.manifests,
      " manifests, ", report.references, " references, ", report.findings.size(), " findings"));
  printed.json = core::Json::object({{"sound", report.sound()},
                                     {"snapshots", report.snapshots},
                                     {"manifests", report.manifests},
                                     {"references", report.references},
                                     {"findings", std::move(findings)}});
  printed.status = report.sound() ? kDone : kFailed;
  return printed;
}

/// What keeps a repository from being opened at all is a finding, too.
Printed show_unreadable(const core::Error& error) {
  return show_report({.findings = {{Severity::kDamage, "repo", error.message()}}});
}

}  // namespace

void add_store_verify_command(CLI::App& store, Run& run) {
  const auto with_chunks = std::make_shared<bool>(false);
  auto& command = add_store_command(
      store, run,
      {.name = "verify",
       .help = "Look for damage in every file; exit status 1 when there is any",
       .example = "verify /data/store.icechunk --json",
       .when_damaged = show_unreadable},
      [with_chunks](const icechunk::Repository& repository) -> core::Result<Printed> {
        TRY_ASSIGN(auto report, icechunk::verify(repository));
        if (*with_chunks) TRY(Chunks(report).inspect(repository));
        return show_report(report);
      });
  command.add_flag(
      "--chunks", *with_chunks,
      "Also decode every document and every chunk that lies in the repository, of each "
      "branch and tag");
}

}  // namespace icefield::cli
