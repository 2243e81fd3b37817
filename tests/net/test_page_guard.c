/* Who may open the page of `fathom serve --http` and `fathom view`, and what it says where it cannot be served. */
#include <ctype.h>
#include <pty.h>
#include <sys/stat.h>

#include "net/outside.h"
#include "net/served.h"
#include "page/web_host.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.02 s' seed='3' capacity='3'><water density='1025 kg/m3'/></world>"               \
    "<vehicle name='still' model='nps-auv-ii' position='0 90 5 m'><depth/></vehicle></fathom>"

static served server;
static program_run r;

/* --- a viewer --- */

static int connect_page(int port)
{
    struct sockaddr_in at = local_port(port);
    struct timeval patience = {.tv_sec = 20};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
    return fd;
}

/* Asks for a WebSocket; 1: it is let in, and the socket is open. */
static int greet(int fd, const char *path, const char *host, const char *origin)
{
    char request[1024], head[4096] = "";
    int n = snprintf(request, sizeof request,
                     "GET %s HTTP/1.1\r\nHost: %s\r\n%s%s%sUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n\r\n",
                     path, host, origin ? "Origin: " : "", origin ? origin : "", origin ? "\r\n" : "");
    if (send(fd, request, (size_t)n, MSG_NOSIGNAL) != n)
        return 0;
    for (size_t at = 0; at < sizeof head - 1 && !strstr(head, "\r\n\r\n"); at++)
        if (recv(fd, head + at, 1, 0) <= 0)
            return 0;
    return strstr(head, " 101 ") != NULL;
}

static int is_let_in(int port, const char *path, const char *host, const char *origin)
{
    int fd = connect_page(port), in = greet(fd, path, host, origin);
    close(fd);
    return in;
}

/* Whether what comes says so within the time; the text is kept in `seen`. */
static char seen[1 << 20];
static int hears(int fd, const char *words, const char *other)
{
    size_t size = 0;
    double end = seconds_now() + 20;
    while (seconds_now() < end && size < sizeof seen - 1) {
        ssize_t n = recv(fd, seen + size, sizeof seen - 1 - size, 0);
        if (n <= 0)
            return 0;
        size += (size_t)n;
        seen[size] = 0;
        for (size_t i = 0; i < size; i++) /* frames are binary too */
            if (seen[i] == 0)
                seen[i] = ' ';
        if (strstr(seen, words) && (!other || strstr(seen, other)))
            return 1;
    }
    return 0;
}

/* Masked, as a client's frames are, with a mask of zeros. */
static void say_binary(int fd, const void *bytes, size_t size)
{
    uint8_t frame[4096] = {128 | 2, 128 | 126, (uint8_t)(size >> 8), (uint8_t)size};
    assert_less(size + 8, sizeof frame);
    memcpy(frame + 8, bytes, size);
    assert_int_equal(send(fd, frame, size + 8, 0), (ssize_t)(size + 8));
}

static void serve_page(int port, const char *more)
{
    char line[512];
    write_file("net_guard.xml", SEA);
    serve(&server, "--http 127.0.0.1:%d %s net_guard.xml", port, more);
    assert_non_null(fgets(line, sizeof line, server.out));
    assert_non_null(strstr(line, "page at http://127.0.0.1:"));
}

/* --- facts --- */

static void a_thousand_refused_viewers_do_not_keep_a_good_one_out(void **state)
{
    (void)state;
    int port = free_port(SOCK_STREAM);
    serve_page(port, "--token sesame");
    for (int i = 0; i < 1000; i++) {
        int foreign = i % 3 == 0, led = i % 3 == 1;
        if (is_let_in(port, i % 3 == 2 ? "/?token=open" : "/?token=sesame", led ? "127.0.0.1.evil.com" : "127.0.0.1",
                      foreign ? "http://evil.com" : NULL))
            fail_msg("stranger %d was let in", i);
    }
    int fd = connect_page(port);
    assert_true(greet(fd, "/?token=sesame", "127.0.0.1", NULL));
    assert_true(hears(fd, "serverInfo", NULL));
    close(fd);
    assert_int_equal(stop_serving(&server), 0);
}

static void a_host_is_an_address_or_localhost_to_the_last_letter(void **state)
{
    (void)state;
    static const char *const ours[] = {"127.0.0.1",      "127.0.0.1:8080", "127.9.8.7:80", "localhost",
                                       "localhost:8080", "LocalHost:1",    "[::1]",        "[::1]:8080"};
    static const char *const others[] = {"127.0.0.1.evil.com",
                                         "127.evil.com",
                                         "127.0.0.1.evil.com:8080",
                                         "localhost.evil.com",
                                         "localhost.",
                                         "127.1",
                                         "0127.0.0.1",
                                         "2130706433",
                                         "0.0.0.0",
                                         "192.168.1.1",
                                         "evil.com",
                                         "",
                                         "::1",
                                         "[::1",
                                         "[::1]evil.com",
                                         "[127.0.0.1]",
                                         "127.0.0.1:",
                                         "127.0.0.1:80a",
                                         "127.0.0.1:999999",
                                         "127.0.0.1 ",
                                         "user@127.0.0.1"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!fm_web_host_is_ours(ours[i], "127.0.0.1", 1))
            fail_msg("%s is refused", ours[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (fm_web_host_is_ours(others[i], "127.0.0.1", 1))
            fail_msg("%s is taken", others[i]);
    assert_true(fm_web_host_is_ours("192.168.1.5:8080", "0.0.0.0", 0));
    assert_false(fm_web_host_is_ours("192.168.1.5.evil.com:8080", "0.0.0.0", 0));
    assert_false(fm_web_host_is_ours("evil.com", "0.0.0.0", 0));
    assert_false(fm_web_is_loopback("127.evil.com"));
    assert_false(fm_web_is_loopback("127.0.0.1.evil.com"));
    assert_true(fm_web_is_loopback("127.0.0.2") && fm_web_is_loopback("::1") && fm_web_is_loopback("localhost"));
}

static void a_page_of_another_name_is_not_served(void **state)
{
    (void)state;
    int port = free_port(SOCK_STREAM);
    serve_page(port, "");
    static const char ask[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.com\r\n\r\n";
    int fd = connect_page(port);
    assert_int_equal(send(fd, ask, sizeof ask - 1, 0), sizeof ask - 1);
    assert_true(hears(fd, "403", NULL));
    close(fd);
    assert_true(is_let_in(port, "/", "localhost", NULL));
    assert_false(is_let_in(port, "/", "127.0.0.1.evil.com", NULL));
    assert_false(is_let_in(port, "/", "127.0.0.1", "http://127.0.0.1.evil.com"));
    assert_int_equal(stop_serving(&server), 0);
}

static void a_taken_port_and_a_foreign_address_are_named(void **state)
{
    (void)state;
    struct sockaddr_in at = local_port(0);
    socklen_t size = sizeof at;
    int taken = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(bind(taken, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(taken, 1), 0);
    assert_int_equal(getsockname(taken, (struct sockaddr *)&at, &size), 0);
    int port = ntohs(at.sin_port);
    char words[128];
    write_file("net_guard.xml", SEA);
    snprintf(words, sizeof words, "cannot listen on TCP 127.0.0.1 port %d: address already in use", port);
    run_fathom(&r, "view net_guard.xml --http 127.0.0.1:%d", port);
    expect_run(&r, 1, words);
    run_fathom(&r, "serve net_guard.xml --port 0 --http 127.0.0.1:%d", port);
    expect_run(&r, 1, words);
    run_fathom(&r, "run net_guard.xml --duration 1 --http 127.0.0.1:%d", port);
    expect_run(&r, 1, words);
    run_fathom(&r, "run net_guard.xml --duration 1 --bridge \"nmea transport=tcp port=%d\"", port);
    expect_run(&r, 1, words);
    run_fathom(&r, "run net_guard.xml --duration 1 --bridge \"mavlink simulator=%d\"", port);
    expect_run(&r, 1, words);
    at = local_port(0);
    assert_int_equal(bind(udp, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(udp, (struct sockaddr *)&at, &size), 0);
    port = ntohs(at.sin_port);
    snprintf(words, sizeof words, "cannot listen on UDP 127.0.0.1 port %d: address already in use", port);
    run_fathom(&r, "serve net_guard.xml --port %d", port);
    expect_run(&r, 1, words);
    run_fathom(&r, "run net_guard.xml --duration 1 --bridge \"dis address=127.0.0.1 port=%d\"", port);
    expect_run(&r, 1, words);
    run_fathom(&r, "run net_guard.xml --duration 1 --bridge \"nmea address=127.0.0.1 listen-port=%d\"", port);
    expect_run(&r, 1, words);
    static const char *const foreign[] = {"view net_guard.xml --http 203.0.113.7:%d",
                                          "serve net_guard.xml --port 0 --http 203.0.113.7:%d",
                                          "run net_guard.xml --duration 1 --http 203.0.113.7:%d",
                                          ("run net_guard.xml --duration 1 --bridge \"nmea transport=tcp "
                                           "address=203.0.113.7 port=%d\"")};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        snprintf(r.line, sizeof r.line, "%s ", FATHOM_PROGRAM);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(r.line + strlen(r.line), sizeof r.line - strlen(r.line), foreign[i], port);
#pragma GCC diagnostic pop
        run_line(&r);
        expect_run(&r, 1, "203.0.113.7 port ");
        expect_run(&r, 1, "this computer does not have that address");
    }
    close(taken);
    close(udp);
}

static void take_session(int port, char session[64])
{
    int fd = connect_page(port);
    assert_true(greet(fd, "/", "127.0.0.1", NULL));
    assert_true(hears(fd, "\"sessionId\":\"", "\"}"));
    const char *at = strstr(seen, "\"sessionId\":\"") + strlen("\"sessionId\":\"");
    snprintf(session, 64, "%.*s", (int)strcspn(at, "\""), at);
    close(fd);
}

static void sessions_have_random_names(void **state)
{
    (void)state;
    char names[2][64];
    for (int i = 0; i < 2; i++) {
        int port = free_port(SOCK_STREAM);
        serve_page(port, "");
        take_session(port, names[i]);
        assert_int_equal(strlen(names[i]), 32);
        for (const char *c = names[i]; *c; c++)
            assert_true(isxdigit((unsigned char)*c));
        assert_int_equal(stop_serving(&server), 0);
    }
    assert_string_not_equal(names[0], names[1]);
}

/* The refusal repeats the name, which is longer than the text has room for: 768 bytes end inside a character or not. */
static void a_text_that_is_cut_inside_a_character_keeps_the_viewer(void **state)
{
    (void)state;
    int port = free_port(SOCK_STREAM);
    serve_page(port, "");
    int fd = connect_page(port);
    assert_true(greet(fd, "/", "127.0.0.1", NULL));
    assert_true(hears(fd, "\"name\":\"/desire\"", NULL));
    const char *at = strstr(seen, "\"name\":\"/desire\"");
    while (at > seen && at[-1] != ':')
        at--;
    for (at -= 1; at > seen && !isdigit((unsigned char)at[-1]); at--)
        ;
    while (at > seen && isdigit((unsigned char)at[-1]))
        at--;
    uint32_t service = (uint32_t)strtoul(at, NULL, 10), length = 4;
    for (uint32_t call = 1; call <= 4; call++) {
        char bytes[3000], words[64];
        int head = 13;
        bytes[0] = 2;
        memcpy(bytes + 1, &service, 4);
        memcpy(bytes + 5, &call, 4);
        memcpy(bytes + 9, &length, 4);
        int n = snprintf(bytes + head, sizeof bytes - 13, "json{\"vehicle\":\"%.*s", (int)call - 1, "xxx");
        for (int i = 0; i < 600; i++)
            n += snprintf(bytes + head + n, sizeof bytes - 13 - (size_t)n, "\u20ac");
        n += snprintf(bytes + head + n, sizeof bytes - 13 - (size_t)n, "\",\"quantity\":\"depth\",\"value\":3}");
        say_binary(fd, bytes, (size_t)(head + n));
        snprintf(words, sizeof words, "\"callId\":%u", call);
        if (!hears(fd, words, "\u20ac"))
            fail_msg("call %u: the viewer is hung up, or not answered", call);
    }
    close(fd);
    assert_int_equal(stop_serving(&server), 0);
}

/* --- addresses for others --- */

/* All that a shell's line says on a terminal until this is in it. When it has been silent for a while after its first
 * words it gets a line to read. */
static void watch_terminal(const char *line, const char *until, char *text, size_t room)
{
    int silence = 0;
    struct winsize size = {.ws_row = 80, .ws_col = 120};
    int terminal;
    size_t length = 0;
    pid_t child = forkpty(&terminal, NULL, NULL, &size);
    assert_at_least(child, 0);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    text[0] = 0;
    for (double end = seconds_now() + 30; seconds_now() < end && !strstr(text, until);) {
        struct pollfd wait = {.fd = terminal, .events = POLLIN};
        if (poll(&wait, 1, 100) <= 0) {
            if (length > 0 && ++silence == 10)
                assert_int_equal(write(terminal, "\n", 1), 1);
            continue;
        }
        ssize_t n = read(terminal, text + length, room - 1 - length);
        if (n <= 0)
            break;
        text[length += (size_t)n] = 0;
    }
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    close(terminal);
}

/* The half blocks of a terminal as a picture, each module 4 pixels wide. */
static int draw_code(const char *text, const char *file)
{
    static const char begin[] = "\033[30;107m";
    static unsigned char modules[200][200];
    int rows = 0, columns = 0;
    memset(modules, 0, sizeof modules);
    for (const char *line = strstr(text, begin); line && rows < 198; line = strstr(line, begin), rows += 2) {
        int x = 0;
        for (line += strlen(begin); *line && *line != '\033' && x < 200; x++) {
            int block = *line == ' ' ? 0 : !strncmp(line, "\u2580", 3) ? 1 : !strncmp(line, "\u2584", 3) ? 2 : 3;
            modules[rows][x] = (block & 1) != 0;
            modules[rows + 1][x] = (block & 2) != 0;
            line += block ? 3 : 1;
        }
        columns = x;
    }
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fprintf(out, "P1\n%d %d\n", 4 * columns, 4 * rows);
    for (int y = 0; y < 4 * rows; y++)
        for (int x = 0; x < 4 * columns; x++)
            fprintf(out, "%d%s", modules[y / 4][x / 4], x + 1 < 4 * columns ? " " : "\n");
    fclose(out);
    return rows;
}

/* An address of this computer that others can reach; 0: it has none. */
static int find_own(char own[64])
{
    own[0] = 0;
    run_shell(&r, "ip -4 -o addr show scope global up");
    const char *at = strstr(r.out, "inet ");
    return at && sscanf(at, "inet %63[0-9.]", own) == 1;
}

static void a_page_for_others_prints_their_addresses_and_a_code_that_reads_as_one(void **state)
{
    (void)state;
    static char text[1 << 16];
    char line[512], url[256], own[64];
    int port = free_port(SOCK_STREAM);
    write_file("net_guard.xml", SEA);
    snprintf(line, sizeof line, "%s view net_guard.xml --http 0.0.0.0:%d & read all; kill $!; wait; echo over",
             FATHOM_PROGRAM, port);
    watch_terminal(line, "over\r\n", text, sizeof text);
    assert_null(strstr(text, "http://0.0.0.0"));
    snprintf(url, sizeof url, "http://127.0.0.1:%d/?token=", port);
    assert_non_null(strstr(text, url));
    if (!find_own(own)) {
        print_message("this computer has only loopback addresses: the rest is not tested\n");
        return;
    }
    snprintf(url, sizeof url, "http://%s:%d/?token=", own, port);
    const char *at = strstr(text, url);
    if (!at)
        fail_msg("no %s in %s", url, text);
    snprintf(url, sizeof url, "%.*s", (int)strcspn(at, "\r\n"), at);
    assert_int_equal(strlen(strstr(url, "?token=")), strlen("?token=") + 32);
    if (run_shell(&r, "command -v zbarimg") != 0) {
        print_message("zbarimg (zbar-tools) is missing: the code is not read\n");
        return;
    }
    assert_greater(draw_code(text, "net_guard.pbm"), 20);
    run_shell(&r, "zbarimg -q --raw net_guard.pbm");
    expect_run(&r, 0, url);
}

static void a_page_for_this_computer_alone_prints_no_code(void **state)
{
    (void)state;
    static char text[1 << 16];
    char line[512];
    write_file("net_guard.xml", SEA);
    snprintf(line, sizeof line, "%s view net_guard.xml --http 127.0.0.1:%d & read all; kill $!; wait; echo over",
             FATHOM_PROGRAM, free_port(SOCK_STREAM));
    watch_terminal(line, "over\r\n", text, sizeof text);
    assert_non_null(strstr(text, "http://127.0.0.1:"));
    assert_null(strstr(text, "\033["));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_is_an_address_or_localhost_to_the_last_letter),
        cmocka_unit_test(a_thousand_refused_viewers_do_not_keep_a_good_one_out),
        cmocka_unit_test(a_page_of_another_name_is_not_served),
        cmocka_unit_test(a_taken_port_and_a_foreign_address_are_named),
        cmocka_unit_test(sessions_have_random_names),
        cmocka_unit_test(a_text_that_is_cut_inside_a_character_keeps_the_viewer),
        cmocka_unit_test(a_page_for_others_prints_their_addresses_and_a_code_that_reads_as_one),
        cmocka_unit_test(a_page_for_this_computer_alone_prints_no_code),
    };
    return cmocka_run_group_tests_name("page guard", tests, NULL, NULL);
}
