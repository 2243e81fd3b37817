# libfathom-cuda.so: batches on a GPU. A module of its own that the library loads when it is asked for; built where nvcc is.
option(FATHOM_CUDA "the GPU part: libfathom-cuda.so, by nvcc" OFF)
find_program(FATHOM_NVCC nvcc HINTS /usr/local/cuda/bin)
if(NOT FATHOM_CUDA OR NOT FATHOM_NVCC OR FATHOM_SANITIZE OR FATHOM_FUZZ OR CMAKE_CROSSCOMPILING OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  message(STATUS "batches on a GPU: not built; -DFATHOM_CUDA=ON builds them where nvcc is (${FATHOM_NVCC})")
  return()
endif()
message(STATUS "batches on a GPU: libfathom-cuda.so, by ${FATHOM_NVCC}")

# The kernel's own sources travel in the module: it compiles them again for a type at run time.
file(GLOB FATHOM_CUDA_KERNELS CONFIGURE_DEPENDS src/physics/*.h src/batch/cuda/*.h)
list(APPEND FATHOM_CUDA_KERNELS ${CMAKE_SOURCE_DIR}/src/base/random.h ${CMAKE_SOURCE_DIR}/src/batch/lanes.h ${CMAKE_SOURCE_DIR}/src/batch/cuda.h)
set(FATHOM_CUDA_DIR ${CMAKE_BINARY_DIR}/cuda)
add_custom_command(OUTPUT ${FATHOM_CUDA_DIR}/sources.cpp
  COMMAND ${CMAKE_COMMAND} -E make_directory ${FATHOM_CUDA_DIR}
  COMMAND ${CMAKE_SOURCE_DIR}/scripts/embed-sources ${FATHOM_CUDA_DIR}/sources.cpp
  DEPENDS ${FATHOM_CUDA_KERNELS} ${CMAKE_SOURCE_DIR}/scripts/embed-sources)
set(FATHOM_CUDA_OBJECTS)
foreach(source src/batch/cuda/module.cu src/batch/cuda/part_double.cu src/batch/cuda/part_float.cu src/batch/cuda/chain_double.cu
    src/batch/cuda/chain_float.cu src/batch/cuda/fish_double.cu src/batch/cuda/fish_float.cu ${FATHOM_CUDA_DIR}/sources.cpp)
  get_filename_component(name ${source} NAME)
  get_filename_component(path ${source} ABSOLUTE)
  add_custom_command(OUTPUT ${FATHOM_CUDA_DIR}/${name}.o
    COMMAND ${FATHOM_NVCC} -std=c++17 -O3 -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90,code=sm_90
      -Xcompiler -fPIC,-fvisibility=hidden -I${CMAKE_SOURCE_DIR}/src -I${CMAKE_SOURCE_DIR}/include -c ${path} -o ${FATHOM_CUDA_DIR}/${name}.o
    DEPENDS ${path} ${FATHOM_CUDA_KERNELS})
  list(APPEND FATHOM_CUDA_OBJECTS ${FATHOM_CUDA_DIR}/${name}.o)
endforeach()
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/libfathom-cuda.so
  COMMAND ${FATHOM_NVCC} -shared -o ${CMAKE_BINARY_DIR}/libfathom-cuda.so ${FATHOM_CUDA_OBJECTS} -cudart static -ldl
  DEPENDS ${FATHOM_CUDA_OBJECTS})
add_custom_target(fathom_cuda ALL DEPENDS ${CMAKE_BINARY_DIR}/libfathom-cuda.so)
install(FILES ${CMAKE_BINARY_DIR}/libfathom-cuda.so DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
