#include "simulate/integrator.h"

#include "base/mem.h"
#include "simulate/thresholds.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* SUNDIALS 6.x and 7.x; no other file names its headers. */
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
static void ignore(int code, const char *module, const char *function,
                   char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}
#endif

struct darc_integrator {
    darc_system system;
    double t; /* where it stands, s */
    double rtol;
    SUNContext context;
    N_Vector y, dy, tolerance, id;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    void *memory; /* of CVODE or IDA */
};

static int call_slope(sunrealtype t, N_Vector y, N_Vector f, void *user)
{
    const darc_integrator *g = user;
    return g->system.slope(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f),
                           g->system.user);
}

static int call_residual(sunrealtype t, N_Vector y, N_Vector dy, N_Vector r,
                         void *user)
{
    const darc_integrator *g = user;
    return g->system.residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy),
                              N_VGetArrayPointer(r), g->system.user);
}

/* SUNDIALS writes to a clone before it looks whether there is one: where memory
 * lacks, darc_malloc tells, of more than a clone takes. */
static void lack(size_t numbers)
{
    enum { AROUND = 4096 }; /* bytes */
    darc_free(darc_malloc(numbers * sizeof(double) + AROUND));
}

static N_Vector clone(N_Vector v)
{
    N_Vector w;
    while ((w = N_VClone_Serial(v)) == NULL)
        lack((size_t)N_VGetLength(v));
    return w;
}

static N_Vector clone_empty(N_Vector v)
{
    N_Vector w;
    while ((w = N_VCloneEmpty_Serial(v)) == NULL)
        lack(0);
    return w;
}

static SUNMatrix clone_matrix(SUNMatrix m)
{
    SUNMatrix w;
    while ((w = SUNMatClone_Dense(m)) == NULL)
        lack((size_t)SUNDenseMatrix_LData(m));
    return w;
}

static bool make_vectors(darc_integrator *g)
{
    sunindextype n = g->system.n;
    if (SUNContext_Create(DARC_SUN_COMM, &g->context) != 0)
        return false;
#if SUNDIALS_VERSION_MAJOR >= 7
    if (SUNContext_ClearErrHandlers(g->context) != 0)
        return false;
#endif
    g->y = N_VNew_Serial(n, g->context);
    g->dy = N_VNew_Serial(n, g->context);
    g->tolerance = N_VNew_Serial(n, g->context);
    g->id = N_VNew_Serial(n, g->context);
    g->matrix = SUNDenseMatrix(n, n, g->context);
    if (g->y == NULL || g->dy == NULL || g->tolerance == NULL ||
        g->id == NULL || g->matrix == NULL)
        return false;
    const N_Vector own[] = {g->y, g->dy, g->tolerance, g->id};
    for (int i = 0; i < 4; i++) {
        own[i]->ops->nvclone = clone;
        own[i]->ops->nvcloneempty = clone_empty;
    }
    g->matrix->ops->clone = clone_matrix;
    N_VConst(0, g->y);
    N_VConst(0, g->dy);
    g->solver = SUNLinSol_Dense(g->y, g->matrix, g->context);
    return g->solver != NULL;
}

static bool make_cvode(darc_integrator *g, darc_integrator_method method)
{
    g->memory =
        CVodeCreate(method == DARC_ADAMS ? CV_ADAMS : CV_BDF, g->context);
    if (g->memory == NULL)
        return false;
#if SUNDIALS_VERSION_MAJOR >= 7
    CVodeSetMaxHnilWarns(g->memory, -1); /* its logger prints this one */
#else
    CVodeSetErrHandlerFn(g->memory, ignore, NULL);
#endif
    return CVodeInit(g->memory, call_slope, 0, g->y) == CV_SUCCESS &&
           CVodeSVtolerances(g->memory, g->rtol, g->tolerance) == CV_SUCCESS &&
           CVodeSetUserData(g->memory, g) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(g->memory, DARC_SOLVER_STEPS) == CV_SUCCESS &&
           CVodeSetLinearSolver(g->memory, g->solver, g->matrix) == CV_SUCCESS;
}

static bool make_ida(darc_integrator *g)
{
    g->memory = IDACreate(g->context);
    if (g->memory == NULL)
        return false;
#if SUNDIALS_VERSION_MAJOR < 7
    IDASetErrHandlerFn(g->memory, ignore, NULL);
#endif
    for (int i = 0; i < g->system.n; i++)
        N_VGetArrayPointer(g->id)[i] = g->system.differential[i] ? 1 : 0;
    return IDAInit(g->memory, call_residual, 0, g->y, g->dy) == IDA_SUCCESS &&
           IDASVtolerances(g->memory, g->rtol, g->tolerance) == IDA_SUCCESS &&
           IDASetUserData(g->memory, g) == IDA_SUCCESS &&
           IDASetId(g->memory, g->id) == IDA_SUCCESS &&
           IDASetMaxNumSteps(g->memory, DARC_SOLVER_STEPS) == IDA_SUCCESS &&
           IDASetLinearSolver(g->memory, g->solver, g->matrix) == IDA_SUCCESS;
}

darc_status darc_integrator_new(darc_integrator **out,
                                const darc_system *system,
                                darc_integrator_method method, double rtol,
                                const double *atol, darc_err *err)
{
    darc_integrator *g = *out = darc_calloc(1, sizeof *g);
    g->system = *system;
    g->rtol = rtol;
    bool made = make_vectors(g);
    if (made) {
        memcpy(N_VGetArrayPointer(g->tolerance), atol,
               (size_t)system->n * sizeof *atol);
        made = g->system.residual != NULL ? make_ida(g) : make_cvode(g, method);
    }
    if (made)
        return DARC_OK;
    darc_integrator_free(g);
    *out = NULL;
    return darc_fail(err, DARC_LIMIT, "SUNDIALS does not start: out of memory");
}

void darc_integrator_free(darc_integrator *g)
{
    if (g == NULL)
        return;
    if (g->memory != NULL && g->system.residual != NULL)
        IDAFree(&g->memory);
    else if (g->memory != NULL)
        CVodeFree(&g->memory);
    if (g->solver != NULL)
        SUNLinSolFree(g->solver);
    if (g->matrix != NULL)
        SUNMatDestroy(g->matrix);
    N_Vector owned[] = {g->y, g->dy, g->tolerance, g->id};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        if (owned[i] != NULL)
            N_VDestroy(owned[i]);
    if (g->context != NULL)
        SUNContext_Free(&g->context);
    darc_free(g);
}

darc_status darc_integrator_start(darc_integrator *g, double t, const double *y,
                                  const double *dy, double towards,
                                  darc_err *err)
{
    memcpy(N_VGetArrayPointer(g->y), y, (size_t)g->system.n * sizeof *y);
    g->t = t;
    if (g->system.residual == NULL)
        return CVodeReInit(g->memory, t, g->y) == CV_SUCCESS
                   ? DARC_OK
                   : darc_fail(err, DARC_INTERNAL, "CVODE does not start");
    memcpy(N_VGetArrayPointer(g->dy), dy, (size_t)g->system.n * sizeof *dy);
    if (IDAReInit(g->memory, t, g->y, g->dy) == IDA_SUCCESS &&
        IDACalcIC(g->memory, IDA_YA_YDP_INIT, towards) == IDA_SUCCESS &&
        IDAGetConsistentIC(g->memory, g->y, g->dy) == IDA_SUCCESS)
        return DARC_OK;
    return darc_fail(err, DARC_DOMAIN,
                     "no consistent initial values found at t = %g s: the "
                     "equations have none near the values given, or are of "
                     "higher index; a guess of a derivative may help "
                     "(--init \"x'=1\")",
                     t);
}

/* One call of the solver: 0 when t is reached, 1 when it wants more steps,
 * negative when it fails. */
static int step_solver(darc_integrator *g, double t, double stop)
{
    stop = fmin(stop, DBL_MAX);
    if (g->system.residual != NULL) {
        int flag = IDASetStopTime(g->memory, stop);
        if (flag == IDA_SUCCESS)
            flag = IDASolve(g->memory, t, &g->t, g->y, g->dy, IDA_NORMAL);
        return flag == IDA_TOO_MUCH_WORK ? 1 : flag >= 0 ? 0 : -1;
    }
    int flag = CVodeSetStopTime(g->memory, stop);
    if (flag == CV_SUCCESS)
        flag = CVode(g->memory, t, g->y, &g->t, CV_NORMAL);
    return flag == CV_TOO_MUCH_WORK ? 1 : flag >= 0 ? 0 : -1;
}

darc_status darc_integrator_advance(darc_integrator *g, double t, double stop,
                                    const darc_budget *budget, darc_err *err)
{
    while (g->t < t) {
        DARC_NEED(darc_budget_check(budget, err));
        double before = g->t;
        int more = step_solver(g, t, stop);
        if (more == 0)
            break;
        darc_budget_take(budget, DARC_SOLVER_STEPS);
        if (more < 0 || g->t - before < DARC_TOO_SLOW * (t - before))
            return darc_fail(err, DARC_DOMAIN,
                             "the solution does not go on past t = %.9g s: "
                             "it grows without bound, meets a pole, or sticks "
                             "where a function jumps (for sign(v) try "
                             "tanh(v/0.01))",
                             g->t);
    }
    g->t = t;
    return DARC_OK;
}

const double *darc_integrator_y(const darc_integrator *g)
{
    return N_VGetArrayPointer(g->y);
}

const double *darc_integrator_dy(const darc_integrator *g)
{
    return N_VGetArrayPointer(g->dy);
}
