# Vehicles in lanes: src/batch/lanes/kernel.c compiled once per instruction set, precision and kernel. src/batch/lanes.c gets the list of
# builds and asks the processor first. Debuggers get lines but no variables, which would take a third of the compiler's time.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lanes)
set(FATHOM_LANES_BUILDS "")

# fathom_lanes(SET LANES KERNEL DEFINITIONS OPTIONS): both precisions; LANES vehicles per register in double, twice as many in float.
function(fathom_lanes set lanes kernel definitions options)
  foreach(precision double float)
    set(build fm_lanes_${set}_${precision}_${kernel})
    set(source ${CMAKE_BINARY_DIR}/lanes/${build}.c)
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/batch/lanes/kernel.c ${source} SYMBOLIC)
    set(numbers FM_LANES=${lanes})
    if(precision STREQUAL "float")
      math(EXPR twice "2 * ${lanes}")
      set(numbers FM_LANES=${twice} FM_FLOAT)
      # Float is not compared with the bits of a world: products and sums in one rounding.
      list(APPEND options $<$<BOOL:${options}>:-mfma> $<$<BOOL:${options}>:-ffp-contract=fast>)
    endif()
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS
      "$<$<CONFIG:Release>:-O3;-g1>;${options};$<$<BOOL:${FATHOM_FUZZ}>:-fno-sanitize=fuzzer-no-link>"
      COMPILE_DEFINITIONS "${numbers};FM_LANES_SET=${set};FM_LANES_BUILD=${build};${definitions}")
    target_sources(fathom_core PRIVATE ${source})
    string(APPEND FATHOM_LANES_BUILDS "FM_LANES_ROW(${build})")
  endforeach()
  set(FATHOM_LANES_BUILDS ${FATHOM_LANES_BUILDS} PARENT_SCOPE)
endfunction()

# The kernels of one instruction set. One type: its parameters are shared by all lanes, which saves registers.
macro(fathom_lanes_set set lanes options)
  if(NOT ${set} STREQUAL "sse2")
    fathom_lanes(${set} ${lanes} one FM_ONE_TYPE "${options}")
  endif()
  fathom_lanes(${set} ${lanes} several "" "${options}")
  fathom_lanes(${set} ${lanes} chain FM_CHAIN "${options}")
  fathom_lanes(${set} ${lanes} own "FM_CHAIN;FM_OWN_BODY" "${options}")
endmacro()

# The widest first: fm_lanes_find takes the first that the processor can run.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  fathom_lanes_set(avx512 8 -mavx512f)
  fathom_lanes_set(avx2 4 -mavx2)
  fathom_lanes_set(sse2 2 "")
else()
  fathom_lanes_set(neon 2 "")
endif()
set_property(SOURCE src/batch/lanes.c APPEND PROPERTY COMPILE_DEFINITIONS "FM_LANES_BUILDS=${FATHOM_LANES_BUILDS}")
