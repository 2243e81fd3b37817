# libfathom-cuda.so: batches on a GPU. The library loads it when a GPU is asked for. It needs nothing of CUDA to build: the driver and NVRTC,
# which compiles the kernels, are opened at run time. The kernels' sources travel in it.
if(FATHOM_FUZZ)
  return()
endif()
file(GLOB FATHOM_CUDA_HEADERS CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src src/physics/*.h src/base/*.h
  src/control/*.h src/sensors/*.h src/forces/*.h src/flow/*.h src/batch/lanes.h src/batch/member.h src/batch/guard.h
  src/batch/env_rows.h src/batch/cuda/kernel.h src/batch/cuda/fast.h src/batch/cuda/env.h)
set(FATHOM_CUDA_ROWS "")
set(FATHOM_CUDA_FILES "")
foreach(header ${FATHOM_CUDA_HEADERS})
  list(LENGTH FATHOM_CUDA_FILES number)
  list(APPEND FATHOM_CUDA_FILES ${CMAKE_SOURCE_DIR}/src/${header})
  string(APPEND FATHOM_CUDA_ROWS "FM_SOURCE(${number}, \"${header}\", \"${CMAKE_SOURCE_DIR}/src/${header}\")\n")
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/cuda)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/cuda/list.h CONTENT "${FATHOM_CUDA_ROWS}" @ONLY)

set(FATHOM_CUDA_SOURCES src/batch/cuda/module.c src/batch/cuda/programs.c src/batch/cuda/driver.c src/batch/cuda/sources.c)
foreach(precision double float)
  set(source ${CMAKE_BINARY_DIR}/cuda/blocks_${precision}.c)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/batch/cuda/blocks.c ${source} SYMBOLIC)
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS
    "FM_CUDA_BLOCKS=fm_cuda_blocks_${precision};$<$<STREQUAL:${precision},float>:FM_FLOAT>")
  list(APPEND FATHOM_CUDA_SOURCES ${source})
endforeach()
set_source_files_properties(src/batch/cuda/sources.c PROPERTIES OBJECT_DEPENDS "${FATHOM_CUDA_FILES}"
  COMPILE_DEFINITIONS "FM_CUDA_LIST=\"${CMAKE_BINARY_DIR}/cuda/list.h\"")

add_library(fathom_cuda MODULE ${FATHOM_CUDA_SOURCES})
set_target_properties(fathom_cuda PROPERTIES OUTPUT_NAME fathom-cuda C_VISIBILITY_PRESET hidden
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN") # no empty entry, which would be the current folder
target_include_directories(fathom_cuda PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
target_compile_options(fathom_cuda PRIVATE "SHELL:-include ${CMAKE_SOURCE_DIR}/src/base/number.h")
target_link_libraries(fathom_cuda PRIVATE fathom_flags Threads::Threads ${CMAKE_DL_LIBS})
add_dependencies(fathom_cli fathom_cuda)
install(TARGETS fathom_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
