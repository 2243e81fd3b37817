#include "plot/page.h"

#include <string.h>

const char fm_page_style[] = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 "
                             "1rem;color:#1b1f24;background:#fff}"
                             "h1{margin-bottom:.2rem}h2{margin-top:2rem;border-bottom:1px solid "
                             "#d0d7de}figure{margin:1rem 0}svg{width:100%;height:auto}"
                             "table{border-collapse:collapse}td,th{padding:.15rem .9rem .15rem "
                             "0;text-align:left;vertical-align:top}th{font-weight:600}"
                             "td.n{text-align:right;font-variant-numeric:tabular-nums}pre{background:#f6f8fa;padding:."
                             "8rem;overflow:auto;font-size:13px}"
                             ".good{color:#116329}.bad{color:#a40e26}summary{cursor:pointer;font-weight:600}"
                             "@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#14181d}h2{border-color:#"
                             "30363d}pre{background:#1c2128}"
                             "figure{background:#fff;border-radius:4px}.good{color:#56d364}.bad{color:#ff7b72}}";

void fm_page_add_row(fm_text *page, const char *key, const char *value)
{
    fm_text_add(page, "<tr><th>");
    fm_text_add_escaped(page, key);
    fm_text_add(page, "</th><td>");
    fm_text_add_escaped(page, value);
    fm_text_add(page, "</td></tr>\n");
}

/* As base64, so that the names within one figure do not meet those of another. */
static void add_base64(fm_text *page, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned b = i + 1 < size ? bytes[i + 1] : 0, c = i + 2 < size ? bytes[i + 2] : 0, a = bytes[i];
        fm_text_add(page, "%c%c%c%c", digits[a >> 2], digits[(a & 3) << 4 | b >> 4],
                    i + 1 < size ? digits[(b & 15) << 2 | c >> 6] : '=', i + 2 < size ? digits[c & 63] : '=');
    }
}

fm_status fm_page_add_figure(fm_text *page, fm_figure *figure, fm_error *error)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    fm_status status = fm_figure_render(figure, FM_FIGURE_SVG, &bytes, &size, error);
    fm_figure_destroy(figure);
    if (status != FM_OK)
        return status;
    fm_text_add(page, "<figure><img style=\"width:100%%\" src=\"data:image/svg+xml;base64,");
    add_base64(page, bytes, size);
    fm_text_add(page, "\"></figure>\n");
    fm_free(bytes);
    return FM_OK;
}
