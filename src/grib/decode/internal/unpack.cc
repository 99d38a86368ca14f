#include "grib/decode/internal/unpack.h"

#include <atomic>

#include "grib/decode/internal/unpack_simd.h"

namespace icefield::grib {
namespace {

std::atomic<bool> vectors_allowed = true;

template <typename T>
void unpack_scaled_any(const PackedIntegers& packed, const Scaling& scaling, std::span<T> out) {
  std::size_t done = has_avx2() ? avx2::unpack_scaled(packed, scaling, out) : 0;
  std::uint64_t position = packed.first_bit + std::uint64_t{done} * packed.width;
  for (; done < out.size(); ++done, position += packed.width) {
    const auto x = static_cast<double>(read_bits(packed.bytes, position, packed.width));
    out[done] = static_cast<T>(scaling.value(x));
  }
}

template <typename T>
void scale_any(std::span<const std::uint32_t> numbers, const Scaling& scaling, std::span<T> out) {
  std::size_t done = has_avx2() ? avx2::scale(numbers, scaling, out) : 0;
  for (; done < out.size(); ++done) {
    out[done] = static_cast<T>(scaling.value(static_cast<double>(numbers[done])));
  }
}

}  // namespace

bool has_avx2() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") != 0 &&
                          __builtin_cpu_supports("bmi") != 0 &&
                          __builtin_cpu_supports("popcnt") != 0;
  return has && vectors_allowed.load(std::memory_order_relaxed);
#else
  return false;
#endif
}

void allow_vectors(bool allowed) {
  vectors_allowed.store(allowed, std::memory_order_relaxed);
}

void unpack(const PackedIntegers& packed, std::span<std::uint32_t> out) {
  std::size_t done = has_avx2() ? avx2::unpack(packed, out) : 0;
  std::uint64_t position = packed.first_bit + std::uint64_t{done} * packed.width;
  for (; done < out.size(); ++done, position += packed.width) {
    out[done] = static_cast<std::uint32_t>(read_bits(packed.bytes, position, packed.width));
  }
}

void unpack_scaled(const PackedIntegers& packed, const Scaling& scaling, std::span<float> out) {
  unpack_scaled_any(packed, scaling, out);
}

void unpack_scaled(const PackedIntegers& packed, const Scaling& scaling, std::span<double> out) {
  unpack_scaled_any(packed, scaling, out);
}

void scale(std::span<const std::uint32_t> numbers, const Scaling& scaling, std::span<float> out) {
  scale_any(numbers, scaling, out);
}

void scale(std::span<const std::uint32_t> numbers, const Scaling& scaling, std::span<double> out) {
  scale_any(numbers, scaling, out);
}

}  // namespace icefield::grib
