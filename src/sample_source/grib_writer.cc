#include "sample_source/grib_writer.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <eccodes.h>

#include "core/text.h"

namespace icefield::sample_source {
namespace {

struct DeleteHandle {
  void operator()(codes_handle* handle) const { codes_handle_delete(handle); }
};
using Handle = std::unique_ptr<codes_handle, DeleteHandle>;

struct Setting {
  const char* key;
  long value;
};

core::Status fail_unless_zero(int code, const char* doing) {
  if (code == 0) return {};
  return core::Error(core::ErrorCode::kUnsupported,
                     core::text("ecCodes, ", doing, ": ", codes_get_error_message(code)));
}

core::Status set(codes_handle* handle, std::span<const Setting> settings) {
  for (const auto& setting : settings) {
    TRY(fail_unless_zero(codes_set_long(handle, setting.key, setting.value), setting.key));
  }
  return {};
}

/// Octets of sections 5, 6 and 7 of a constant field, and "7777".
constexpr std::ptrdiff_t kBehindSection4 = 21 + 6 + 5 + 4;

/// Sections 1 and 3 and the parts of section 4 that all messages of the provider share.
constexpr Setting kCommon[] = {
    {"centre", 7},  // NCEP
    {"subCentre", 0},
    {"tablesVersion", 2},
    {"localTablesVersion", 1},
    {"significanceOfReferenceTime", 1},
    {"productionStatusOfProcessedData", 0},
    {"typeOfProcessedData", 1},
    {"gridDefinitionTemplateNumber", 30},  // Lambert conformal
    {"shapeOfTheEarth", 6},
    {"scaleFactorOfRadiusOfSphericalEarth", 0},
    {"scaledValueOfRadiusOfSphericalEarth", 0},
    {"scaleFactorOfEarthMajorAxis", 0},
    {"scaledValueOfEarthMajorAxis", 0},
    {"scaleFactorOfEarthMinorAxis", 0},
    {"scaledValueOfEarthMinorAxis", 0},
    {"Nx", static_cast<long>(kHrrrGrid.columns)},
    {"Ny", static_cast<long>(kHrrrGrid.rows)},
    {"latitudeOfFirstGridPoint", 21138123},
    {"longitudeOfFirstGridPoint", 237280472},
    {"resolutionAndComponentFlags", 8},
    {"LaD", 38500000},
    {"LoV", 262500000},
    {"Dx", 3000000},
    {"Dy", 3000000},
    {"projectionCentreFlag", 0},
    {"scanningMode", 64},  // rows from south to north
    {"Latin1", 38500000},
    {"Latin2", 38500000},
    {"latitudeOfSouthernPole", 0},
    {"longitudeOfSouthernPole", 0},
};

core::Status set_time(codes_handle* handle, core::Timestamp at, bool end_of_interval) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  const long year = int{date.year()};
  const long month = unsigned{date.month()};
  const long of_month = unsigned{date.day()};
  const long hour = clock.hours().count();
  const long minute = clock.minutes().count();
  if (end_of_interval) {
    return set(handle, std::vector<Setting>{{"yearOfEndOfOverallTimeInterval", year},
                                            {"monthOfEndOfOverallTimeInterval", month},
                                            {"dayOfEndOfOverallTimeInterval", of_month},
                                            {"hourOfEndOfOverallTimeInterval", hour},
                                            {"minuteOfEndOfOverallTimeInterval", minute},
                                            {"secondOfEndOfOverallTimeInterval", 0}});
  }
  return set(handle, std::vector<Setting>{{"year", year},
                                          {"month", month},
                                          {"day", of_month},
                                          {"hour", hour},
                                          {"minute", minute},
                                          {"second", 0}});
}

core::Status set_interval(codes_handle* handle, const Product& product) {
  const auto& interval = *product.interval;
  TRY(set_time(handle, product.initialized + std::chrono::hours(interval.to_hour), true));
  return set(handle, std::vector<Setting>{
                         {"numberOfTimeRange", 1},
                         {"numberOfMissingInStatisticalProcess", 0},
                         {"typeOfStatisticalProcessing", static_cast<long>(interval.statistic)},
                         {"typeOfTimeIncrement", 2},
                         {"indicatorOfUnitForTimeRange", 1},
                         {"lengthOfTimeRange", interval.to_hour - interval.from_hour},
                         {"indicatorOfUnitForTimeIncrement", 255},
                         {"timeIncrement", 0}});
}

core::Status set_product(codes_handle* handle, const Product& product) {
  TRY(set_time(handle, product.initialized, false));
  const auto& [first, second] = product.level;
  TRY(set(handle,
          std::vector<Setting>{
              {"discipline", product.discipline},
              {"productDefinitionTemplateNumber", product.interval ? 8 : 0},
              {"parameterCategory", product.category},
              {"parameterNumber", product.number},
              {"typeOfGeneratingProcess", 2},
              {"backgroundProcess", 0},
              {"generatingProcessIdentifier", 83},
              {"hoursAfterDataCutoff", 0},
              {"minutesAfterDataCutoff", 0},
              {"indicatorOfUnitOfTimeRange", 1},
              {"forecastTime", product.interval ? product.interval->from_hour : product.lead_hour},
              {"typeOfFirstFixedSurface", first.type},
              {"scaleFactorOfFirstFixedSurface", first.scale_factor},
              {"scaledValueOfFirstFixedSurface", first.scaled_value},
              {"typeOfSecondFixedSurface", second.type},
              {"scaleFactorOfSecondFixedSurface", second.scale_factor},
              {"scaledValueOfSecondFixedSurface", second.scaled_value}}));
  if (product.interval) TRY(set_interval(handle, product));
  return {};
}

core::Result<core::Bytes> message_of(codes_handle* handle) {
  const void* data = nullptr;
  std::size_t size = 0;
  TRY(fail_unless_zero(codes_get_message(handle, &data, &size), "message"));
  const std::span whole(static_cast<const std::byte*>(data), size);
  core::Bytes message(whole.begin(), whole.end());
  // the reserved octets of section 0: ecCodes sets them to ones and lets nobody write them
  std::fill_n(message.begin() + 4, 2, std::byte{0});
  return message;
}

core::Status set_packing_type(codes_handle* handle, const std::string& wanted) {
  std::size_t length = wanted.size();
  TRY(fail_unless_zero(codes_set_string(handle, "packingType", wanted.c_str(), &length),
                       "packingType"));
  std::string made(64, '\0');
  length = made.size();
  TRY(fail_unless_zero(codes_get_string(handle, "packingType", made.data(), &length),
                       "packingType"));
  made.resize(made.find('\0'));
  if (made == wanted) return {};
  return core::Error(core::ErrorCode::kUnsupported,
                     core::text("ecCodes packed as ", made, " instead of ", wanted));
}

}  // namespace

struct GribWriter::State {
  Handle zeros;  // a whole message; each new one starts as its copy

  core::Result<Handle> start(const Product& product) const {
    Handle handle(codes_handle_clone(zeros.get()));
    if (!handle) return core::Error(core::ErrorCode::kUnsupported, "ecCodes cannot copy a message");
    TRY(set_product(handle.get(), product));
    return handle;
  }
};

GribWriter::GribWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
GribWriter::GribWriter(GribWriter&&) noexcept = default;
GribWriter& GribWriter::operator=(GribWriter&&) noexcept = default;
GribWriter::~GribWriter() = default;

core::Result<GribWriter> GribWriter::create() {
  auto state = std::make_unique<State>();
  state->zeros.reset(codes_grib_handle_new_from_samples(nullptr, "GRIB2"));
  codes_handle* handle = state->zeros.get();
  if (handle == nullptr) {
    return core::Error(core::ErrorCode::kNotFound,
                       "the samples of ecCodes are not installed (package libeccodes-data)");
  }
  TRY(set(handle, kCommon));
  const std::vector<double> values(kHrrrGrid.points(), 0.0);
  TRY(fail_unless_zero(codes_set_double_array(handle, "values", values.data(), values.size()),
                       "values"));
  return GribWriter(std::move(state));
}

core::Result<core::Bytes> GribWriter::write_zeros(const Product& product) const {
  TRY_ASSIGN(const auto handle, state_->start(product));
  TRY_ASSIGN(auto message, message_of(handle.get()));
  if (message.size() <= kBehindSection4) {
    return core::Error(core::ErrorCode::kUnsupported, "ecCodes wrote no whole message");
  }
  // octets 16-17 of section 5, the binary scale: ecCodes leaves that of its sample
  std::fill_n(message.end() - kBehindSection4 + 15, 2, std::byte{0});
  return message;
}

core::Result<core::Bytes> GribWriter::write_values(const Product& product,
                                                   std::span<const double> values,
                                                   const EccodesPacking& packing) const {
  TRY_ASSIGN(const auto handle, state_->start(product));
  bool holes = false;
  for (const double value : values) holes = holes || value == kNoValue;
  if (holes) {
    TRY(fail_unless_zero(codes_set_double(handle.get(), "missingValue", kNoValue), "missingValue"));
    TRY(set(handle.get(), std::vector<Setting>{{"bitmapPresent", 1}}));
  }
  TRY(set(handle.get(), std::vector<Setting>{{"decimalScaleFactor", packing.decimal_scale},
                                             {"bitsPerValue", packing.bits_per_value}}));
  TRY(fail_unless_zero(codes_set_double_array(handle.get(), "values", values.data(), values.size()),
                       "values"));
  // only after the values: ecCodes re-packs what it holds
  const bool complex = packing.method == EccodesPacking::Method::kComplex;
  TRY(set_packing_type(handle.get(), complex ? "grid_complex" : "grid_simple"));
  return message_of(handle.get());
}

core::Result<core::Bytes> GribWriter::write_sections(const Product& product,
                                                     std::span<const std::byte> section5,
                                                     std::span<const std::byte> section6,
                                                     std::span<const std::byte> section7) const {
  TRY_ASSIGN(const auto zeros, write_zeros(product));
  const auto start = std::span(zeros).first(zeros.size() - kBehindSection4);
  const auto end = core::as_bytes("7777");
  const std::size_t size =
      start.size() + section5.size() + section6.size() + section7.size() + end.size();
  core::Bytes message;
  message.reserve(size);
  message.insert(message.end(), start.begin(), start.begin() + 8);
  core::append_big_endian(message, std::uint64_t{size});
  message.insert(message.end(), start.begin() + 16, start.end());
  for (const auto part : {section5, section6, section7, end}) {
    message.insert(message.end(), part.begin(), part.end());
  }
  return message;
}

}  // namespace icefield::sample_source
