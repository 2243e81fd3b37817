/* The built page, embedded into the program from viewer/dist (FM_PAGE_DIR). */
#include "page/web_page.h"

#define EMBED(name, file)                                                                                              \
    __asm__(".section .rodata\n.balign 16\n.global fm_web_page_" #name "\n.hidden fm_web_page_" #name                  \
            "\nfm_web_page_" #name ":\n"                                                                               \
            ".incbin \"" FM_PAGE_DIR "/" file "\"\n.global fm_web_page_" #name "_end\n.hidden fm_web_page_" #name      \
            "_end\n"                                                                                                   \
            "fm_web_page_" #name "_end:\n.byte 0\n.previous\n");                                                       \
    extern const uint8_t fm_web_page_##name[], fm_web_page_##name##_end[];

EMBED(index, "index.html.gz")
EMBED(boot, "boot.js.gz")
EMBED(script, "app.js.gz")
EMBED(gltf, "gltf.js.gz")
EMBED(worker, "worker.js.gz")
EMBED(style, "app.css.gz")
EMBED(icon, "icon.svg.gz")

static const struct {
    const char *path, *type;
    const uint8_t *data, *end;
} files[] = {
    {"/index.html", "text/html; charset=utf-8", fm_web_page_index, fm_web_page_index_end},
    {"/boot.js", "text/javascript; charset=utf-8", fm_web_page_boot, fm_web_page_boot_end},
    {"/app.js", "text/javascript; charset=utf-8", fm_web_page_script, fm_web_page_script_end},
    {"/gltf.js", "text/javascript; charset=utf-8", fm_web_page_gltf, fm_web_page_gltf_end},
    {"/worker.js", "text/javascript; charset=utf-8", fm_web_page_worker, fm_web_page_worker_end},
    {"/app.css", "text/css; charset=utf-8", fm_web_page_style, fm_web_page_style_end},
    {"/icon.svg", "image/svg+xml", fm_web_page_icon, fm_web_page_icon_end},
};

size_t fm_web_page_file_count(void)
{
    return sizeof files / sizeof *files;
}

/* The last four bytes of a gzip file are the size of the uncompressed data. */
static size_t plain_size(const uint8_t *end)
{
    return (size_t)end[-4] | (size_t)end[-3] << 8 | (size_t)end[-2] << 16 | (size_t)end[-1] << 24;
}

fm_web_page_file fm_web_page_get_file(size_t i)
{
    return (fm_web_page_file){files[i].path, files[i].type, files[i].data, (size_t)(files[i].end - files[i].data),
                              plain_size(files[i].end)};
}
