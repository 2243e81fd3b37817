/* Checks the host named in a request. A browser redirected here by a foreign name (DNS rebinding) sends that name. */
#ifndef FM_PAGE_WEB_HOST_H
#define FM_PAGE_WEB_HOST_H

/* `line` is the Host header: "name", "name:port", "1.2.3.4:port" or "[::1]:port". Accepts `localhost`, the configured
 * address, and IP addresses: only loopback ones if the page serves only this computer. */
int fm_web_host_is_ours(const char *line, const char *configured, int loopback);

/* Whether an address belongs to this computer alone: a loopback address, or `localhost`. */
int fm_web_is_loopback(const char *address);

#endif
