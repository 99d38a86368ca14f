#include "sample_source/options.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/text.h"
#include "core/time.h"
#include "datasets/all_datasets.h"

namespace icefield::sample_source {
namespace {

constexpr const char* kFooter =
    R"(Faults (FILE: the end of a data file's key, or a pattern with * ? [ ]):
  late           neither data nor index is there; --deliver-late, or the same command without the
                 fault, adds them
  missing        the index is there, the data is not
  missing-index  the data is there, the index is not
  truncated      the data ends inside a message
  stale-index    the offsets in the index are those of another version of the data
  empty          the data has no bytes
  empty-index    the index has no bytes
All other files are whole, and running again is harmless: what is the same already is left alone.

Examples:
  icefield sample-source noaa-hrrr-forecast-48-hour-virtual --out sample
  icefield sample-source noaa-hrrr-forecast-48-hour-virtual --out sample --inits 1 --leads 2 \
      --variables all
  icefield sample-source noaa-hrrr-forecast-48-hour-virtual --out sample \
      --fault late=wrfsfcf02.grib2 --fault truncated='*t06z*natf01*'
  icefield sample-source noaa-hrrr-forecast-48-hour-virtual --out sample \
      --fault late=wrfsfcf02.grib2 --deliver-late)";

/// The command line as it was typed.
struct Arguments {
  std::string dataset_id;
  std::string out;
  std::string start = "2025-08-01T00:00:00";
  std::size_t inits = 2;
  std::size_t leads = 3;
  std::vector<std::string> file_types;
  std::vector<std::string> variables;
  std::string levels;
  std::uint64_t seed = 1;
  std::vector<std::string> faults;
  bool deliver_late = false;
  bool json = false;
};

void declare(CLI::App& app, Arguments& arguments) {
  app.add_option("DATASET", arguments.dataset_id, "id of the dataset whose source is invented")
      ->required();
  app.add_option("--out", arguments.out, "folder of the tree DIR/<bucket>/<key>; made if absent")
      ->required()
      ->type_name("DIR");
  app.add_option("--start", arguments.start, "first initialization")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--inits", arguments.inits, "consecutive initializations")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--leads", arguments.leads, "first lead times of each")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--file-types", arguments.file_types, "of the source: sfc,prs,nat; default all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("TYPE");
  app.add_option("--variables", arguments.variables,
                 "names or paths, or all; default a few of each file type. The first variable of a "
                 "file, which stands for it, is always there")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  app.add_option("--levels", arguments.levels,
                 "levels of each vertical coordinate, always the first; default 3, or all when "
                 "variables are named")
      ->type_name("N|all");
  app.add_option("--seed", arguments.seed, "another seed, other fields")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--fault", arguments.faults, "make a file bad, see below; repeatable")
      ->allow_extra_args(false)
      ->type_name("KIND=FILE");
  app.add_flag("--deliver-late", arguments.deliver_late,
               "write the files of late faults after all");
  app.add_flag("--json", arguments.json, "the report as one line of JSON");
  app.footer(kFooter);
}

core::Error wrong(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  return {core::ErrorCode::kInvalidArgument, std::move(message)};
}

core::Result<std::size_t> parse_levels(const std::string& text) {
  if (text.empty()) return std::size_t{0};
  if (text == "all") return std::numeric_limits<std::size_t>::max();
  std::size_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, count);
  if (failed != std::errc() || stopped != end || count == 0) {
    return wrong(core::text("--levels: expected a number from 1 or all, not ", text));
  }
  return count;
}

core::Result<SampleRequest> request_of(const Arguments& arguments) {
  SampleRequest request;
  auto spec = datasets::find_dataset(arguments.dataset_id);
  if (!spec) return wrong(spec.error().message());
  request.spec = *spec;
  request.out = arguments.out;
  auto start = core::parse_timestamp(arguments.start);
  if (!start) return std::move(start).error().within("--start");
  request.start = *start;
  request.inits = arguments.inits;
  request.leads = arguments.leads;
  request.file_types = arguments.file_types;
  request.variables = arguments.variables;
  TRY_ASSIGN(request.levels, parse_levels(arguments.levels));
  request.seed = arguments.seed;
  for (const auto& text : arguments.faults) {
    TRY_ASSIGN(auto fault, parse_fault(text));
    request.faults.push_back(std::move(fault));
  }
  if (arguments.deliver_late) request.late_files = SampleRequest::LateFiles::kDeliver;
  return request;
}

}  // namespace

core::Result<std::variant<Options, HelpText>> parse_options(int argc, const char* const* argv) {
  CLI::App app(
      "Invents what a provider publishes: GRIB2 files and their indexes, on the true grid.",
      "icefield sample-source");
  Arguments arguments;
  declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return std::variant<Options, HelpText>(HelpText{app.help()});
  } catch (const CLI::ParseError& error) {
    return wrong(core::text(error.what(), "; see icefield sample-source --help"));
  }
  TRY_ASSIGN(auto request, request_of(arguments));
  return std::variant<Options, HelpText>(
      Options{.request = std::move(request), .json = arguments.json});
}

}  // namespace icefield::sample_source
