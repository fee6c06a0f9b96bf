#include "session/options.h"

#include "base/attempt.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const darc_option_row table[] = {
#define X(id, name, argument, kind, ...)                                       \
    {DARC_OPT_##id, name, argument, DARC_KIND_##kind, __VA_ARGS__},
#include "options.inc"
#undef X
};

const darc_option_row *darc_option_row_at(int i)
{
    return &table[i];
}

const darc_option_row *darc_option_next(const darc_option_row *row,
                                        unsigned command)
{
    row = row == NULL ? table : row + 1;
    while (row < table + DARC_OPT_COUNT && (row->commands & command) == 0)
        row++;
    return row < table + DARC_OPT_COUNT ? row : NULL;
}

darc_status darc_option_find(const darc_option_row **row, const char *name,
                             size_t n, unsigned command, darc_err *err)
{
    *row = NULL;
    while ((*row = darc_option_next(*row, command)) != NULL)
        if (strlen((*row)->name) == n && strncmp((*row)->name, name, n) == 0)
            return DARC_OK;
    char *unknown = darc_strndup(name, n);
    darc_suggestion near;
    darc_suggestion_init(&near, unknown);
    const darc_option_row *offer = NULL;
    while ((offer = darc_option_next(offer, command)) != NULL)
        darc_suggestion_offer(&near, offer->name);
    darc_fail(err, DARC_USAGE,
              "unknown option '%s'%s; see --help of the command", unknown,
              darc_suggestion_text(&near));
    darc_free(unknown);
    return DARC_USAGE;
}

static darc_status check_number(const darc_option_row *row, const char *text,
                                darc_err *err)
{
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(x))
        return darc_fail(err, DARC_USAGE, "%s: expected a number, not '%s'",
                         row->name, text);
    if (x < row->low || x > row->high)
        return darc_fail(err, DARC_USAGE, "%s: %s lies outside %g .. %g",
                         row->name, text, row->low, row->high);
    if (row->kind == DARC_KIND_WHOLE && x != floor(x))
        return darc_fail(err, DARC_USAGE,
                         "%s: expected a whole number, not '%s'", row->name,
                         text);
    return DARC_OK;
}

/* Return the place of text in "a|b|c", -1 if it is not there. */
static int word_index(const char *list, const char *text)
{
    size_t n = strlen(text);
    for (int i = 0;; i++) {
        size_t length = strcspn(list, "|");
        if (length == n && strncmp(list, text, n) == 0)
            return i;
        if (list[length] == '\0')
            return -1;
        list += length + 1;
    }
}

/* Return the bytes of the name or value at s, which ends before one of the
 * stops, or behind the quote that closes where it begins with one. */
static size_t part_length(const char *s, const char *stops)
{
    const char *close = *s == '"' ? strchr(s + 1, '"') : NULL;
    bool quoted =
        close != NULL && strchr(stops, close[1]) != NULL; /* or '\0' */
    return quoted ? (size_t)(close + 1 - s) : strcspn(s, stops);
}

/* The part as it is meant. */
static char *part_of(const char *s, size_t n)
{
    size_t quoted = n > 1 && s[0] == '"' && s[n - 1] == '"';
    return darc_strndup(s + quoted, n - 2 * quoted);
}

/* list -> item { ',' item };  item -> name ['=' value], neither empty; in
 * quotes they may hold commas */
static darc_status check_pairs(const darc_option_row *row, const char *text,
                               darc_err *err)
{
    bool valued = strchr(row->argument, '=') != NULL;
    bool bare = !valued || strstr(row->argument, "[=") != NULL;
    for (const char *s = text;; s++) {
        size_t name = part_length(s, "=,"), all = name;
        if (s[name] == '=')
            all = name + 1 + part_length(s + name + 1, ",");
        if (name == 0 || (name == all ? !bare : !valued || all <= name + 1))
            return darc_fail(err, DARC_USAGE, "%s: expected %s, not '%s'",
                             row->name, row->argument, text);
        s += all;
        if (*s == '\0')
            return DARC_OK;
    }
}

static darc_status check_value(const darc_option_row *row, const char *text,
                               darc_err *err)
{
    switch (row->kind) {
    case DARC_KIND_REAL:
    case DARC_KIND_WHOLE:
        return check_number(row, text, err);
    case DARC_KIND_CHOICE:
        if (word_index(row->argument, text) >= 0)
            return DARC_OK;
        return darc_fail(err, DARC_USAGE, "%s: expected %s, not '%s'",
                         row->name, row->argument, text);
    case DARC_KIND_PAIRS:
        return check_pairs(row, text, err);
    case DARC_KIND_FLAG:
    case DARC_KIND_TEXT:
        break;
    }
    if (text[0] == '\0')
        return darc_fail(err, DARC_USAGE, "%s: expected %s", row->name,
                         row->argument);
    return DARC_OK;
}

darc_status darc_option_store(darc_options *o, const darc_option_row *row,
                              const char *text, darc_err *err)
{
    DARC_NEED(check_value(row, text, err));
    char *old = o->value[row->id];
    const char *between = row->id == DARC_OPT_INPUT      ? "\n"
                          : row->kind == DARC_KIND_PAIRS ? ","
                                                         : NULL;
    darc_text_t both = DARC_TEXT;
    if (old != NULL && between != NULL)
        darc_text_printf(both, "%s%s", old, between);
    darc_text_puts(both, text);
    o->value[row->id] = darc_text_take(both);
    darc_free(old);
    return DARC_OK;
}

void darc_options_copy(darc_options *o, const darc_options *from,
                       unsigned command)
{
    *o = (darc_options){.command = from != NULL ? from->command : command};
    o->command_line = darc_strdup(from != NULL ? from->command_line : "");
    for (int i = 0; from != NULL && i < DARC_OPT_COUNT; i++)
        if (from->value[i] != NULL)
            o->value[i] = darc_strdup(from->value[i]);
}

void darc_options_clear(darc_options *o)
{
    for (int i = 0; i < DARC_OPT_COUNT; i++) {
        darc_free(o->value[i]);
        o->value[i] = NULL;
    }
    darc_free((void *)o->operand);
    o->operand = NULL;
    darc_free(o->command_line);
    o->command_line = NULL;
}

bool darc_option_given(const darc_options *o, darc_option_id id)
{
    return o->value[id] != NULL;
}

const char *darc_option_text(const darc_options *o, darc_option_id id)
{
    return o->value[id] != NULL ? o->value[id] : table[id].preset;
}

double darc_option_real(const darc_options *o, darc_option_id id)
{
    const char *text = darc_option_text(o, id);
    return text != NULL ? strtod(text, NULL) : NAN;
}

long darc_option_whole(const darc_options *o, darc_option_id id)
{
    const char *text = darc_option_text(o, id);
    return text != NULL ? (long)strtod(text, NULL) : 0;
}

int darc_option_choice(const darc_options *o, darc_option_id id)
{
    const char *text = darc_option_text(o, id);
    return text == NULL ? -1 : word_index(table[id].argument, text);
}

darc_status darc_option_refuse(darc_option_id id, const darc_err *why,
                               darc_err *err)
{
    return darc_fail(err, DARC_USAGE, "%s: %s", table[id].name, why->message);
}

darc_status darc_option_ranking(darc_ranking_t rk, const char *text,
                                const darc_names_t names, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    if (text == NULL || darc_ranking_set_text(rk, text, names, &why) == DARC_OK)
        return DARC_OK;
    return darc_option_refuse(DARC_OPT_RANKING, &why, err);
}

void darc_option_pairs(darc_pairs *p, const darc_options *o, darc_option_id id)
{
    *p = (darc_pairs){0};
    darc_option_more_pairs(p, o, id);
}

void darc_option_more_pairs(darc_pairs *p, const darc_options *o,
                            darc_option_id id)
{
    const char *s = darc_option_text(o, id);
    const char *between = id == DARC_OPT_INPUT ? "\n" : ",";
    while (s != NULL && *s != '\0') {
        const char *stops = id == DARC_OPT_INPUT ? "=\n" : "=,";
        size_t name = part_length(s, stops), n = name;
        if (s[name] == '=')
            n = name + 1 + part_length(s + name + 1, between);
        size_t at = (size_t)p->count++;
        DARC_ROOM(p->name, at);
        DARC_ROOM(p->value, at);
        p->name[at] = part_of(s, name);
        p->value[at] =
            name < n ? part_of(s + name + 1, n - name - 1) : darc_strdup("");
        s += n + (s[n] != '\0');
    }
}

bool darc_pairs_has(const darc_pairs *p, const char *name)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->name[i], name) == 0)
            return true;
    return false;
}

void darc_pairs_clear(darc_pairs *p)
{
    for (int i = 0; i < p->count; i++)
        DARC_FREE(p->name[i], p->value[i]);
    DARC_FREE(p->name, p->value);
    *p = (darc_pairs){0};
}

static darc_status make(darc_options **o, const char *command, darc_err *err)
{
    static const char *const name[] = {
#define X(id, run, ...) #run,
#include "commands.inc"
#undef X
    };
    for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++)
        if (strcmp(name[i], command) == 0) {
            darc_options *new = darc_calloc(1, sizeof *new);
            darc_options_copy(new, NULL, 1u << i);
            *o = new;
            return DARC_OK;
        }
    return darc_fail(err, DARC_USAGE, "there is no command '%s'", command);
}

darc_status darc_options_new(darc_options **o, const char *command,
                             darc_err *err)
{
    darc_status status;
    DARC_ATTEMPT(status, make(o, command, err), err);
    return status;
}

void darc_options_free(darc_options *o)
{
    if (o != NULL)
        darc_options_clear(o);
    darc_free(o);
}

static darc_status set(darc_options *o, const char *name, const char *value,
                       darc_err *err)
{
    const darc_option_row *row;
    darc_text_t dashed = DARC_TEXT;
    darc_text_printf(dashed, "--%s", name);
    darc_status status =
        darc_option_find(&row, dashed->s, dashed->len, o->command, err);
    darc_text_clear(dashed);
    if (status != DARC_OK)
        return status;
    if ((row->commands & DARC_OF_PROGRAM) != 0)
        return darc_fail(err, DARC_USAGE, "%s is an option of the program",
                         row->name);
    if (row->kind == DARC_KIND_FLAG && strcmp(value, "yes") != 0)
        return darc_fail(err, DARC_USAGE, "%s: expected yes, not '%s'",
                         row->name, value);
    return darc_option_store(o, row, value, err);
}

darc_status darc_options_set(darc_options *o, const char *name,
                             const char *value, darc_err *err)
{
    darc_status status;
    DARC_ATTEMPT(status, set(o, name, value, err), err);
    return status;
}

darc_status darc_options_number(darc_options *o, const char *name, double value,
                                darc_err *err)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    return darc_options_set(o, name, text, err);
}
