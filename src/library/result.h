/* result.h - a result that a caller holds: found here or in a child, with its
 * texts; what the caller sees of it is what it begins with.
 */
#pragma once

#include "base/carrier.h"
#include "base/text.h"
#include "darc/model.h"
#include "session/options.h"

enum { DARC_RESULT_FORMATS = 6 }; /* and a NULL behind them */

/* The formats of a result that has a page. */
#define DARC_RESULT_PAGED "text", "json", "html", "svg"

/* What is asked, of a child too; both outlive the result. */
typedef struct {
    const darc_model *model[2];
    const darc_options *options; /* a copy, where it is answered */
    const void *of;              /* what else is asked about; until then */
} darc_request;

typedef struct {
    size_t size;      /* bytes of a result, which begins as zeros */
    unsigned command; /* whose options are taken */
    darc_status (*find)(void *result, const darc_request *q,
                        const darc_budget *budget, darc_err *err);
    void (*carry)(darc_carrier *c, void *result); /* what the caller sees; NULL:
                                                     it is found here */
    bool (*is_late)(
        const void *result,
        const char *format); /* whether a child makes that text
                                only when it is asked for; or NULL */
    void (*put)(darc_text_t out, void *result, const char *format);
    void (*clear)(void *result); /* also what was not found to the end */
    const char *format[DARC_RESULT_FORMATS];
} darc_result_kind;

/* The same as a value, in that order, the formats last. */
#define DARC_RESULT_KIND(type, command, find, carry, is_late, put, clear, ...) \
    {                                                                          \
        sizeof(type), DARC_CMD_##command, find, carry, is_late, put, clear,    \
        {                                                                      \
            __VA_ARGS__                                                        \
        }                                                                      \
    }

/* Set *result, a pointer to what the caller sees, to what is found.
 * Fails: as find; DARC_LIMIT for lack of memory. */
DARC_STATUS darc_result_new(void *result, const darc_result_kind *kind,
                            const darc_request *q, const darc_budget *budget,
                            darc_err *err);
void darc_result_free(void *result);

/* Return its text, NULL for another format, or for lack of memory; valid until
 * the next call. */
const char *darc_result_text(void *result, const char *format);

/* Both under the names of the public interface. */
#define DARC_RESULT_OF(type, name)                                             \
    void name##_free(type *result)                                             \
    {                                                                          \
        darc_result_free(result);                                              \
    }                                                                          \
    const char *name##_text(type *result, const char *format)                  \
    {                                                                          \
        return darc_result_text(result, format);                               \
    }
