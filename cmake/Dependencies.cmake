# Libraries, all of them Debian packages (packages.txt).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
add_library(fathom_dependencies INTERFACE)
set(FATHOM_MODULES sleef libxml-2.0 libpng libtiff-4 libzstd liblz4 zlib)
foreach(module ${FATHOM_MODULES})
  pkg_check_modules(DEP_${module} REQUIRED IMPORTED_TARGET ${module})
  target_link_libraries(fathom_dependencies INTERFACE PkgConfig::DEP_${module})
endforeach()
find_library(EMBREE_LIBRARY embree3 REQUIRED)
target_link_libraries(fathom_dependencies INTERFACE ${EMBREE_LIBRARY} Threads::Threads m ${CMAKE_DL_LIBS})

# Optional parts: without them the program says plainly what is missing when asked for it.
pkg_check_modules(DEP_netcdf IMPORTED_TARGET netcdf)
if(DEP_netcdf_FOUND)
  target_link_libraries(fathom_dependencies INTERFACE PkgConfig::DEP_netcdf)
  target_compile_definitions(fathom_dependencies INTERFACE FM_HAVE_NETCDF)
  list(APPEND FATHOM_MODULES netcdf)
endif()
pkg_check_modules(DEP_gsl IMPORTED_TARGET gsl) # fathom identify
if(DEP_gsl_FOUND)
  target_link_libraries(fathom_dependencies INTERFACE PkgConfig::DEP_gsl)
  list(APPEND FATHOM_MODULES gsl)
endif()

# Drawing, in a library of its own.
if(FATHOM_FIGURES)
  add_library(fathom_drawing_dependencies INTERFACE)
  pkg_check_modules(DEP_cairo REQUIRED IMPORTED_TARGET cairo)
  target_link_libraries(fathom_drawing_dependencies INTERFACE PkgConfig::DEP_cairo PkgConfig::DEP_libxml-2.0 PkgConfig::DEP_sleef
    Threads::Threads m)
endif()

# The server, in a library of its own. Without its packages the program says so.
pkg_check_modules(DEP_libuv IMPORTED_TARGET libuv)
pkg_check_modules(DEP_libsodium IMPORTED_TARGET libsodium)
pkg_check_modules(DEP_libwebsockets IMPORTED_TARGET libwebsockets)
pkg_check_modules(DEP_jansson IMPORTED_TARGET jansson)
set(FATHOM_NET OFF)
if(DEP_libuv_FOUND AND DEP_libsodium_FOUND AND DEP_libwebsockets_FOUND AND DEP_jansson_FOUND)
  set(FATHOM_NET ON)
  add_library(fathom_net_dependencies INTERFACE)
  target_link_libraries(fathom_net_dependencies INTERFACE PkgConfig::DEP_libuv PkgConfig::DEP_libsodium
    PkgConfig::DEP_libwebsockets PkgConfig::DEP_jansson Threads::Threads m)
endif()

pkg_check_modules(DEP_libqrencode IMPORTED_TARGET libqrencode) # the page's address as a QR code

# ROS 2, by Cyclone DDS. Without it the server is built and says so when a bridge of that kind is asked for.
set(FATHOM_ROS2 OFF)
pkg_check_modules(DEP_cyclonedds IMPORTED_TARGET CycloneDDS)
if(FATHOM_NET AND DEP_cyclonedds_FOUND)
  set(FATHOM_ROS2 ON)
  target_link_libraries(fathom_net_dependencies INTERFACE PkgConfig::DEP_cyclonedds)
endif()
