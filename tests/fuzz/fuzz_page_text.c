/* What a browser names as its host, and texts on their way to viewers: a host that is taken is a loopback address or
 * localhost, and every text becomes JSON. */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "page/json_text.h"
#include "page/web_host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int begins_with_loopback(const char *text)
{
    char host[128];
    struct in_addr four;
    struct in6_addr six;
    size_t length = *text == '[' ? strcspn(text + 1, "]") : strcspn(text, ":");
    memcpy(host, text + (*text == '['), length);
    host[length] = 0;
    return strcasecmp(host, "localhost") == 0 ||
           (*text != '[' && inet_pton(AF_INET, host, &four) == 1 && ntohl(four.s_addr) >> 24 == 127) ||
           (*text == '[' && inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six));
}

static void try_text(const char *text)
{
    char cut[24];
    json_t *json = fm_json_text(text);
    if (!json)
        abort();
    int sound = strcmp(json_string_value(json), text) == 0; /* it was UTF-8 */
    json_decref(json);
    fm_text_print(cut, sizeof cut, "%s", text);
    json = json_string(cut);
    if (sound && (!json || strncmp(cut, text, strlen(cut)) != 0 || (strlen(text) > 23 && strlen(cut) < 20)))
        abort();
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256];
    size_t length = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, data, length);
    text[length] = 0;
    if (fm_web_host_is_ours(text, "127.0.0.1", 1) && !begins_with_loopback(text))
        abort();
    fm_web_host_is_ours(text, "0.0.0.0", 0);
    fm_web_is_loopback(text);
    try_text(text);
    return 0;
}
