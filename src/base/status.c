#include "base/status.h"

#include <assert.h>
#include <stdio.h>

void darc_err_init(darc_err *err)
{
    err->status = DARC_OK;
    err->message[0] = '\0';
}

darc_status darc_vfail(darc_err *err, darc_status status, const char *format,
                       va_list args)
{
    assert(status != DARC_OK);
    if (err == NULL || err->status != DARC_OK)
        return status;
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, args);
    return status;
}

darc_status darc_fail(darc_err *err, darc_status status, const char *format,
                      ...)
{
    va_list args;
    va_start(args, format);
    darc_vfail(err, status, format, args);
    va_end(args);
    return status;
}

darc_status darc_fail_as(darc_err *err, darc_status status, const darc_err *why)
{
    return status == DARC_OK ? status
                             : darc_fail(err, status, "%s", why->message);
}

const char *darc_status_text(darc_status status)
{
    static const char *const text[] = {
#define DARC_STATUS_TEXT(name, text) text,
        DARC_STATUS_LIST(DARC_STATUS_TEXT)
#undef DARC_STATUS_TEXT
    };
    assert((int)status >= 0 && (size_t)status < sizeof text / sizeof text[0]);
    return text[status];
}
