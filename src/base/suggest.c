#include "base/suggest.h"

#include "base/limits.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Number of insertions, deletions, replacements and swaps of neighbours that
 * turn a into b; case counts as nothing.  Cost O(|a| |b|). */
static size_t edit_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    assert(m <= DARC_MAX_NAME && n <= DARC_MAX_NAME);
    size_t row[3][DARC_MAX_NAME + 1];
    for (size_t j = 0; j <= n; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *d = row[i % 3], *up = row[(i + 2) % 3];
        const size_t *upper = row[(i + 1) % 3]; /* row i - 2 */
        d[0] = i;
        for (size_t j = 1; j <= n; j++) {
            int x = tolower((unsigned char)a[i - 1]);
            int y = tolower((unsigned char)b[j - 1]);
            d[j] = least(least(up[j], d[j - 1]) + 1, up[j - 1] + (x != y));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[j] = least(d[j], upper[j - 2] + 1);
        }
    }
    return row[m % 3][n];
}

void darc_suggestion_init(darc_suggestion *s, const char *name)
{
    size_t n = strlen(name);
    *s = (darc_suggestion){
        .name = name,
        .distance = n < DARC_SUGGEST_SHORT ? 1 : n / DARC_SUGGEST_SHARE};
}

void darc_suggestion_offer(darc_suggestion *s, const char *candidate)
{
    if (strlen(s->name) > DARC_MAX_NAME || strlen(candidate) > DARC_MAX_NAME)
        return;
    size_t d = edit_distance(s->name, candidate);
    /* One letter for another one tells nothing. */
    if (d >= strlen(s->name) && d > 0)
        return;
    if (d < s->distance || (d == s->distance && s->best == NULL)) {
        s->best = candidate;
        s->distance = d;
    }
}

const char *darc_suggestion_text(darc_suggestion *s)
{
    s->text[0] = '\0';
    if (s->best != NULL)
        snprintf(s->text, sizeof s->text, " (did you mean '%s'?)", s->best);
    return s->text;
}
