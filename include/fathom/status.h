/* Status codes and error reports. The library returns errors; it never prints, exits or aborts. */
#ifndef FATHOM_STATUS_H
#define FATHOM_STATUS_H

/* Marks an exported function. The libraries export the functions of these headers and nothing else. */
#define FM_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns: FM_OK, or the reason it failed. */
typedef enum fm_status {
    FM_OK = 0,
    FM_ERR_MEMORY,   /* an allocation failed */
    FM_ERR_FILE,     /* a file cannot be opened, read or written */
    FM_ERR_SYNTAX,   /* a file or text has the wrong form */
    FM_ERR_NAME,     /* an unknown element, attribute, parameter, model, vehicle … */
    FM_ERR_RANGE,    /* a value is out of range */
    FM_ERR_UNIT,     /* a unit is missing or wrong */
    FM_ERR_MODEL,    /* each value is valid, but together they are not a physical model */
    FM_ERR_STATE,    /* a non-finite or out-of-range state stopped the run */
    FM_ERR_FULL,     /* no space left: in a world, a ring, a queue */
    FM_ERR_LIBRARY,  /* a library used by Fathom failed */
    FM_ERR_MISSING,  /* not included in this build */
    FM_ERR_ARGUMENT, /* an invalid argument or call sequence */
    FM_ERR_CANCELLED /* ended by fm_world_cancel */
} fm_status;

/* What went wrong and where. `file` is empty and `line` 0 if they do not apply. The caller owns it; functions write to
 * it only when they fail, and accept NULL. */
typedef struct fm_error {
    fm_status status;
    int line;
    char file[256];
    char text[768];
} fm_error;

/* Returns a short name of the status ("out of range"); a constant string, never NULL. Any thread. */
FM_API const char *fm_status_name(fm_status status);

/* Frees memory returned by functions whose comment says "free with fm_free"; NULL is allowed. Any thread. */
FM_API void fm_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
