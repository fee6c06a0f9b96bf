#include "markup.h"

#include <check.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_void(const char *tag)
{
    static const char *const list[] = {"meta",   "path", "rect",
                                       "circle", "br",   "mspace"};
    for (int i = 0; i < 6; i++)
        if (strcmp(tag, list[i]) == 0)
            return true;
    return false;
}

/* Skip a tag from its '<'; every attribute value stands in quotes. */
static const char *skip_tag(const char *s)
{
    for (bool quoted = false; *s != '\0' && (quoted || *s != '>'); s++)
        quoted ^= *s == '"';
    ck_assert_msg(*s == '>', "a tag without end");
    return s + 1;
}

void markup_assert_nested(const char *s)
{
    enum { DEEP = 64 };
    char open[DEEP][24];
    int depth = 0;
    while ((s = strchr(s, '<')) != NULL) {
        char tag[24] = "";
        bool closes = s[1] == '/';
        const char *name = s + 1 + closes;
        if (*name == '!') {
            s = skip_tag(s);
            continue;
        }
        for (size_t n = 0; n < 23 && isalnum((unsigned char)name[n]); n++)
            tag[n] = name[n];
        ck_assert_msg(tag[0] != '\0', "a lone '<': %.40s", s);
        const char *end = skip_tag(s);
        if (closes) {
            ck_assert_msg(depth > 0 && strcmp(open[depth - 1], tag) == 0,
                          "</%s> closes <%s>", tag,
                          depth > 0 ? open[depth - 1] : "nothing");
            depth--;
        } else if (!is_void(tag) && end[-2] != '/') {
            ck_assert_int_lt(depth, DEEP);
            memcpy(open[depth++], tag, sizeof tag);
        }
        if (!closes && strcmp(tag, "script") == 0)
            end = strstr(end, "</script>");
        if (!closes && strcmp(tag, "style") == 0)
            end = strstr(end, "</style>");
        ck_assert_ptr_nonnull(end);
        s = end;
    }
    ck_assert_int_eq(depth, 0);
}

int markup_count(const char *s, const char *what)
{
    int n = 0;
    while ((s = strstr(s, what)) != NULL) {
        n++;
        s++;
    }
    return n;
}
