/* DIS: whatever comes, decoding stays within it; what was read is written and read again the same. */
#include <stdlib.h>
#include <string.h>

#include "bridges/dis/dis_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fm_dis_pdu pdu, back;
    static uint8_t bytes[FM_DIS_MOST];
    const fm_geodetic origin = {0.6, -2, 0};
    for (size_t used; size > 0; data += used, size -= used) {
        fm_dis_result result = fm_dis_decode(data, size, &pdu, &used);
        if (result == FM_DIS_WELL) {
            size_t again, length = fm_dis_encode(&pdu, bytes, sizeof bytes);
            if (length != used || fm_dis_decode(bytes, length, &back, &again) != FM_DIS_WELL || again != used)
                abort();
            if (pdu.header.type == FM_DIS_ENTITY_STATE) {
                fm_reckon_track track;
                fm_reckoned there;
                fm_dis_entity_get_track(&pdu.entity, &origin, &track);
                fm_track_reckon(&track, pdu.entity.reckoning ? pdu.entity.reckoning : 1, 1, &there);
            }
        }
        if (used == 0)
            break;
    }
    return 0;
}
