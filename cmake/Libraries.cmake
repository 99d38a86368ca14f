# Third-party libraries, all from Debian 12 packages. Each appears in .cc files only.
# Installed with the package: what a user's program must find to link the library comes first.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(CURL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(spdlog REQUIRED)
find_package(zstd REQUIRED)
find_package(PROJ REQUIRED)
find_package(FlatBuffers REQUIRED)
pkg_check_modules(openjp2 REQUIRED IMPORTED_TARGET libopenjp2)
pkg_check_modules(blosc REQUIRED IMPORTED_TARGET blosc)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
if(NOT PROJECT_NAME STREQUAL "icefield")
  return()
endif()

# What only the executables and the tests of this project need.
find_package(CLI11 REQUIRED)
if(BUILD_TESTING)
  find_package(GTest REQUIRED)

  # libaec has neither a CMake config nor a .pc file.
  find_path(AEC_INCLUDE_DIR libaec.h REQUIRED)
  find_library(AEC_LIBRARY aec REQUIRED)
  if(NOT TARGET AEC::aec)
    add_library(AEC::aec UNKNOWN IMPORTED)
    set_target_properties(AEC::aec PROPERTIES
      IMPORTED_LOCATION ${AEC_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${AEC_INCLUDE_DIR})
  endif()
endif()
