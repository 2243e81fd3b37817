# Compiler flags of every target of ours. No fast-math and no contraction: the same bits everywhere (docs/design.md).
# Without semantic interposition the shared library inlines and calls its own functions as a static one would.
add_library(fathom_flags INTERFACE)
target_compile_options(fathom_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -ffp-contract=off -fno-math-errno
  -fno-trapping-math -fno-semantic-interposition -Wno-psabi -Werror=implicit-function-declaration)
target_compile_definitions(fathom_flags INTERFACE _GNU_SOURCE)
if(FATHOM_WERROR)
  target_compile_options(fathom_flags INTERFACE -Werror)
endif()
if(FATHOM_SANITIZE)
  target_compile_options(fathom_flags INTERFACE -fsanitize=${FATHOM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(fathom_flags INTERFACE -fsanitize=${FATHOM_SANITIZE})
endif()
if(FATHOM_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug" OR CMAKE_C_FLAGS MATCHES "-O0")
  target_compile_definitions(fathom_flags INTERFACE FM_PLAIN_INLINE) # physics/real.h: same bits, minutes faster to build
endif()
if(FATHOM_FUZZ)
  target_compile_options(fathom_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
