/* libFuzzer target: the servo table's CSV reader takes any bytes and either fills a valid table or says why not. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "fish/servo_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fm_servo_table table;
    static const int joints[] = {1, 4, FM_FISH_JOINTS_MOST};
    for (int k = 0; k < 3; k++) {
        fm_error error = {0};
        table.tail.joints = joints[k];
        if (fm_servo_table_parse(&table, (const char *)data, size, "fuzz.csv", 1.2, &error) == FM_OK) {
            for (int i = 0; i < table.rows * table.tail.joints; i++)
                if (!(fabs(table.angle[i]) <= 1.2000001))
                    abort();
        } else if (error.text[0] == '\0') {
            abort();
        }
    }
    return 0;
}
