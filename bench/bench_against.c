#include "bench_against.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_member.h"

/* --- the file --- */

static char *read_text(FILE *in)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    char piece[4096];
    for (size_t count; out && (count = fread(piece, 1, sizeof piece, in)) > 0;)
        fwrite(piece, 1, count, out);
    if (!out || fclose(out) != 0 || ferror(in)) {
        free(text);
        return NULL;
    }
    return text;
}

bool bench_earlier_read(bench_earlier *earlier, const char *path)
{
    FILE *in = fopen(path, "rb");
    earlier->text = in ? read_text(in) : NULL;
    int problem = errno;
    if (in)
        fclose(in);
    if (!earlier->text) {
        fprintf(stderr, "fathom bench: --against: %s: %s\n", path, strerror(problem));
        return false;
    }
    earlier->results = strstr(earlier->text, "\"results\"");
    if (earlier->results && strstr(earlier->results, "\"name\""))
        return true;
    fprintf(stderr, "fathom bench: --against: %s holds no results: must be what `fathom bench --json` has written\n",
            path);
    bench_earlier_free(earlier);
    return false;
}

void bench_earlier_free(bench_earlier *earlier)
{
    free(earlier->text);
    *earlier = (bench_earlier){0};
}

/* --- ratios --- */

/* The object of a result; NULL: not measured. */
static const char *find_result(const bench_earlier *earlier, const char *name, const char **end)
{
    char quoted[80];
    int length = snprintf(quoted, sizeof quoted, "\"%s\"", name);
    for (const char *at = earlier->results; at && (at = strchr(at, '{')) && (*end = fm_json_object_end(at));
         at = *end) {
        const char *found = fm_json_member_find(at, *end, "name");
        if (found && strncmp(found, quoted, (size_t)length) == 0)
            return at;
    }
    return NULL;
}

double bench_earlier_ratio(const bench_earlier *earlier, const bench_result *result)
{
    const char *end, *object = find_result(earlier, result->name, &end);
    if (!object)
        return NAN;
    if (isfinite(result->steps_per_s))
        return result->steps_per_s / fm_json_member_number(object, end, "steps_per_s");
    if (result->unit) {
        double value = fm_json_member_number(object, end, "value");
        return result->more_is_better ? result->value / value : value / result->value;
    }
    return result->what ? fm_json_member_number(object, end, "p99") / result->delays.p99 : NAN;
}

/* --- machines --- */

static void read_processor(char *text, size_t size)
{
    char line[512];
    FILE *in = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "unknown processor");
    while (in && fgets(line, sizeof line, in)) {
        const char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (!value)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(text, size, "%s", value + 1 + strspn(value + 1, " "));
        break;
    }
    if (in)
        fclose(in);
}

void bench_machine(char *text, size_t size)
{
    char processor[200];
    read_processor(processor, sizeof processor);
    snprintf(text, size, "%s, %ld processors", processor, sysconf(_SC_NPROCESSORS_ONLN));
}

bool bench_earlier_same_machine(const bench_earlier *earlier, const char *machine)
{
    const char *found = fm_json_member_find(earlier->text, earlier->results, "machine");
    return !found || (strncmp(found + 1, machine, strlen(machine)) == 0 && found[1 + strlen(machine)] == '"');
}
