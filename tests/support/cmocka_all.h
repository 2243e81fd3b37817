/* cmocka with the headers that it needs before it, and comparisons of numbers. */
#ifndef FM_TESTS_SUPPORT_CMOCKA_ALL_H
#define FM_TESTS_SUPPORT_CMOCKA_ALL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/compare.h"
#endif
