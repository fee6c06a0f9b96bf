/* status.h - error values: a status, and the first message with its place.
 *
 * Functions that may fail because of input return a darc_status and take a
 * darc_err last; NULL is allowed there.  The first message recorded stays.
 */
#ifndef DARC_STATUS_H
#define DARC_STATUS_H

#include <stdarg.h>

/* Around the declarations of every header, so that C++ finds them too. */
#ifdef __cplusplus
#define DARC_BEGIN_DECLS extern "C" {
#define DARC_END_DECLS }
#else
#define DARC_BEGIN_DECLS
#define DARC_END_DECLS
#endif

DARC_BEGIN_DECLS

#define DARC_STATUS_LIST(X)                                                    \
    X(OK, "ok")                                                                \
    X(SYNTAX, "syntax error")                                                  \
    X(MODEL, "model error")                                                    \
    X(DATA, "data error")                                                      \
    X(IO, "input/output error")                                                \
    X(DOMAIN, "outside the domain of the operation")                           \
    X(LIMIT, "limit reached")                                                  \
    X(INTERNAL, "internal error")                                              \
    X(USAGE, "command line error")

typedef enum {
#define DARC_STATUS_ENUM(name, text) DARC_##name,
    DARC_STATUS_LIST(DARC_STATUS_ENUM)
#undef DARC_STATUS_ENUM
} darc_status;

/* Three answers: a spent budget is never a "no". */
typedef enum { DARC_FALSE, DARC_TRUE, DARC_UNKNOWN } darc_truth;

#define DARC_ERR_MESSAGE 2048

typedef struct {
    darc_status status;
    char message[DARC_ERR_MESSAGE]; /* without a trailing newline */
} darc_err;

#if defined(__GNUC__)
#define DARC_CHECKED __attribute__((warn_unused_result))
#define DARC_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define DARC_CHECKED
#define DARC_PRINTF(f, a)
#endif

/* Store the result of call in `status`; jump to `done` unless it is OK. */
#define DARC_TRY(call)                                                         \
    do {                                                                       \
        status = (call);                                                       \
        if (status != DARC_OK)                                                 \
            goto done;                                                         \
    } while (0)

/* Return what call returns unless it is OK: where nothing is to be released. */
#define DARC_NEED(call)                                                        \
    do {                                                                       \
        darc_status needed = (call);                                           \
        if (needed != DARC_OK)                                                 \
            return needed;                                                     \
    } while (0)

/* Make err empty: DARC_OK and no message. */
void darc_err_init(darc_err *err);

/* Record status and message in err unless it holds one already; return
 * status.  Precondition: status is not DARC_OK.  err may be NULL. */
darc_status darc_fail(darc_err *err, darc_status status, const char *format,
                      ...) DARC_PRINTF(3, 4);

/* The same for a started argument list. */
darc_status darc_vfail(darc_err *err, darc_status status, const char *format,
                       va_list args) DARC_PRINTF(3, 0);

/* Return the text of a status, as in "limit reached". */
const char *darc_status_text(darc_status status);

DARC_END_DECLS

#endif
