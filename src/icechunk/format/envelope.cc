#include "icechunk/format/envelope.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <zstd.h>

#include "core/text.h"

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

// A block of at least 4 bytes gives at most 128 KiB: a frame cannot hold more than that.
constexpr std::uint64_t kMostPerFrameByte = std::uint64_t{128} * 1024 / 4;
constexpr std::size_t kGrowthStep = std::size_t{1} << 18U;

core::Error corrupt(std::string message) {
  return core::Error(core::ErrorCode::kCorrupt, std::move(message));
}

struct DecompressorDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using Decompressor = std::unique_ptr<ZSTD_DCtx, DecompressorDeleter>;

core::Result<core::Bytes> decompress_declared(std::span<const std::byte> frame,
                                              std::uint64_t size) {
  if (size > kMaxPayload) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("a payload of ", size, " bytes is over the format's 2 GiB"));
  }
  if (size > (frame.size() + 1) * kMostPerFrameByte) {
    return corrupt(core::text("the frame declares ", size, " bytes, more than it can hold"));
  }
  core::Bytes payload(size);
  const std::size_t made =
      ZSTD_decompress(payload.data(), payload.size(), frame.data(), frame.size());
  if (ZSTD_isError(made) != 0) return corrupt(core::text("zstd: ", ZSTD_getErrorName(made)));
  if (made != size) return corrupt("the frame decodes to another size than it declares");
  return payload;
}

/// Frames of writers before 2.3, which tell no size: the buffer grows with what comes.
core::Result<core::Bytes> decompress_undeclared(std::span<const std::byte> frame) {
  const Decompressor context(ZSTD_createDCtx());
  core::Bytes payload;
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  for (std::size_t made = 0;;) {
    if (payload.size() - made < kGrowthStep / 2) {
      payload.resize(payload.size() + std::max(kGrowthStep, payload.size() / 2));
    }
    ZSTD_outBuffer out{payload.data(), payload.size(), made};
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0) return corrupt(core::text("zstd: ", ZSTD_getErrorName(left)));
    if (out.pos > kMaxPayload) {
      return core::Error(core::ErrorCode::kUnsupported, "a payload over the format's 2 GiB");
    }
    if (left == 0) {
      payload.resize(out.pos);
      payload.shrink_to_fit();
      return payload;
    }
    if (out.pos == made && in.pos == in.size) return corrupt("the zstd frame is cut off");
    made = out.pos;
  }
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
  const std::size_t frame_size = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
  if (ZSTD_isError(frame_size) != 0) {
    return corrupt(core::text("zstd: ", ZSTD_getErrorName(frame_size)));
  }
  if (frame_size != frame.size()) return corrupt("bytes after the zstd frame");

  Payload payload{.version = static_cast<SpecVersion>(file[kVersionAt])};
  const std::string_view writer = core::as_text(file.subspan(kWriterAt, kWriterSize));
  payload.writer = writer.substr(0, writer.find_last_not_of(' ') + 1);
  const unsigned long long declared = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (declared == ZSTD_CONTENTSIZE_ERROR) return corrupt("no zstd frame after the header");
  if (declared == ZSTD_CONTENTSIZE_UNKNOWN) {
    TRY_ASSIGN(payload.bytes, decompress_undeclared(frame));
  } else {
    TRY_ASSIGN(payload.bytes, decompress_declared(frame, declared));
  }
  return payload;
}

core::Result<core::Bytes> seal_envelope(FileType type, std::span<const std::byte> payload,
                                        int level) {
  if (payload.size() > kMaxPayload) {
    return core::Error(
        core::ErrorCode::kInvalidArgument,
        core::text("a ", file_type_name(type), " of ", payload.size(), " bytes is over 2 GiB"));
  }
  // Not filled before: of the room for the worst case, most is never touched.
  const std::size_t room = ZSTD_compressBound(payload.size());
  const auto frame = std::make_unique_for_overwrite<std::byte[]>(room);
  const std::size_t made = ZSTD_compress(frame.get(), room, payload.data(), payload.size(), level);
  if (ZSTD_isError(made) != 0) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("zstd: ", ZSTD_getErrorName(made)));
  }
  core::Bytes file;
  file.reserve(kHeaderSize + made);
  file.resize(kHeaderSize, std::byte{' '});
  std::ranges::copy(std::as_bytes(std::span(kMagic)), file.begin());
  std::ranges::copy(core::as_bytes(writer_name()), file.begin() + kWriterAt);
  file[kVersionAt] = static_cast<std::byte>(SpecVersion::kV2);
  file[kTypeAt] = static_cast<std::byte>(type);
  file[kCompressionAt] = kZstd;
  file.insert(file.end(), frame.get(), frame.get() + made);  // one frame that declares its size
  return file;
}

}  // namespace icefield::icechunk
