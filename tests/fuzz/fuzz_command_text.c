/* Commands of the queue and records of loops are text from other programs: whatever it is, it is read or refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "server/command_text.h"
#include "server/telegram.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_telegram(fm_telegram_form form, const char *text, size_t size)
{
    fm_telegram telegram, again;
    char written[2 * FM_TELEGRAM_TEXT];
    if (fm_telegram_read(form, text, size, &telegram, NULL) != FM_OK)
        return;
    size_t length = fm_telegram_write(form, &telegram, written, sizeof written);
    if (length < FM_TELEGRAM_TEXT && (fm_telegram_read(form, written, length, &again, NULL) != FM_OK ||
                                      memcmp(&telegram, &again, sizeof again) != 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_command command;
    fm_error error = {0};
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    if (data[0] % 3)
        try_telegram(data[0] % 3 == 1 ? FM_TELEGRAM_PHOENIX : FM_TELEGRAM_SNOOKIE, text, size - 1);
    else if (fm_command_read(text, size - 1, &command, &error) == FM_OK && fm_command_check(&command, &error) != FM_OK)
        abort();
    return 0;
}
