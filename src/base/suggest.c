#include "base/suggest.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 64 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

/* Levenshtein's distance, one row of the table at a time. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int change = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            int gap = (row[j - 1] < row[j] ? row[j - 1] : row[j]) + 1;
            row[j] = change < gap ? change : gap;
        }
    }
    return row[m];
}

int darc_suggest(const char *name, const char *const *candidate, int count)
{
    int best = 3, found = -1;
    for (int i = 0; i < count; i++) {
        if (candidate[i] == NULL)
            continue;
        int d = distance(name, candidate[i]);
        if (d < best && (size_t)d < strlen(name)) {
            best = d;
            found = i;
        }
    }
    return found;
}
