/* What the kernel says about the sockets of each command and each bridge that is configured for this computer: every
 * one is bound to a loopback address. Sockets that hear a group (DIS) and those that Cyclone DDS receives with are
 * bound to every address, since nothing else lets them hear what they must; they are tied to the loopback device
 * instead. */
#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>

#include "net/outside.h"
#include "net/served.h"

static const char sea[] =
    "<fathom version='1'><world dt='0.02 s' seed='3' capacity='3' latitude='47 deg' longitude='8 deg'>"
    "<water density='1000 kg/m3'/><bottom depth='20 m'/></world>"
    "<vehicle name='rov' model='bluerov2-heavy' position='0 0 5 "
    "m'><pressure/><echosounder/><dvl/><scanning-sonar/></vehicle></fathom>";

static program_run r;

/* --- asking the kernel --- */

typedef struct bound_socket {
    const char *kind; /* tcp, tcp6, udp, udp6 */
    char address[64]; /* of the socket, in hexadecimal digits as the kernel has it */
    unsigned port;
    unsigned long inode;
} bound_socket;

enum { SOCKETS = 256 };

/* Inodes of all sockets of a process. */
static size_t list_inodes(pid_t pid, unsigned long inodes[SOCKETS])
{
    char path[64], link[64];
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) && count < SOCKETS;) {
        char file[400];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        ssize_t n = readlink(file, link, sizeof link - 1);
        link[n > 0 ? n : 0] = 0;
        count += sscanf(link, "socket:[%lu]", &inodes[count]) == 1;
    }
    if (folder)
        closedir(folder);
    return count;
}

static int has_inode(const unsigned long *inodes, size_t count, unsigned long inode)
{
    for (size_t i = 0; i < count; i++)
        if (inodes[i] == inode)
            return 1;
    return 0;
}

/* Those of IP; a process has others too. */
static size_t list_sockets(pid_t pid, bound_socket sockets[SOCKETS])
{
    static const char *const kinds[] = {"tcp", "tcp6", "udp", "udp6"};
    unsigned long inodes[SOCKETS];
    size_t inode_count = list_inodes(pid, inodes), count = 0;
    for (size_t k = 0; k < 4; k++) {
        char path[64], line[512];
        snprintf(path, sizeof path, "/proc/%d/net/%s", (int)pid, kinds[k]);
        FILE *in = fopen(path, "r");
        while (in && fgets(line, sizeof line, in) && count < SOCKETS) {
            bound_socket *s = &sockets[count];
            if (sscanf(line, " %*d: %63[0-9A-F]:%x %*s %*s %*s %*s %*s %*s %*s %lu", s->address, &s->port, &s->inode) !=
                3)
                continue;
            s->kind = kinds[k];
            count += (size_t)has_inode(inodes, inode_count, s->inode);
        }
        if (in)
            fclose(in);
    }
    return count;
}

/* 127.x.x.x, ::1, or the former within the latter; numbers are little-endian words. */
static int is_loopback(const bound_socket *s)
{
    size_t length = strlen(s->address);
    if (length == 8)
        return strcmp(s->address + 6, "7F") == 0;
    return strcmp(s->address, "00000000000000000000000001000000") == 0 ||
           (strncmp(s->address, "0000000000000000FFFF0000", 24) == 0 && strcmp(s->address + 30, "7F") == 0);
}

/* Whether a UDP socket that is bound to every address is tied to the loopback device. */
static int is_kept_local(const bound_socket *s)
{
    char inode[32];
    if (strncmp(s->kind, "udp", 3) != 0 || strspn(s->address, "0") != strlen(s->address))
        return 0;
    snprintf(inode, sizeof inode, "ino:%lu ", s->inode);
    run_shell(&r, "ss -H -a -u -n -e");
    const char *at = strstr(r.out, inode);
    while (at && at > r.out && at[-1] != '\n')
        at--;
    const char *end = at ? strchr(at, '\n') : NULL, *device = at ? strstr(at, "%lo:") : NULL;
    return device && device < end;
}

/* The first socket that others can reach; NULL: none. */
static const bound_socket *find_wide(const bound_socket *sockets, size_t count, int device)
{
    for (size_t i = 0; i < count; i++)
        if (!is_loopback(&sockets[i]) && !(device && is_kept_local(&sockets[i])))
            return &sockets[i];
    return NULL;
}

/* --- commands --- */

typedef struct command_case {
    const char *line; /* %d: a free port for TCP, %u: one for UDP */
    size_t sockets;   /* of IP that it has */
    int device;       /* some are tied to the loopback device instead */
} command_case;

static void write_line(const command_case *c, char *line, size_t size)
{
    size_t n = 0;
    for (const char *at = c->line; *at && n + 8 < size; at++) {
        int tcp = strncmp(at, "%d", 2) == 0, udp = strncmp(at, "%u", 2) == 0;
        if (tcp || udp)
            n += (size_t)snprintf(line + n, size - n, "%d", free_port(tcp ? SOCK_STREAM : SOCK_DGRAM));
        else
            line[n++] = *at;
        at += tcp || udp;
    }
    line[n] = 0;
}

static int has_ended(pid_t child)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

/* Waits until it has its sockets and judges them. */
static void check_case(const command_case *c)
{
    outside o;
    char line[2048], *told;
    bound_socket sockets[SOCKETS];
    const bound_socket *wide = NULL;
    size_t count = 0;
    write_line(c, line, sizeof line);
    begin_fathom(&o, "net_bound", "%s", line);
    for (double end = clock_now() + 30; clock_now() < end; usleep(20000)) {
        count = list_sockets(o.child, sockets);
        wide = find_wide(sockets, count, c->device);
        if ((count >= c->sockets && c->sockets > 0 && !wide) || has_ended(o.child))
            break;
        if (c->sockets == 0 && clock_now() > end - 29) /* a second without any */
            break;
    }
    usleep(200000); /* none comes later */
    count = list_sockets(o.child, sockets);
    wide = find_wide(sockets, count, c->device);
    kill(o.child, SIGTERM);
    end_fathom(&o, &told);
    if (wide)
        fail_msg("fathom %s: a socket (%s) is bound to %s port %u", line, wide->kind, wide->address, wide->port);
    if (count != c->sockets)
        fail_msg("fathom %s: %zu sockets of IP, not %zu; it says: %s", line, count, c->sockets, told);
    free(told);
}

static void check_all(const command_case *cases, size_t count)
{
    write_file("net_bound.xml", sea);
    for (size_t i = 0; i < count; i++)
        check_case(&cases[i]);
}
#define CHECK(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

/* --- facts --- */

static void a_socket_that_is_open_to_others_is_found(void **state)
{
    (void)state;
    static const char *const wide[] = {"0.0.0.0", "::"};
    bound_socket sockets[SOCKETS];
    assert_null(find_wide(sockets, list_sockets(getpid(), sockets), 1));
    for (int i = 0; i < 2; i++) {
        struct sockaddr_in four = {.sin_family = AF_INET};
        struct sockaddr_in6 six = {.sin6_family = AF_INET6};
        int fd = socket(i ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
        if (fd < 0 ||
            bind(fd, i ? (struct sockaddr *)&six : (struct sockaddr *)&four, i ? sizeof six : sizeof four) != 0)
            continue;
        if (!find_wide(sockets, list_sockets(getpid(), sockets), 1))
            fail_msg("a socket at %s is not seen", wide[i]);
        close(fd);
    }
    struct sockaddr_in own = local_port(0);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&own, sizeof own), 0);
    assert_int_equal(listen(fd, 1), 0);
    size_t count = list_sockets(getpid(), sockets);
    assert_same(count, 1);
    assert_true(!find_wide(sockets, count, 0));
    close(fd);
}

static void commands_serve_this_computer_alone(void **state)
{
    (void)state;
    static const command_case cases[] = {
        {"view net_bound.xml", 1, 0},
        {"view net_bound.xml --http 127.0.0.1:%d", 1, 0},
        {"view net_bound.xml --http localhost:%d", 1, 0},
        {"view net_bound.xml --http :%d", 1, 0},
        {"view net_bound.xml --http [::1]:%d", 1, 0},
        {"run " FATHOM_SOURCE_DIR "/scenarios/phoenix-telemetry.xml --quiet --telemetry-loop %u", 1, 0},
        {"serve " FATHOM_SOURCE_DIR "/scenarios/snookie-hardware.xml --quiet --port 0 --hardware-loop %u", 2, 0},
        {"run net_bound.xml --realtime --duration 3600 --quiet", 0, 0},
        {"run net_bound.xml --realtime --duration 3600 --quiet --http 127.0.0.1:%d", 1, 0},
        {"run net_bound.xml --realtime --duration 3600 --quiet --overlay udp:%u", 1, 0},
        {"run net_bound.xml --realtime --duration 3600 --quiet --overlay rov=udp:127.0.0.1:%u", 1, 0},
        {"view net_bound.xml --http 127.0.0.1:%d --overlay udp:0", 2, 0},
        {"serve net_bound.xml --port 0", 1, 0},
        {"serve net_bound.xml --port 0 --overlay udp:%u", 2, 0},
        {"serve net_bound.xml --port 0 --http 127.0.0.1:%d --socket net_bound.socket", 2, 0},
        {"ctl clients --port %u --timeout 60", 1, 0},
        {"dis 127.0.0.1:%u", 1, 0},
        {"dis :%u", 1, 0},
        {"emulate pressure net_bound.xml --vehicle rov --shared nobody --wait", 0, 0},
    };
    CHECK(cases);
}

#define RUN "run net_bound.xml --realtime --duration 3600 --quiet --bridge "

static void bridges_serve_this_computer_alone(void **state)
{
    (void)state;
    static const command_case cases[] = {
        {RUN "\"nmea address=127.0.0.1 port=%u listen-port=%u\"", 2, 0},
        {RUN "\"nmea port=%u\"", 1, 0},
        {RUN "\"nmea transport=tcp address=127.0.0.1 port=%d\"", 1, 0},
        {RUN "\"mavlink port=%u\"", 1, 0},
        {RUN "\"mavlink address=127.0.0.1 port=%u simulator=%d\"", 2, 0},
        {RUN "\"ardupilot address=127.0.0.1 port=%u\"", 1, 0},
        {RUN "\"odometry port=%u\"", 1, 0},
        {RUN "\"odometry mode=send port=%u\"", 1, 0},
        {RUN "\"ping port=%u\" --bridge \"ping instrument=scanning-sonar address=127.0.0.1 port=%u\"", 2, 0},
        {RUN "\"dis address=127.0.0.1 port=%u\"", 1, 0},
        {RUN "\"dis address=127.255.255.255 port=%u\"", 1, 1},
        {RUN "\"dis address=239.1.2.3 interface=127.0.0.1 port=%u\"", 1, 1},
        {"serve net_bound.xml --port 0 --http 127.0.0.1:%d --bridge \"mavlink port=%u\" --bridge \"nmea port=%u\"", 4,
         0},
        {"view net_bound.xml --http 127.0.0.1:%d --bridge \"dis address=127.0.0.1 port=%u\"", 2, 0},
    };
    CHECK(cases);
}

/* Two for multicast, two for unicast, one to send. */
static void ros2_on_the_loopback_interface_hears_this_computer_alone(void **state)
{
    (void)state;
    static const command_case cases[] = {
        {RUN "\"ros2 domain=91 address=127.0.0.1\"", 5, 1},
        {RUN "\"ros2 domain=92 address=lo\"", 5, 1},
    };
    run_fathom(&r, "run net_bound.xml --duration 0.1 --quiet --bridge \"ros2 domain=93 address=lo\"");
    if (r.status != 0 && said(&r, "built without")) {
        print_message("this program was built without ROS 2\n");
        return;
    }
    CHECK(cases);
    setenv("ROS_LOCALHOST_ONLY", "1", 1);
    check_case(&(command_case){RUN "\"ros2 domain=94\"", 5, 1});
    unsetenv("ROS_LOCALHOST_ONLY");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_socket_that_is_open_to_others_is_found),
        cmocka_unit_test(commands_serve_this_computer_alone),
        cmocka_unit_test(bridges_serve_this_computer_alone),
        cmocka_unit_test(ros2_on_the_loopback_interface_hears_this_computer_alone),
    };
    return cmocka_run_group_tests_name("bound addresses", tests, NULL, NULL);
}
