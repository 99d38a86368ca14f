#include "grib/keys/parameter.h"

#include <algorithm>
#include <tuple>

#include "grib/internal/parameter_tables.h"

namespace icefield::grib {
namespace {

constexpr std::uint8_t kFirstLocal = 192;

auto order_of(const tables::ParameterRow& row) {
  return std::tuple(row.centre, row.discipline, row.category, row.number);
}

auto order_of(const tables::OldParameterRow& row) {
  return std::tuple(row.centre, row.table_version, row.number);
}

template <typename Row, typename Key>
std::optional<ParameterName> look_up(std::span<const Row> rows, const Key& key) {
  const auto found =
      std::ranges::lower_bound(rows, key, {}, [](const Row& row) { return order_of(row); });
  if (found == rows.end() || order_of(*found) != key) return std::nullopt;
  return ParameterName{found->short_name, found->name, found->unit};
}

}  // namespace

std::optional<ParameterName> parameter_name(const Field& field) {
  const auto centre = field.identification.centre;
  const auto& product = field.product;
  if (field.edition == 1) {
    const auto own =
        look_up(tables::kOldParameters, std::tuple(centre, product.category, product.number));
    if (own) return own;
    return look_up(tables::kOldParameters,
                   std::tuple(std::uint16_t{0}, product.category, product.number));
  }
  const bool local = field.discipline >= kFirstLocal || product.category >= kFirstLocal ||
                     product.number >= kFirstLocal;
  return look_up(tables::kParameters,
                 std::tuple(local ? centre : std::uint16_t{0}, field.discipline, product.category,
                            product.number));
}

std::string_view surface_name(std::uint8_t type) {
  const auto found =
      std::ranges::lower_bound(tables::kSurfaces, type, {}, &tables::SurfaceRow::type);
  if (found == tables::kSurfaces.end() || found->type != type) return {};
  return found->name;
}

}  // namespace icefield::grib
