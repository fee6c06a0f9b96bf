/* sundials.h - the only file that names SUNDIALS headers; hides 6.x against
 * 7.x. */
#ifndef DARC_SIMULATE_SUNDIALS_H
#define DARC_SIMULATE_SUNDIALS_H

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#if SUNDIALS_VERSION_MAJOR >= 7
#define DARC_SUN_COMM SUN_COMM_NULL
#else
#define DARC_SUN_COMM NULL
/* A library does not print; the return codes say all. */
static inline void darc_sun_ignore(int code, const char *module,
                                   const char *function, char *message,
                                   void *user)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)user;
}
#endif

static inline int darc_sun_context(SUNContext *context)
{
    int failed = SUNContext_Create(DARC_SUN_COMM, context) != 0;
#if SUNDIALS_VERSION_MAJOR >= 7
    failed = failed || SUNContext_ClearErrHandlers(*context) != 0;
#endif
    return failed;
}

static inline void darc_sun_quiet_cvode(void *memory)
{
#if SUNDIALS_VERSION_MAJOR >= 7
    CVodeSetMaxHnilWarns(memory, -1); /* its logger prints this one */
#else
    CVodeSetErrHandlerFn(memory, darc_sun_ignore, NULL);
#endif
}

static inline void darc_sun_quiet_ida(void *memory)
{
#if SUNDIALS_VERSION_MAJOR >= 7
    (void)memory;
#else
    IDASetErrHandlerFn(memory, darc_sun_ignore, NULL);
#endif
}

#endif
