/* cmocka needs these before it. */
#ifndef FM_TESTS_SUPPORT_CMOCKA_ALL_H
#define FM_TESTS_SUPPORT_CMOCKA_ALL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#endif
