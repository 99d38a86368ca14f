#include "icechunk/format/envelope.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zstd.h>

namespace icefield::icechunk {
namespace {

constexpr std::string_view kText = "payload payload payload";

core::Bytes sealed() {
  auto file = seal_envelope(FileType::kManifest, core::as_bytes(kText), 3);
  EXPECT_TRUE(file);
  return *std::move(file);
}

/// The header of sealed() before a frame made by `prepare` and the streaming interface.
core::Bytes with_frame(const std::function<void(ZSTD_CCtx*)>& prepare) {
  const std::unique_ptr<ZSTD_CCtx, void (*)(ZSTD_CCtx*)> context(
      ZSTD_createCCtx(), [](ZSTD_CCtx* c) { ZSTD_freeCCtx(c); });
  prepare(context.get());
  core::Bytes file = sealed();
  file.resize(kHeaderSize + 1000);
  ZSTD_inBuffer in{kText.data(), kText.size(), 0};
  ZSTD_outBuffer out{file.data() + kHeaderSize, 1000, 0};
  EXPECT_EQ(ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end), 0U);
  file.resize(kHeaderSize + out.pos);
  return file;
}

std::string payload_of(const core::Bytes& file) {
  const auto payload = open_envelope(file, FileType::kManifest);
  return payload ? std::string(core::as_text(payload->bytes)) : payload.error().message();
}

TEST(Envelope, writes_the_header_of_the_format) {
  const core::Bytes file = sealed();
  const core::Bytes magic(file.begin(), file.begin() + 12);
  EXPECT_EQ(core::as_text(magic),
            "ICE\xF0\x9F\xA7\x8A"
            "CHUNK");
  std::string writer = "icefield-" ICEFIELD_VERSION;
  writer.resize(24, ' ');
  EXPECT_EQ(core::as_text(std::span(file).subspan(12, 24)), writer);
  EXPECT_EQ(file[36], std::byte{2});
  EXPECT_EQ(file[37], std::byte{2});
  EXPECT_EQ(file[38], std::byte{1});
  EXPECT_EQ(ZSTD_getFrameContentSize(file.data() + kHeaderSize, file.size() - kHeaderSize),
            kText.size());
}

TEST(Envelope, gives_back_what_was_sealed) {
  const auto payload = open_envelope(sealed(), FileType::kManifest);
  ASSERT_TRUE(payload) << payload.error().message();
  EXPECT_EQ(core::as_text(payload->bytes), kText);
  EXPECT_EQ(payload->writer, writer_name());
  EXPECT_EQ(payload->version, SpecVersion::kV2);
}

TEST(Envelope, keeps_the_smallest_of_several_choices) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919 % 10'007);
  const auto size = [&text](std::vector<Compression> choices) {
    const auto file = seal_envelope(FileType::kManifest, core::as_bytes(text), choices);
    EXPECT_EQ(payload_of(*file), text);
    return file->size();
  };
  const Compression hasty{.level = 1, .tables_log2 = 6, .step = 40};
  const Compression thorough{.level = 13, .strategy = 7, .tables_log2 = 16};
  ASSERT_LT(size({thorough}), size({hasty}));
  EXPECT_EQ(size({hasty, thorough}), size({thorough}));
  EXPECT_EQ(size({thorough, hasty}), size({thorough}));
}

TEST(Envelope, reads_frames_that_tell_no_size_or_have_a_checksum) {
  EXPECT_EQ(payload_of(with_frame(
                [](ZSTD_CCtx* c) { ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, 0); })),
            kText);
  EXPECT_EQ(payload_of(with_frame(
                [](ZSTD_CCtx* c) { ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1); })),
            kText);
}

TEST(Envelope, grows_with_a_long_payload_of_untold_size) {
  const std::string payload(3'000'000, 'x');
  core::Bytes file = sealed();
  file.resize(kHeaderSize + ZSTD_compressBound(payload.size()));
  const std::unique_ptr<ZSTD_CCtx, void (*)(ZSTD_CCtx*)> context(
      ZSTD_createCCtx(), [](ZSTD_CCtx* c) { ZSTD_freeCCtx(c); });
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
  const std::size_t made =
      ZSTD_compress2(context.get(), file.data() + kHeaderSize, file.size() - kHeaderSize,
                     payload.data(), payload.size());
  file.resize(kHeaderSize + made);
  EXPECT_EQ(payload_of(file), payload);
}

struct BadCase {
  std::string name;
  std::function<void(core::Bytes&)> damage;
  core::ErrorCode code = core::ErrorCode::kCorrupt;
};

class BadEnvelope : public testing::TestWithParam<BadCase> {};
TEST_P(BadEnvelope, is_refused) {
  core::Bytes file = sealed();
  GetParam().damage(file);
  const auto payload = open_envelope(file, FileType::kManifest);
  ASSERT_FALSE(payload);
  EXPECT_EQ(payload.error().code(), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
    , BadEnvelope,
    testing::Values(BadCase{"empty", [](auto& file) { file.clear(); }},
                    BadCase{"header_only", [](auto& file) { file.resize(kHeaderSize); }},
                    BadCase{"short_header", [](auto& file) { file.resize(kHeaderSize - 1); }},
                    BadCase{"magic", [](auto& file) { file[5] = std::byte{0}; }},
                    BadCase{"version", [](auto& file) { file[36] = std::byte{3}; },
                            core::ErrorCode::kUnsupported},
                    BadCase{"other_type", [](auto& file) { file[37] = std::byte{1}; }},
                    BadCase{"unused_type", [](auto& file) { file[37] = std::byte{3}; }},
                    BadCase{"no_compression", [](auto& file) { file[38] = std::byte{0}; }},
                    BadCase{"cut_frame", [](auto& file) { file.pop_back(); }},
                    BadCase{"bytes_after", [](auto& file) { file.push_back(std::byte{0}); }},
                    BadCase{"second_frame",
                            [](auto& file) {
                              const core::Bytes frame(file.begin() + kHeaderSize, file.end());
                              file.insert(file.end(), frame.begin(), frame.end());
                            }},
                    BadCase{
                        "declares_too_much",
                        [](auto& file) {  // single segment, 8 byte size of 2^40 - 1, one raw block
                          file.resize(kHeaderSize);
                          for (const int b : {0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0xFF, 0xFF, 0xFF, 0xFF,
                                              0xFF, 0, 0, 0, 0x09, 0, 0, 0x78})
                            file.push_back(static_cast<std::byte>(b));
                        },
                        core::ErrorCode::kUnsupported},
                    BadCase{"declares_more_than_its_blocks_hold",
                            [](auto& file) {  // the same with a size of 2^30
                              file.resize(kHeaderSize);
                              for (const int b : {0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0x40, 0, 0,
                                                  0, 0, 0x09, 0, 0, 0x78})
                                file.push_back(static_cast<std::byte>(b));
                            }}),
    [](const auto& tested) { return tested.param.name; });

TEST(Envelope, tells_the_kind_of_a_file) {
  const auto type = sniff_file_type(sealed());
  ASSERT_TRUE(type);
  EXPECT_EQ(file_type_name(*type), "manifest");
}

}  // namespace
}  // namespace icefield::icechunk
