#include "commands/terminal.h"

#include "archive/fleet.h"
#include "base/output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* mpirun gives its ranks a terminal for what goes into a file. */
bool darc_terminal_erases(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) == 1 && term != NULL && strcmp(term, "dumb") != 0 &&
           getenv(DARC_FLEET_ROLE) == NULL;
}

int darc_terminal_width(int fd)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

/* Return the colour for a word of n letters, NULL for any other. */
static const char *verdict_colour(const char *s, size_t n)
{
    static const struct {
        const char *word, *colour;
    } list[] = {{"CONSISTENT", "\033[1;32m"},
                {"INCONSISTENT", "\033[1;31m"},
                {"UNDECIDED", "\033[1;33m"}};
    for (int i = 0; i < 3; i++)
        if (strlen(list[i].word) == n && memcmp(s, list[i].word, n) == 0)
            return list[i].colour;
    return NULL;
}

static void put_terminal_line(darc_text_t out, const char *s, size_t n)
{
    /* A label is what stands between two and fourteen columns from the left. */
    size_t label = n >= 15 && memcmp(s, "  ", 2) == 0 && s[2] != ' ' &&
                           s[13] == ' ' && s[14] != ' '
                       ? 14
                       : 0;
    if (label > 0)
        darc_text_printf(out, "\033[2m%.*s\033[0m", (int)label, s);
    for (size_t i = label; i < n;) {
        size_t word = 0;
        while (i + word < n && isupper((unsigned char)s[i + word]))
            word++;
        const char *colour = verdict_colour(s + i, word);
        if (word == 0)
            word = 1;
        if (colour != NULL)
            darc_text_printf(out, "%s%.*s\033[0m", colour, (int)word, s + i);
        else
            darc_text_write(out, s + i, word);
        i += word;
    }
}

darc_status darc_terminal_print(const char *report, darc_err *err)
{
    /* NO_COLOR (no-color.org) is set to any value but the empty one. */
    const char *no = getenv("NO_COLOR");
    bool colours =
        darc_terminal_erases(STDOUT_FILENO) && (no == NULL || no[0] == '\0');
    darc_text_t shown = DARC_TEXT, out = DARC_TEXT;
    darc_text_shown(colours ? shown : out, report);
    for (const char *s = shown->s; *s != '\0';) {
        size_t n = strcspn(s, "\n");
        put_terminal_line(out, s, n);
        s += n;
        if (*s == '\n')
            darc_text_putc(out, *s++);
    }
    darc_status status = darc_output_file("-", out->s, out->len, err);
    DARC_EACH(darc_text_clear, shown, out);
    return status;
}
