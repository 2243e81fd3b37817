/* Logs that a test has written and reads again. */
#ifndef FM_TESTS_SUPPORT_LOG_H
#define FM_TESTS_SUPPORT_LOG_H

#include "support/cmocka_all.h"
#include "telemetry/mcap_reader.h"

static inline fm_mcap_reader *open_log(const char *path)
{
    fm_error error = {0};
    fm_mcap_reader *reader;
    if (fm_mcap_open(path, &reader, &error) != FM_OK)
        fail_msg("%s", error.text);
    return reader;
}

#endif
