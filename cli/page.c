#include "page.h"

#include <unistd.h>

#ifdef FM_HAVE_QRENCODE
#include <qrencode.h>

enum { QUIET = 4 /* modules of the border that a reader needs */ };

static int is_dark(const QRcode *code, int x, int y)
{
    return x >= 0 && y >= 0 && x < code->width && y < code->width && code->data[y * code->width + x] & 1;
}

/* Two modules per character, one above the other, in black on white independent of the terminal's colours. */
static void print_code(FILE *out, const char *text)
{
    static const char *const blocks[] = {" ", "\u2580", "\u2584", "\u2588"};
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
    if (!code)
        return;
    for (int y = -QUIET; y < code->width + QUIET; y += 2) {
        fputs("\033[30;107m", out);
        for (int x = -QUIET; x < code->width + QUIET; x++)
            fputs(blocks[is_dark(code, x, y) + 2 * is_dark(code, x, y + 1)], out);
        fputs("\033[0m\n", out);
    }
    QRcode_free(code);
}
#else
static void print_code(FILE *out, const char *text)
{
    (void)out, (void)text;
}
#endif

void cli_page_print(FILE *out, const char *before, const fm_web_url *urls, size_t count)
{
    size_t listed = count < CLI_PAGE_URLS ? count : CLI_PAGE_URLS;
    for (size_t i = 0; i < listed; i++)
        fprintf(out, "%s%s\n", before, urls[i].text);
    if (listed > 0 && urls[0].outside && isatty(fileno(out)))
        print_code(out, urls[0].text);
    fflush(out);
}
