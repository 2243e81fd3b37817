/* Status codes and error reports. The library returns errors; it never prints, exits or aborts. */
#ifndef FATHOM_STATUS_H
#define FATHOM_STATUS_H

/* Marks what the libraries export: every function of these headers and nothing else. */
#define FM_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fm_status {
    FM_OK = 0,
    FM_ERR_MEMORY,   /* an allocation failed */
    FM_ERR_FILE,     /* a file cannot be opened, read or written */
    FM_ERR_SYNTAX,   /* a file or text is not of the expected form */
    FM_ERR_NAME,     /* an unknown element, attribute, parameter, model, vehicle … */
    FM_ERR_RANGE,    /* a value outside its accepted range */
    FM_ERR_UNIT,     /* a number with a missing or wrong unit */
    FM_ERR_MODEL,    /* values that are each fine but do not make a physical model together */
    FM_ERR_STATE,    /* a non-finite or out-of-range state stopped the run */
    FM_ERR_FULL,     /* no room left: capacity of a world, a ring, a queue */
    FM_ERR_LIBRARY,  /* a library that we call failed */
    FM_ERR_MISSING,  /* a part that this build was configured without */
    FM_ERR_ARGUMENT, /* the caller broke the contract of a function */
    FM_ERR_CANCELLED /* ended by fm_world_cancel */
} fm_status;

/* What went wrong and where. `file` is empty and `line` 0 where they do not apply. */
typedef struct fm_error {
    fm_status status;
    int line;
    char file[256];
    char text[768];
} fm_error;

/* A short name of the status ("out of range"), never NULL. */
FM_API const char *fm_status_name(fm_status status);

/* Gives back memory that a function of the library handed over (their comments say so); NULL is fine. */
FM_API void fm_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
