/* archive_key.c - what makes a campaign: the model and the settings. */
#include "archive/archive.h"

#include <math.h>
#include <string.h>

/* To be raised when fits of the same recording come to differ, as
 * tests/test_archive.c tells. */
enum { FITS = 2 };

static void put_number(darc_text_t out, const char *key, const char *name,
                       double x)
{
    darc_text_printf(out, "%s%s%s ", key, name[0] != '\0' ? " " : "", name);
    darc_text_double(out, x);
    darc_text_putc(out, '\n');
}

static void put_text(darc_text_t out, const char *key, const char *text)
{
    if (text != NULL)
        darc_text_printf(out, "%s %s\n", key, text);
}

static void put_load(darc_text_t out, const darc_load_options *o)
{
    put_text(out, "time", o->time_column);
    if (o->rate > 0)
        put_number(out, "rate", "", o->rate);
    if (!isnan(o->from))
        put_number(out, "from", "", o->from);
    if (!isnan(o->to))
        put_number(out, "to", "", o->to);
    for (int i = 0; i < o->maps; i++)
        darc_text_printf(out, "map %s %s\n", o->map_name[i], o->map_column[i]);
    for (int i = 0; i < o->scales; i++)
        put_number(out, "scale", o->scale_name[i], o->scale[i]);
}

darc_status darc_archive_settings(darc_text_t out, const darc_session *s,
                                  darc_err *err)
{
    const darc_session_settings *set = &s->set;
    char hex[DARC_SHA256_HEX];
    darc_text_printf(out, "fits %d\n", FITS);
    put_number(out, "alpha", "", set->alpha);
    put_number(out, "tolerance", "", set->tolerance);
    put_text(out, "ranking", set->ranking);
    if (set->engine != DARC_ENGINE_AUTO)
        darc_text_printf(out, "engine %d\n", (int)set->engine);
    for (int i = 0; i < set->noises; i++)
        put_number(out, "noise", set->noise_name[i], set->noise_sd[i]);
    put_load(out, &set->load);
    if (set->noise_file == NULL)
        return DARC_OK;
    darc_status status = darc_sha256_file(hex, set->noise_file, err);
    if (status == DARC_OK)
        put_text(out, "noise-from", hex);
    return status;
}

void darc_archive_digest(char hex[DARC_SHA256_HEX], const char *first,
                         const char *second)
{
    unsigned char digest[DARC_SHA256_BYTES];
    darc_sha256 s;
    darc_sha256_init(&s);
    darc_sha256_update(&s, first, strlen(first) + 1);
    darc_sha256_update(&s, second, strlen(second));
    darc_sha256_final(&s, digest);
    for (int i = 0; i < DARC_SHA256_BYTES; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    hex[2 * DARC_SHA256_BYTES] = '\0';
}
