#include "region_job/reference.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/text.h"
#include "grib/index/match.h"
#include "grib/index/noaa_idx.h"

namespace icefield::region_job {
namespace {

using core::Error;
using core::ErrorCode;

/// Refuses labels that several messages carry, unless the dataset lets the first of them win.
core::Status check_duplicates(const dataset::DatasetSpec& spec, const grib::IndexMatches& matches,
                              std::span<const grib::NoaaIdxEntry> entries) {
  const auto& may_repeat = spec.virtual_source->repeating_elements;
  for (const auto& duplicate : matches.duplicates) {
    const auto element = entries[duplicate.entries.front()].element;
    if (std::ranges::find(may_repeat, element) != may_repeat.end()) continue;
    return grib::ambiguous(duplicate, entries);
  }
  return {};
}

/// Which field of a message the decoder gives: it reads the first one of the bytes it is handed.
constexpr std::uint32_t kDecodableField = 0;

FileReferences collect(const grib::IndexMatches& matches,
                       std::span<const grib::NoaaIdxEntry> entries,
                       std::span<const dataset::Match> meanings) {
  FileReferences made;
  made.references.reserve(matches.hits.size());
  for (const auto& hit : matches.hits) {
    const auto& entry = entries[hit.entry];
    const auto& match = meanings[hit.payload];
    if (entry.field != kDecodableField) {
      made.refused.push_back(
          {.variable = match.variable,
           .reason = core::text("line ", entry.line, ": ", entry.element, " is field ",
                                entry.field + 1, " of the message at byte ", entry.range.offset,
                                ", and the serializer reads the first field only")});
      continue;
    }
    made.references.push_back({.match = match, .range = entry.range});
  }
  made.unmapped = matches.unmatched.size();
  return made;
}

core::Result<FileReferences> references_of(const dataset::DatasetSpec& spec,
                                           std::span<const grib::NoaaIdxEntry> entries,
                                           const IndexTables::Table& table) {
  const auto matches = table.compiled.match(entries);
  TRY(check_duplicates(spec, matches, entries));
  auto made = collect(matches, entries, table.matches);
  if (made.references.empty()) {
    return Error(ErrorCode::kCorrupt, "the index names none of the dataset's variables");
  }
  return made;
}

/// Different for every file, the same for the same file in every run.
std::uint64_t seed_of(std::string_view key) {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

core::Status verify_index(std::span<const grib::NoaaIdxEntry> entries,
                          const source::AvailableFile& available, grib::VerifyOptions options) {
  std::vector<grib::MessageClaim> claims;
  claims.reserve(entries.size());
  for (const auto& entry : entries) {
    claims.push_back({.message = entry.message, .range = entry.range});
  }
  options.seed = seed_of(available.object.key.value());
  const auto fetch = [&available](std::span<const core::ByteRange> ranges) {
    return available.object.location->store->get_many(available.object.key, ranges);
  };
  TRY_ASSIGN(const auto verification,
             grib::verify_claims(claims, available.data.size, fetch, options));
  if (!verification.ok()) {
    return Error(ErrorCode::kCorrupt,
                 "stale or mismatched index, or truncated data: " + grib::describe(verification));
  }
  return {};
}

}  // namespace

core::Result<FileReferences> file_refs(const dataset::DatasetSpec& spec,
                                       const dataset::SourceFile& file,
                                       const source::AvailableFile& available,
                                       const source::Catalog& catalog,
                                       const IndexTables::Table& table,
                                       const grib::VerifyOptions& verify) {
  TRY_ASSIGN(const auto index, catalog.find(spec.virtual_source->get_index_url(spec, file)));
  TRY_ASSIGN(const auto object, index.location->store->get(index.key));
  TRY_ASSIGN(const auto entries,
             grib::parse_noaa_idx(core::as_text(object.bytes), available.data.size));
  TRY(verify_index(entries, available, verify));
  return references_of(spec, entries, table);
}

}  // namespace icefield::region_job
