#include "session/state.h"

#include "base/mem.h"

#include <stdio.h>
#include <unistd.h>

void darc_session_note(darc_session *s, const char *format, ...)
{
    if (s->notes == DARC_SESSION_NOTES)
        return;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    s->note[s->notes++] = darc_strdup(text);
}

int darc_session_threads(const darc_session *s)
{
    long n =
        s->set.threads > 0 ? s->set.threads : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}

void darc_session_criteria(darc_criteria *c, const darc_session *s)
{
    darc_criteria_init(c);
    c->alpha = s->set.alpha;
    c->tolerance = s->set.tolerance;
    c->noise_sd = s->noise;
    c->held = s->hold;
    c->rest = s->resting;
    c->colour = s->set.colour;
    c->threads = darc_session_threads(s);
}
