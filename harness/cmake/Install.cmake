# What `cmake --install' puts where. Nothing that is installed knows where that is: the tree can be moved.
#
#   bin/weft                      without scenarios: weft check and the like
#   include/weft/                 what users include
#   LIBDIR/weft/*.o               the parts: what programs are linked with
#   LIBDIR/cmake/weft, pkgconfig  for find_package and pkg-config
#   share/weft/                   sources that a project compiles itself, with its own flags: models/, gtest/
include(CMakePackageConfigHelpers)

set(parts engine cli check_main stress fuzz fuzz_libFuzzer fuzz_other fuzz_none)
foreach(part ${parts})
  install(FILES ${WEFT_PARTS}/${part}.o DESTINATION ${CMAKE_INSTALL_LIBDIR}/weft)
endforeach()
# Programs in `all' do not need each part.
list(TRANSFORM parts PREPEND weft_part_)
add_custom_target(weft_installed_parts ALL)
add_dependencies(weft_installed_parts ${parts})
install(TARGETS weft_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

install(DIRECTORY harness/include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(sources ${CMAKE_INSTALL_DATADIR}/weft)
install(DIRECTORY models DESTINATION ${sources} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cpp" PATTERN tests EXCLUDE)
install(FILES harness/gtest/assertions.cpp DESTINATION ${sources}/gtest)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(config ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
set(weft_parts_folder ${CMAKE_INSTALL_LIBDIR}/weft)
set(weft_include_folder ${CMAKE_INSTALL_INCLUDEDIR})
set(weft_sources_folder ${sources})
configure_package_config_file(harness/cmake/weft-config.cmake.in ${PROJECT_BINARY_DIR}/package/weft-config.cmake INSTALL_DESTINATION ${config}
                              PATH_VARS weft_parts_folder weft_include_folder weft_sources_folder)
# As long as the version begins with 0, each minor version may break what the last one had.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/weft-config.cmake ${PROJECT_BINARY_DIR}/package/weft-config-version.cmake
              harness/cmake/Weft.cmake harness/cmake/Links.cmake DESTINATION ${config})

# weft.pc: the options without those that are for the other compiler only.
set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH weft_prefix_from_pc /${pkgconfig} /)
string(REGEX REPLACE "/$" "" weft_prefix_from_pc "${weft_prefix_from_pc}")
set(weft_instrument_options "$<JOIN:${WEFT_INSTRUMENT_OPTIONS}, >")
configure_file(harness/cmake/weft.pc.in ${PROJECT_BINARY_DIR}/package/weft.pc.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/package/weft.pc INPUT ${PROJECT_BINARY_DIR}/package/weft.pc.in TARGET weft_tool)
install(FILES ${PROJECT_BINARY_DIR}/package/weft.pc DESTINATION ${pkgconfig})
