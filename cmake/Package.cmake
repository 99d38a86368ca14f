# cmake --install: headers, one static library, the executables, and the package that lets a user's
# own program say find_package(icefield) and link icefield::icefield.
# An instrumented build (ICEFIELD_FUZZ) is not installed.
if(ICEFIELD_FUZZ)
  return()
endif()
include(CMakePackageConfigHelpers)

# The rooms below the command line, as one archive. What a room links privately stays private, but
# a static library hands it on to the linker.
get_property(rooms GLOBAL PROPERTY ICEFIELD_ROOMS)
list(REMOVE_ITEM rooms cli sample_source)
list(FILTER rooms EXCLUDE REGEX "_testing$")
add_library(icefield_library STATIC)
set_target_properties(icefield_library PROPERTIES
  OUTPUT_NAME icefield EXPORT_NAME icefield
  LINKER_LANGUAGE CXX VERIFY_INTERFACE_HEADER_SETS OFF)
target_compile_features(icefield_library PUBLIC cxx_std_20)
set(public_headers)
set(libraries)
foreach(room IN LISTS rooms)
  get_target_property(type ${room} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    target_sources(icefield_library PRIVATE $<TARGET_OBJECTS:${room}>)
    get_target_property(linked ${room} LINK_LIBRARIES)
    list(APPEND libraries ${linked})
  endif()
  get_target_property(headers ${room} HEADER_SET)
  list(APPEND public_headers ${headers})
endforeach()
list(REMOVE_DUPLICATES libraries)
list(REMOVE_ITEM libraries ${rooms} linked-NOTFOUND)
# internal/ is private to its room, but public headers of the same room may include it.
list(FILTER public_headers EXCLUDE REGEX "/testing/")
target_link_libraries(icefield_library PRIVATE ${libraries})
target_sources(icefield_library PUBLIC
  FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${public_headers})
add_library(icefield::icefield ALIAS icefield_library)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/icefield)
install(TARGETS icefield_library EXPORT icefield
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/icefield)
install(EXPORT icefield NAMESPACE icefield:: FILE icefieldTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/icefieldConfig.cmake.in
  ${CMAKE_BINARY_DIR}/icefieldConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/icefieldConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/icefieldConfig.cmake ${CMAKE_BINARY_DIR}/icefieldConfigVersion.cmake
  ${CMAKE_SOURCE_DIR}/cmake/Libraries.cmake
  DESTINATION ${package_dir})
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

foreach(executable IN ITEMS icefield icefield-sample-source)
  if(TARGET ${executable})
    install(TARGETS ${executable} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
