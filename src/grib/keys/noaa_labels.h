#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grib/index/noaa_idx.h"
#include "grib/scan/scan.h"

namespace icefield::grib {

// The words of NOAA inventories (docs/formats/index_sidecars.md, names).

/// "TMP"; "var discipline=0 center=7 local_table=1 parmcat=16 parm=201" for a parameter that the
/// inventories have no name for.
std::string noaa_element(const Field& field);

/// "2 m above ground", "30-0 mb above ground", "surface".
std::string noaa_level(const Field& field);

/// "anl", "0-1 day acc fcst". Windows over several reference times and windows without a fixed
/// length have no label that parse_window reads; they are spelled as far as they are known.
std::string noaa_window(const Field& field);

/// "ENS=+1", "ens mean", "prob >0.254:prob fcst 1/1", "75% level"; parts joined by ':'; often
/// empty.
std::string noaa_extra(const Field& field);

/// The inventory of a file's edition 2 and edition 1 fields.
class NoaaInventory {
 public:
  explicit NoaaInventory(const Scan& scan);
  NoaaInventory(NoaaInventory&&) = default;  // entries keep pointing at the labels
  NoaaInventory(const NoaaInventory&) = delete;

  /// One entry per field, in file order; entry i belongs to scan.fields[i]. Texts point into this.
  const std::vector<NoaaIdxEntry>& entries() const { return entries_; }

 private:
  struct Labels {
    std::string init;
    std::string element;
    std::string level;
    std::string window;
    std::string extra;
  };
  std::vector<Labels> labels_;
  std::vector<NoaaIdxEntry> entries_;
};

}  // namespace icefield::grib
