#include "library/result.h"

#include "base/attempt.h"
#include "base/mem.h"

#include <stddef.h>
#include <string.h>

/* What lies before a result. */
typedef union {
    struct {
        const darc_result_kind *kind;
        darc_request asked;
        darc_options options; /* a copy */
        darc_text_t text;
        bool carried;                        /* all lies in one block, and */
        const char *as[DARC_RESULT_FORMATS]; /* the texts; NULL: late */
        char *late[DARC_RESULT_FORMATS];     /* what was not carried; owned */
    };
    max_align_t aligned;
} head;

static head *head_of(void *result)
{
    return (head *)result - 1;
}

static darc_status keep_request(head *h, const darc_request *q)
{
    h->asked = *q;
    h->asked.options = &h->options;
    darc_options_copy(&h->options, q->options, h->kind->command);
    return DARC_OK;
}

static darc_status find_here(head **to, const darc_result_kind *kind,
                             const darc_request *q, const darc_budget *budget,
                             darc_err *err)
{
    head *h = darc_calloc(1, sizeof *h + kind->size);
    h->kind = kind;
    darc_text_init(h->text);
    (void)keep_request(h, q);
    darc_status status = kind->find(h + 1, &h->asked, budget, err);
    if (status == DARC_OK)
        *to = h;
    else
        darc_result_free(h + 1);
    return status;
}

static void carry(darc_carrier *c, head **h, const darc_result_kind *kind)
{
    darc_carry(c, h, sizeof **h + kind->size);
    kind->carry(c, *h + 1);
    for (int f = 0; kind->format[f] != NULL; f++)
        darc_carry_text(c, &(*h)->as[f]);
}

/* What is asked of a child. */
typedef struct {
    const darc_result_kind *kind;
    const darc_request *asked;
    const char *format; /* the text alone; NULL: all */
} question;

static darc_status answer(darc_answer *a, void *user, const darc_budget *budget,
                          darc_err *err)
{
    const question *q = user;
    const darc_result_kind *kind = q->kind;
    head *h;
    DARC_NEED(find_here(&h, kind, q->asked, budget, err));
    if (q->format != NULL) {
        const char *text = darc_result_text(h + 1, q->format);
        if (text != NULL)
            darc_answer_put(a, text, strlen(text));
        return DARC_OK;
    }
    for (int f = 0; kind->format[f] != NULL; f++)
        if (kind->is_late == NULL || !kind->is_late(h + 1, kind->format[f]))
            h->as[f] = darc_strdup(darc_result_text(h + 1, kind->format[f]));
    h->carried = true;
    carry(&(darc_carrier){.to = a}, &h, kind);
    return DARC_OK;
}

static darc_status find_apart(head **to, const question *q,
                              const darc_budget *budget, darc_err *err)
{
    size_t n;
    char *bytes;
    darc_status status;
    DARC_NEED(darc_apart(&bytes, &n, answer, (void *)q, budget, err));
    carry(&(darc_carrier){.at = bytes}, to, q->kind);
    DARC_ATTEMPT(status, keep_request(*to, q->asked), err);
    if (status != DARC_OK)
        darc_apart_free(bytes);
    return status;
}

darc_status darc_result_new(void *result, const darc_result_kind *kind,
                            const darc_request *q, const darc_budget *budget,
                            darc_err *err)
{
    head *h = NULL;
    darc_status status;
    if (kind->carry == NULL)
        DARC_ATTEMPT(status, find_here(&h, kind, q, budget, err), err);
    else if (darc_apart_suits(budget))
        status = find_apart(&h, &(question){kind, q, NULL}, budget, err);
    else
        status = find_here(&h, kind, q, budget, err);
    if (status == DARC_OK)
        *(void **)result = h + 1;
    return status;
}

void darc_result_free(void *result)
{
    if (result == NULL)
        return;
    head *h = head_of(result);
    darc_options_clear(&h->options);
    DARC_ALL_OF(darc_apart_free, h->late, DARC_RESULT_FORMATS);
    if (h->carried) {
        darc_apart_free((char *)h);
        return;
    }
    h->kind->clear(result);
    darc_text_clear(h->text);
    darc_free(h);
}

const char *darc_result_text(void *result, const char *format)
{
    head *h = head_of(result);
    const darc_result_kind *kind = h->kind;
    size_t n;
    int f = 0;
    while (kind->format[f] != NULL && strcmp(kind->format[f], format) != 0)
        f++;
    if (kind->format[f] == NULL)
        return NULL;
    if (!h->carried)
        return darc_text_attempt(h->text, kind->put, result, kind->format[f]);
    question q = {kind, &h->asked, kind->format[f]};
    if (h->as[f] == NULL && h->late[f] == NULL &&
        darc_apart(&h->late[f], &n, answer, &q, NULL, NULL) != DARC_OK)
        h->late[f] = NULL;
    return h->as[f] != NULL ? h->as[f] : h->late[f];
}
