#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/bytes.h"
#include "core/result.h"

namespace icefield::icechunk {

enum class FileType : std::uint8_t {
  kSnapshot = 1,
  kManifest = 2,
  kTransactionLog = 4,
  kRepo = 6,
};
enum class SpecVersion : std::uint8_t { kV1 = 1, kV2 = 2 };  // 2.1 says 2, too

inline constexpr std::size_t kHeaderSize = 39;  // bytes before the zstd frame

/// `snapshot`, `manifest`, `transaction-log`, `repo-info`: also the official object metadata.
std::string_view file_type_name(FileType type);

/// The name of this software in file headers: `icefield-` and its version.
std::string_view writer_name();

/// A metadata file without its envelope (docs/formats/icechunk.md, Envelope).
struct Payload {
  SpecVersion version = SpecVersion::kV2;
  std::string writer = {};  // name of the software that wrote the file, without padding
  core::Bytes bytes = {};   // the flatbuffer
};

/// Splits and decompresses a file of the expected type. Memory stays below the smaller of what
/// the frame declares and kMaxPayload, and grows with what really decompresses where nothing
/// is declared.
/// Errors: kCorrupt for a wrong magic, type, version, compression, a damaged frame, a size other
/// than declared, bytes after the frame; kUnsupported for a payload over kMaxPayload.
core::Result<Payload> open_envelope(std::span<const std::byte> file, FileType expected);

/// Flatbuffers end below 2 GiB.
inline constexpr std::uint64_t kMaxPayload = (std::uint64_t{1} << 31U) - 1;

/// The kind of a file by its header alone, or kCorrupt.
core::Result<FileType> sniff_file_type(std::span<const std::byte> file);

/// How zstd compresses: a level, as zstd counts, and what is done otherwise (0: as the level says).
struct Compression {
  int level = 3;
  int strategy = 0;     // ZSTD_strategy
  int tables_log2 = 0;  // entries of the tables of places seen before
  int step = 0;         // of ZSTD_fast, from 2 on: pairs of places step + 1 bytes apart are tried
};

/// Header and one zstd frame with declared size: of several choices each is made, the smallest
/// kept. Errors: kInvalidArgument when the payload is over kMaxPayload, or zstd does not take a
/// choice. Precondition: there is one.
core::Result<core::Bytes> seal_envelope(FileType type, std::span<const std::byte> payload,
                                        std::span<const Compression> choices);
core::Result<core::Bytes> seal_envelope(FileType type, std::span<const std::byte> payload,
                                        int level);

}  // namespace icefield::icechunk
