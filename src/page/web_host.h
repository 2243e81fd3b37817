/* Which hosts a request may name. A browser that was led here by a name of someone else's (DNS rebinding) names that.
 */
#ifndef FM_PAGE_WEB_HOST_H
#define FM_PAGE_WEB_HOST_H

/* `line` is the Host header: "name", "name:port", "1.2.3.4:port" or "[::1]:port". Accepted are `localhost`, the
 * configured address, and IP addresses: where only this computer is served, loopback ones. */
int fm_web_host_is_ours(const char *line, const char *configured, int loopback);

/* Whether an address is one of this computer alone: a loopback address, or `localhost`. */
int fm_web_is_loopback(const char *address);

#endif
