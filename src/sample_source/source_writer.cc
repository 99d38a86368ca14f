#include "sample_source/source_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "core/file.h"
#include "core/text.h"

namespace icefield::sample_source {
namespace {

namespace fs = std::filesystem;

/// Beside `path`, hidden; a run that was ended leaves it, the next one writes it anew.
fs::path partial_path(const fs::path& path) {
  return path.parent_path() / core::text(".", path.filename().string(), ".partial");
}

/// Writes bytes one after the other into a file.
class Sink {
 public:
  static core::Result<Sink> create(const fs::path& path) {
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    if (failed) {
      return core::errno_error(failed.value(), core::text("create ", path.parent_path().string()));
    }
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return core::errno_error(errno, core::text("write ", path.string()));
    return Sink(path, file);
  }

  core::Status write(std::span<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
    return core::errno_error(errno, core::text("write ", path_.string()));
  }

  /// Everything is with the operating system when this succeeds.
  core::Status finish() {
    if (std::fclose(file_.release()) == 0) return {};
    return core::errno_error(errno, core::text("write ", path_.string()));
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };

  Sink(fs::path path, std::FILE* file) : path_(std::move(path)), file_(file) {}

  fs::path path_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// The whole data file and what its index would say of each message.
struct Inventory {
  std::vector<std::uint64_t> offsets;
  std::uint64_t size = 0;
};

core::Result<Inventory> write_messages(const FileOrder& order, const fs::path& path,
                                       MessageWriter& writer, core::Progress& progress) {
  TRY_ASSIGN(auto sink, Sink::create(path));
  Inventory inventory;
  for (const auto& record : order.records) {
    auto message = writer.write(record, order.initialized, order.seed);
    if (!message) {
      return std::move(message).error().within(
          core::text(order.path.filename().string(), ", ", record.element, " ", record.level));
    }
    TRY(sink.write(*message));
    inventory.offsets.push_back(inventory.size);
    inventory.size += message->size();
    progress.advance(1);
  }
  TRY(sink.finish());
  return inventory;
}

/// The index as wgrib2 writes it: `number:offset:d=YYYYMMDDHH:element:level:window:`.
std::string index_text(const FileOrder& order, const Inventory& inventory) {
  const std::string at = core::format_timestamp(order.initialized);
  const std::string stamp = at.substr(0, 4) + at.substr(5, 2) + at.substr(8, 2) + at.substr(11, 2);
  std::string text;
  for (std::size_t i = 0; i < order.records.size(); ++i) {
    const auto& record = order.records[i];
    std::uint64_t offset = inventory.offsets[i];
    if (order.fault == FaultKind::kStaleIndex) {
      // as if the messages before were shorter; a lone message must be wrong too
      const std::uint64_t early = 13 * i;
      offset = order.records.size() == 1 ? 16 : offset - std::min(offset, early);
    }
    text += core::text(i + 1, ":", offset, ":d=", stamp, ":", record.element, ":", record.level,
                       ":", window_text(record), ":\n");
  }
  return text;
}

/// Bytes of the data that are there when it is cut at two thirds, inside a message.
std::uint64_t truncated_size(const Inventory& inventory) {
  const std::uint64_t size = inventory.size / 3 * 2;
  const bool at_border = std::ranges::find(inventory.offsets, size) != inventory.offsets.end();
  return at_border ? size + 40 : size;
}

core::Result<bool> same_content(const fs::path& left, const fs::path& right) {
  constexpr std::size_t kPiece = 1U << 20U;
  const auto left_file = core::File::open(left);
  const auto right_file = core::File::open(right);
  if (!left_file || !right_file) return false;
  TRY_ASSIGN(const auto size, left_file->size());
  TRY_ASSIGN(const auto other_size, right_file->size());
  if (size != other_size) return false;
  core::Bytes left_piece(kPiece);
  core::Bytes right_piece(kPiece);
  for (std::uint64_t at = 0; at < size; at += kPiece) {
    const std::size_t count = std::min<std::uint64_t>(kPiece, size - at);
    TRY(left_file->read_exactly(at, std::span(left_piece).first(count)));
    TRY(right_file->read_exactly(at, std::span(right_piece).first(count)));
    if (!std::equal(left_piece.begin(), left_piece.begin() + static_cast<std::ptrdiff_t>(count),
                    right_piece.begin())) {
      return false;
    }
  }
  return true;
}

/// Puts `partial` in the place of `path`; true when that changed something.
core::Result<bool> publish(const fs::path& partial, const fs::path& path) {
  TRY_ASSIGN(const bool same, same_content(partial, path));
  std::error_code failed;
  if (same) {
    fs::remove(partial, failed);
  } else {
    fs::rename(partial, path, failed);
  }
  if (failed) return core::errno_error(failed.value(), core::text("write ", path.string()));
  return !same;
}

core::Result<bool> remove_if_there(const fs::path& path) {
  std::error_code failed;
  const bool removed = fs::remove(path, failed);
  if (failed) return core::errno_error(failed.value(), core::text("remove ", path.string()));
  return removed;
}

core::Result<bool> publish_index(const fs::path& path, std::string_view text) {
  const auto partial = partial_path(path);
  TRY_ASSIGN(auto sink, Sink::create(partial));
  TRY(sink.write(core::as_bytes(text)));
  TRY(sink.finish());
  return publish(partial, path);
}

/// The data file as the fault wants it, from the whole one in `partial`.
core::Status publish_data(const FileOrder& order, const Inventory& inventory,
                          const fs::path& partial, WrittenFile& written) {
  if (order.fault == FaultKind::kMissing) {
    TRY(remove_if_there(partial));
    TRY_ASSIGN(written.changed, remove_if_there(order.path));
    return {};
  }
  written.has_data = true;
  written.data_bytes = inventory.size;
  if (order.fault == FaultKind::kEmpty) written.data_bytes = 0;
  if (order.fault == FaultKind::kTruncated) written.data_bytes = truncated_size(inventory);
  std::error_code failed;
  fs::resize_file(partial, written.data_bytes, failed);
  if (failed) return core::errno_error(failed.value(), core::text("write ", partial.string()));
  TRY_ASSIGN(written.changed, publish(partial, order.path));
  return {};
}

}  // namespace

core::Result<WrittenFile> write_source_file(const FileOrder& order, MessageWriter& writer,
                                            core::Progress& progress) {
  const fs::path index = order.path.string() + ".idx";
  WrittenFile written;
  if (order.fault == FaultKind::kLate) {
    TRY_ASSIGN(const bool had_data, remove_if_there(order.path));
    TRY_ASSIGN(const bool had_index, remove_if_there(index));
    written.changed = had_data || had_index;
    progress.advance(order.records.size());
    return written;
  }
  const auto partial = partial_path(order.path);
  TRY_ASSIGN(const auto inventory, write_messages(order, partial, writer, progress));
  TRY(publish_data(order, inventory, partial, written));
  bool index_changed = false;
  if (order.fault == FaultKind::kMissingIndex) {
    TRY_ASSIGN(index_changed, remove_if_there(index));
  } else {
    const std::string text =
        order.fault == FaultKind::kEmptyIndex ? "" : index_text(order, inventory);
    written.index_bytes = text.size();
    TRY_ASSIGN(index_changed, publish_index(index, text));
  }
  written.changed = written.changed || index_changed;
  return written;
}

}  // namespace icefield::sample_source
