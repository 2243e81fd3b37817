# libfathom-mpi.so: sweeps on a cluster. A module of its own that the program loads where mpirun or srun started it;
# built where Open MPI is.
pkg_check_modules(DEP_mpi IMPORTED_TARGET ompi-c)
set(FATHOM_MPI OFF)
if(NOT DEP_mpi_FOUND OR FATHOM_FUZZ)
  message(STATUS "sweeps on a cluster: not built; libopenmpi-dev brings them (packages.txt)")
  return()
endif()
set(FATHOM_MPI ON)
add_library(fathom_mpi MODULE src/studies/cluster/mpi_module.c)
set_target_properties(fathom_mpi PROPERTIES OUTPUT_NAME fathom-mpi C_VISIBILITY_PRESET hidden
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN") # no empty entry, which would be the current folder
target_include_directories(fathom_mpi PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(fathom_mpi PRIVATE fathom_flags PkgConfig::DEP_mpi)
add_dependencies(fathom_cli fathom_mpi)
install(TARGETS fathom_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
