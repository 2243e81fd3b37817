/* libwebsockets in the Python wheel, whose libuv part is beside libfathom-net instead of in a folder of the system. */
#ifndef FM_PAGE_WEB_WHEEL_H
#define FM_PAGE_WEB_WHEEL_H

struct lws_context;
struct lws_context_creation_info;

/* lws_create_context, which finds that part. Another file with the descriptor that it uses is put aside meanwhile. */
struct lws_context *fm_web_context(const struct lws_context_creation_info *info);

#endif
