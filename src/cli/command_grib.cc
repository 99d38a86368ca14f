// icefield grib scan|index|decode|dump FILE
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "cli/grib_json.h"
#include "cli/npy.h"
#include "core/file.h"
#include "core/json.h"
#include "core/parallel.h"
#include "core/text.h"
#include "grib/field.h"
#include "grib/grid/points.h"
#include "grib/grid/scan_order.h"
#include "grib/index/ecmwf_index.h"
#include "grib/index/noaa_idx.h"
#include "grib/index/rescan.h"
#include "grib/keys/noaa_labels.h"
#include "grib/scan/scan.h"

namespace icefield::cli {
namespace {

struct GribOptions {
  std::string file;
  std::string out;
  std::string dtype = "float32";
  bool json = false;
  bool north_up = false;
  bool coordinates = false;
  bool ecmwf = false;
};

/// A mapped file and what is in it.
struct ScannedFile {
  core::MappedFile file;
  grib::Scan scan;
};

core::Result<core::MappedFile> open_file(const std::string& path) {
  if (std::error_code none; std::filesystem::is_directory(path, none)) {
    return core::Error(core::ErrorCode::kInvalidArgument, core::text(path, ": is a folder"));
  }
  return core::MappedFile::open(path);
}

core::Result<ScannedFile> open_and_scan(const std::string& path) {
  TRY_ASSIGN(auto file, open_file(path));
  TRY_ASSIGN(auto scan, grib::scan(file));
  return ScannedFile{std::move(file), std::move(scan)};
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void complain(const std::string& file, const grib::Reported& reported) {
  const auto kind = reported.section == 8 ? std::string("message")
                                          : core::text("section ", int{reported.section});
  std::fputs(core::text(file, ": offset ", reported.offset, ": ", kind, ": ", reported.reason, "\n")
                 .c_str(),
             stderr);
}

int run_scan(const GribOptions& options) {
  const auto scanned = open_and_scan(options.file);
  if (!scanned) return fail(scanned.error());
  const auto& scan = scanned->scan;
  for (const auto& reported : scan.reported) complain(options.file, reported);
  if (!options.json) {
    print(grib::format_noaa_idx(grib::NoaaInventory(scan).entries()));
    return kDone;
  }
  std::string text = "{\"messages\":[";
  constexpr std::size_t kFlush = 1U << 20U;
  for (std::size_t i = 0; i < scan.fields.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += field_json(scan, i);
    if (text.size() < kFlush) continue;
    print(text);
    text.clear();
  }
  text += "],\n\"reported\":[";
  for (std::size_t i = 0; i < scan.reported.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += reported_json(scan.reported[i]);
  }
  print(text + "]}\n");
  return kDone;
}

int run_index(const GribOptions& options) {
  const auto file = open_file(options.file);
  if (!file) return fail(file.error());
  std::string text;
  std::vector<grib::Reported> reported;
  bool left_out = false;
  if (options.ecmwf) {
    auto found = grib::rescan_ecmwf(*file);
    if (!found) return fail(found.error());
    text = grib::format_ecmwf_index(found->rows);
    reported = std::move(found->reported);
    left_out = found->left_out > 0;
  } else {
    auto found = grib::rescan_noaa(*file);
    if (!found) return fail(found.error());
    text = grib::format_noaa_idx(found->entries);
    reported = std::move(found->reported);
    left_out = found->left_out > 0;
  }
  for (const auto& one : reported) complain(options.file, one);
  if (options.out.empty() || options.out == "-") {
    print(text);
  } else {
    const auto status = core::write_file(options.out, core::as_bytes(text));
    if (!status) return fail(status.error());
  }
  return left_out ? kDoneSkipped : kDone;
}

std::vector<std::size_t> shape_of(const grib::GridDefinition& grid) {
  if (grid.rectangular()) return {grid.nj, grid.ni};
  return {grid.n_points};
}

/// DIR/00007.npy, DIR/00007.latitude.npy
std::filesystem::path output_path(const GribOptions& options, std::size_t index,
                                  const std::string& ending) {
  constexpr std::size_t kDigits = 5;
  auto name = std::to_string(index);
  name.insert(0, kDigits - std::min(kDigits, name.size()), '0');
  return std::filesystem::path(options.out) / (name + ending);
}

core::Status write_coordinates(const grib::GridDefinition& grid, std::size_t index,
                               const GribOptions& options) {
  std::vector<double> latitudes(grid.n_points);
  std::vector<double> longitudes(grid.n_points);
  TRY(grib::grid_points(grid, latitudes, longitudes));
  const auto write = [&](std::vector<double>& places, const std::string& ending) -> core::Status {
    if (options.north_up) {
      std::vector<double> ordered(places.size());
      TRY(grib::to_north_up(grid, std::span<const double>(places), std::span(ordered)));
      places.swap(ordered);
    }
    return write_npy(output_path(options, index, ending), std::span<const double>(places),
                     shape_of(grid));
  };
  TRY(write(latitudes, ".latitude.npy"));
  return write(longitudes, ".longitude.npy");
}

template <typename Value>
core::Status decode_one(const ScannedFile& scanned, std::size_t index, const GribOptions& options) {
  const auto& field = scanned.scan.fields[index];
  const auto& grid = scanned.scan.grids[field.grid];
  TRY_ASSIGN(const auto points, grib::point_count(scanned.scan, field));
  std::vector<Value> values(points);
  TRY(grib::decode_field(scanned.file.bytes(), scanned.scan, field, std::span(values)));
  if (options.north_up) {
    std::vector<Value> ordered(points);
    TRY(grib::to_north_up(grid, std::span<const Value>(values), std::span(ordered)));
    values.swap(ordered);
  }
  TRY(write_npy(output_path(options, index, ".npy"), std::span<const Value>(values),
                shape_of(grid)));
  return options.coordinates ? write_coordinates(grid, index, options) : core::Status();
}

/// Writes errors.json when there are errors, and says what was done.
int finish_decode(const GribOptions& options, const ScannedFile& scanned, core::Json errors) {
  for (const auto& reported : scanned.scan.reported) complain(options.file, reported);
  const auto failed = errors.as_object().size();
  if (failed > 0) {
    const auto path = std::filesystem::path(options.out) / "errors.json";
    const auto text = errors.dump({.indent = 1}) + "\n";
    const auto status = core::write_file(path, core::as_bytes(text));
    if (!status) return fail(status.error());
    if (!options.json) {
      std::fputs(core::text(options.file, ": ", failed, " of ", scanned.scan.fields.size(),
                            " fields not decoded, reasons in ", path.string(), "\n")
                     .c_str(),
                 stderr);
    }
  }
  if (options.json) {
    const auto line = core::Json::object(
        {{"written", std::uint64_t{scanned.scan.fields.size() - failed}}, {"errors", errors}});
    print(line.dump() + "\n");
  }
  return kDone;
}

int run_decode(const GribOptions& options) {
  const auto scanned = open_and_scan(options.file);
  if (!scanned) return fail(scanned.error());
  std::error_code made;
  std::filesystem::create_directories(options.out, made);
  if (made) return fail(core::errno_error(made.value(), core::text("make folder ", options.out)));

  std::vector<std::size_t> indices(scanned->scan.fields.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const auto outcomes = core::parallel_map(
      std::span<const std::size_t>(indices), core::cores(), [&](std::size_t index) {
        return options.dtype == "float64" ? decode_one<double>(*scanned, index, options)
                                          : decode_one<float>(*scanned, index, options);
      });
  core::Json errors{core::Json::Object{}};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i]) continue;
    if (outcomes[i].error().code() == core::ErrorCode::kUnavailable) {
      return fail(outcomes[i].error());  // the output folder, not the field
    }
    errors.set(std::to_string(i), outcomes[i].error().message());
  }
  return finish_decode(options, *scanned, std::move(errors));
}

int run_dump(const GribOptions& options) {
  const auto scanned = open_and_scan(options.file);
  if (!scanned) return fail(scanned.error());
  for (std::size_t i = 0; i < scanned->scan.fields.size(); ++i) {
    const auto json = core::Json::parse(field_json(scanned->scan, i));
    if (!json) return fail(json.error());
    for (const auto& [name, value] : json->as_object()) {
      print(core::text(name, " = ", value.is_string() ? value.as_string() : value.dump(), "\n"));
    }
    print("\n");
  }
  for (const auto& reported : scanned->scan.reported) complain(options.file, reported);
  return kDone;
}

using Work = int (*)(const GribOptions&);

CLI::App* add_command(CLI::App& group, Run& run, const std::shared_ptr<GribOptions>& options,
                      const char* name, const char* help, Work work) {
  auto* const command = group.add_subcommand(name, help);
  command->add_option("FILE", options->file, "GRIB file, editions 1 and 2")->required();
  command->callback([&run, options, work] { run = [options, work] { return work(*options); }; });
  return command;
}

void add_scan(CLI::App& group, Run& run, const std::shared_ptr<GribOptions>& options) {
  auto* const scan =
      add_command(group, run, options, "scan",
                  "List every field; what is not understood goes to standard error with its "
                  "offset and reason",
                  run_scan);
  scan->add_flag(
      "--json", options->json,
      "One JSON object: {\"messages\":[...],\"reported\":[...]}, keys as ecCodes has them");
  scan->footer(R"(
Examples:
  icefield grib scan hrrr.grib2                # one inventory line per field
  icefield grib scan hrrr.grib2 --json | jq '.messages[] | [.index, .element, .levelText]'
Exit status: 0, also when a part of the file is reported; 1 when it cannot be read.)");
}

void add_index(CLI::App& group, Run& run, const std::shared_ptr<GribOptions>& options) {
  auto* const index = add_command(
      group, run, options, "index",
      "Write the file's index (.idx), made from its headers; fields that an index cannot name go "
      "to standard error",
      run_index);
  index->add_flag("--ecmwf", options->ecmwf, "ECMWF's form (.index): one JSON object per field");
  index->add_option("--out", options->out, "Where to (default: standard output)");
  index->footer(R"(
Examples:
  icefield grib index hrrr.grib2 --out hrrr.grib2.idx
  icefield grib index --ecmwf aifs.grib2
Exit status: 0; 3 when a message or field is not in the index and was reported; 1 when the file
cannot be read or holds no message that is understood.)");
}

void add_decode(CLI::App& group, Run& run, const std::shared_ptr<GribOptions>& options) {
  auto* const decode =
      add_command(group, run, options, "decode",
                  "Write each field's values as DIR/00000.npy, ...; failures go to DIR/errors.json",
                  run_decode);
  decode->add_option("--out", options->out, "Folder for the values, made when it is not there")
      ->required();
  decode->add_option("--dtype", options->dtype, "float32 or float64")
      ->capture_default_str()
      ->check(CLI::IsMember({"float32", "float64"}));
  decode->add_flag("--north-up", options->north_up,
                   "Rows from north to south, points from west to east (default: as stored)");
  decode->add_flag("--coordinates", options->coordinates,
                   "Also DIR/00000.latitude.npy and .longitude.npy, degrees, in the same order");
  decode->add_flag("--json", options->json,
                   "Print one line: {\"written\":n,\"errors\":{\"3\":\"reason\"}}");
  decode->footer(R"(
Examples:
  icefield grib decode hrrr.grib2 --out values
  icefield grib decode hrrr.grib2 --out values --dtype float64 --north-up --coordinates
  python -c 'import numpy; print(numpy.load("values/00000.npy"))'
Missing points are NaN. Exit status: 0 when every field was written or is in errors.json; 1 else.)");
}

}  // namespace

void add_grib_commands(CLI::App& app, Run& run) {
  auto* const group = app.add_subcommand("grib", "Look into GRIB files");
  group->require_subcommand(1);
  const auto options = std::make_shared<GribOptions>();
  add_scan(*group, run, options);
  add_index(*group, run, options);
  add_decode(*group, run, options);
  auto* const dump = add_command(*group, run, options, "dump",
                                 "Print every key of every field, \"name = value\"", run_dump);
  dump->footer(R"(
Example:
  icefield grib dump hrrr.grib2 | grep -B2 -A30 'shortName = TMP')");
}

}  // namespace icefield::cli
