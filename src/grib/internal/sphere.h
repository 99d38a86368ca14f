#pragma once

#include <cmath>
#include <numbers>

#include "grib/scan/grid_definition.h"

namespace icefield::grib {

inline constexpr double kToRadians = std::numbers::pi / 180;

/// A place on the sphere. Degrees.
struct Place {
  double latitude = 0;
  double longitude = 0;
};

/// `longitude` in [-180, 180).
inline double signed_longitude(double longitude) {
  const double turned = std::fmod(longitude + 180, 360);
  return (turned < 0 ? turned + 360 : turned) - 180;
}

/// Turns places between a frame whose south pole was moved and the geographic frame.
class PoleRotation {
 public:
  explicit PoleRotation(const Rotation& rotation)
      : pole_longitude_(rotation.south_pole_longitude),
        sine_(std::sin((rotation.south_pole_latitude + 90) * kToRadians)),
        cosine_(std::cos((rotation.south_pole_latitude + 90) * kToRadians)) {}

  Place to_geographic(const Place& rotated) const {
    auto place = turn(rotated, sine_);
    place.longitude = signed_longitude(place.longitude + pole_longitude_);
    return place;
  }

  Place to_rotated(const Place& geographic) const {
    return turn({geographic.latitude, geographic.longitude - pole_longitude_}, -sine_);
  }

 private:
  Place turn(const Place& from, double sine) const {
    const double latitude = from.latitude * kToRadians;
    const double longitude = from.longitude * kToRadians;
    const double x = std::cos(latitude) * std::cos(longitude);
    const double y = std::cos(latitude) * std::sin(longitude);
    const double z = std::sin(latitude);
    const double turned_x = cosine_ * x - sine * z;
    const double turned_z = sine * x + cosine_ * z;
    return {std::asin(std::fmax(-1, std::fmin(1, turned_z))) / kToRadians,
            std::atan2(y, turned_x) / kToRadians};
  }

  double pole_longitude_;
  double sine_;
  double cosine_;
};

}  // namespace icefield::grib
