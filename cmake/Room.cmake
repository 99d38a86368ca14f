# room(NAME [USES other...] [LIBRARIES external...] [SCHEMAS file.fbs...])
# One static library from the folder's own files: *_test.cc become its tests, the rest its library.
# A subfolder with its own CMakeLists.txt is a room of its own and is left out.
# USES is the complete list of rooms that this one may include. LIBRARIES stay private to the room:
# no third-party type appears in a header. SCHEMAS are compiled by flatc into the build folder.
include(GoogleTest)
# -Wno-free-nonheap-object: GCC 12 reports moved-from vectors inside results falsely at -O2.
# -Wno-restrict: GCC 12 reports "literal" + std::string falsely (PR 105651). -Wnull-dereference
# follows the optimizer into the library's containers; with its assertions off, it reports falsely.
set(PROJECT_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wnon-virtual-dtor -Wold-style-cast $<$<NOT:$<CONFIG:Release>>:-Wnull-dereference> -Wimplicit-fallthrough -Wno-restrict
    -Wno-free-nonheap-object -Werror)

# Sanitized code is optimised differently, and GCC 12 then reports library internals falsely: warnings
# are errors in the dev and release presets.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  list(REMOVE_ITEM PROJECT_WARNINGS -Werror)
endif()

function(room_schemas name)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/schemas)
  set(outputs)
  foreach(schema IN LISTS ARGN)
    cmake_path(GET schema STEM stem)
    list(APPEND outputs ${made}/${stem}_generated.h)
  endforeach()
  add_custom_command(OUTPUT ${outputs}
    COMMAND flatbuffers::flatc --cpp -o ${made} ${ARGN}
    DEPENDS ${ARGN} VERBATIM)
  add_custom_target(${name}_schemas DEPENDS ${outputs})
  add_dependencies(${name} ${name}_schemas)
  target_include_directories(${name} SYSTEM PRIVATE ${made})
endfunction()

function(room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBRARIES;SCHEMAS;TEST_LIBRARIES" ${ARGN})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS *.h)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  file(GLOB_RECURSE inner_rooms CONFIGURE_DEPENDS */CMakeLists.txt)
  foreach(inner IN LISTS inner_rooms)
    cmake_path(GET inner PARENT_PATH folder)
    if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      list(FILTER headers EXCLUDE REGEX "^${folder}/")
      list(FILTER sources EXCLUDE REGEX "^${folder}/")
    endif()
  endforeach()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")  # an executable's own file

  if(sources)
    add_library(${name} STATIC ${sources})
    target_compile_options(${name} PRIVATE ${PROJECT_WARNINGS})
    target_link_libraries(${name} PRIVATE ${ROOM_LIBRARIES})
    set(scope PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_sources(${name} ${scope}
    FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${headers})
  target_link_libraries(${name} ${scope} ${ROOM_USES})
  set_property(GLOBAL APPEND PROPERTY ICEFIELD_ROOMS ${name})
  if(ROOM_SCHEMAS)
    room_schemas(${name} ${ROOM_SCHEMAS})
  endif()

  if(tests AND BUILD_TESTING)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${name} ${ROOM_LIBRARIES} ${ROOM_TEST_LIBRARIES}
      GTest::gmock GTest::gtest_main)
    target_compile_options(${name}_test PRIVATE ${PROJECT_WARNINGS})
    target_compile_definitions(${name}_test PRIVATE
      ICEFIELD_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    gtest_discover_tests(${name}_test PROPERTIES LABELS ${name} DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
