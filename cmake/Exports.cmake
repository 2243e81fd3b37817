# Which symbols a shared library exports. The functions that its headers mark FM_API get the public version node; all other
# fm_ symbols get a private one that names the exact version: our own libraries, program, modules and tests use them, and
# the dynamic linker refuses to combine libraries of different builds.
#
#   fathom_exports(TARGET NODE HEADER...)
function(fathom_exports target node)
  set(names "")
  foreach(header ${ARGN})
    file(READ ${CMAKE_SOURCE_DIR}/include/fathom/${header} text)
    string(REGEX MATCHALL "FM_API[^;(]*[ *]fm_[a-z0-9_]+\\(" found "${text}")
    foreach(one ${found})
      string(REGEX REPLACE ".*[ *](fm_[a-z0-9_]+)\\($" "\\1" name "${one}")
      string(APPEND names "    ${name};\n")
    endforeach()
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/fathom/${header})
  endforeach()
  set(map ${CMAKE_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${map} CONTENT "${node}_${FATHOM_ABI} {\n  global:\n${names}};\nFATHOM_PRIVATE_${PROJECT_VERSION} {\n  global:\n    fm_*;\n  local:\n    *;\n};\n" @ONLY)
  target_link_options(${target} PRIVATE LINKER:--version-script=${map} LINKER:-Bsymbolic)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
endfunction()
