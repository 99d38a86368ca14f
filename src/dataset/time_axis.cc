#include "dataset/time_axis.h"

#include "core/text.h"

namespace icefield::dataset {
namespace {

core::Error off_grid(const DatasetSpec& spec, core::Timestamp label, const std::string& why) {
  return {core::ErrorCode::kInvalidArgument,
          core::text(core::format_timestamp(label), " is not on the ", spec.append_dimension().name,
                     " grid of ", spec.id, ": ", why)};
}

}  // namespace

core::Timestamp label_at(const DatasetSpec& spec, std::uint64_t position) {
  return spec.append_start + static_cast<std::int64_t>(position) * spec.append_every;
}

core::Result<std::uint64_t> position_of(const DatasetSpec& spec, core::Timestamp label) {
  if (label < spec.append_start) {
    return off_grid(spec, label, "it starts at " + core::format_timestamp(spec.append_start));
  }
  const auto position = static_cast<std::uint64_t>((label - spec.append_start) / spec.append_every);
  if (label_at(spec, position) == label) return position;
  return off_grid(spec, label,
                  core::text("the nearest are ", core::format_timestamp(label_at(spec, position)),
                             " and ", core::format_timestamp(label_at(spec, position + 1))));
}

core::Result<std::uint64_t> append_size_until(const DatasetSpec& spec, core::Timestamp end) {
  TRY_ASSIGN(const auto position, position_of(spec, end));
  if (position == 0) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("nothing of ", spec.id, " lies before ",
                                  core::format_timestamp(end), ": it starts there"));
  }
  return position;
}

std::uint64_t positions_before(const DatasetSpec& spec, core::Timestamp end) {
  if (end <= spec.append_start) return 0;
  const auto whole = (end - spec.append_start) / spec.append_every;
  const bool partly = (end - spec.append_start) % spec.append_every != core::Seconds{0};
  return static_cast<std::uint64_t>(whole) + (partly ? 1 : 0);
}

core::Seconds expected_forecast_length(const DatasetSpec& spec, core::Timestamp init) {
  core::Seconds length{0};
  for (const ForecastLength& era : spec.forecast_lengths) {
    if (init >= era.from) length = era.length;
  }
  return length;
}

}  // namespace icefield::dataset
