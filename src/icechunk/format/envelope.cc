#include "icechunk/format/envelope.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/text.h"
#include "icechunk/format/internal/frame.h"

namespace icefield::icechunk {
namespace {

// docs/formats/icechunk.md, Envelope
constexpr std::array<std::uint8_t, 12> kMagic{0x49, 0x43, 0x45, 0xF0, 0x9F, 0xA7,
                                              0x8A, 0x43, 0x48, 0x55, 0x4E, 0x4B};
constexpr std::size_t kWriterAt = 12;
constexpr std::size_t kWriterSize = 24;
constexpr std::size_t kVersionAt = 36;
constexpr std::size_t kTypeAt = 37;
constexpr std::size_t kCompressionAt = 38;
constexpr std::byte kZstd{1};

core::Error corrupt(std::string message) {
  return core::Error(core::ErrorCode::kCorrupt, std::move(message));
}

core::Status check_header(std::span<const std::byte> file) {
  if (file.size() < kHeaderSize) {
    return corrupt(core::text("a file of ", file.size(), " bytes is shorter than its header"));
  }
  const auto magic = std::as_bytes(std::span(kMagic));
  if (!std::ranges::equal(file.first(kMagic.size()), magic)) {
    return corrupt("not an Icechunk file: its first bytes are not the magic");
  }
  const auto version = std::to_integer<unsigned>(file[kVersionAt]);
  if (version != 1 && version != 2) {
    return core::Error(core::ErrorCode::kUnsupported, core::text("spec version ", version));
  }
  if (file[kCompressionAt] != kZstd) {
    return corrupt(core::text("compression ", std::to_integer<unsigned>(file[kCompressionAt]),
                              " instead of zstd"));
  }
  return {};
}

}  // namespace

std::string_view file_type_name(FileType type) {
  switch (type) {
    case FileType::kSnapshot:
      return "snapshot";
    case FileType::kManifest:
      return "manifest";
    case FileType::kTransactionLog:
      return "transaction-log";
    case FileType::kRepo:
      return "repo-info";
  }
  return "unknown";
}

std::string_view writer_name() {
  constexpr std::string_view kName = "icefield-" ICEFIELD_VERSION;
  static_assert(kName.size() <= kWriterSize);
  return kName;
}

core::Result<FileType> sniff_file_type(std::span<const std::byte> file) {
  TRY(check_header(file));
  const auto type = static_cast<FileType>(file[kTypeAt]);
  switch (type) {
    case FileType::kSnapshot:
    case FileType::kManifest:
    case FileType::kTransactionLog:
    case FileType::kRepo:
      return type;
  }
  return corrupt(core::text("file type ", std::to_integer<unsigned>(file[kTypeAt])));
}

core::Result<Payload> open_envelope(std::span<const std::byte> file, FileType expected) {
  TRY_ASSIGN(const FileType type, sniff_file_type(file));
  if (type != expected) {
    return corrupt(core::text("a ", file_type_name(type), " where a ", file_type_name(expected),
                              " was expected"));
  }
  const auto frame = file.subspan(kHeaderSize);
  Payload payload{.version = static_cast<SpecVersion>(file[kVersionAt])};
  const std::string_view writer = core::as_text(file.subspan(kWriterAt, kWriterSize));
  payload.writer = writer.substr(0, writer.find_last_not_of(' ') + 1);
  TRY_ASSIGN(payload.bytes, internal::decompress(frame));
  return payload;
}

core::Result<core::Bytes> seal_envelope(FileType type, std::span<const std::byte> payload,
                                        std::span<const Compression> choices) {
  if (payload.size() > kMaxPayload) {
    return core::Error(
        core::ErrorCode::kInvalidArgument,
        core::text("a ", file_type_name(type), " of ", payload.size(), " bytes is over 2 GiB"));
  }
  core::Bytes file(kHeaderSize, std::byte{' '});
  std::ranges::copy(std::as_bytes(std::span(kMagic)), file.begin());
  std::ranges::copy(core::as_bytes(writer_name()), file.begin() + kWriterAt);
  file[kVersionAt] = static_cast<std::byte>(SpecVersion::kV2);
  file[kTypeAt] = static_cast<std::byte>(type);
  file[kCompressionAt] = kZstd;
  TRY(internal::append_frame(file, payload, choices));
  return file;
}

core::Result<core::Bytes> seal_envelope(FileType type, std::span<const std::byte> payload,
                                        int level) {
  const Compression one{.level = level};
  return seal_envelope(type, payload, {&one, 1});
}

}  // namespace icefield::icechunk
