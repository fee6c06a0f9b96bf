#include "formats/arrays.h"

#include "base/mem.h"
#include "formats/thresholds.h"

#include <math.h>
#include <string.h>

void darc_arrays_init(darc_arrays *a, const char *file)
{
    *a = (darc_arrays){.file = file};
    darc_text_init(a->left_out);
}

void darc_arrays_clear(darc_arrays *a)
{
    if (a->close != NULL)
        a->close(a);
    for (int i = 0; i < a->count; i++)
        DARC_FREE(a->array[i].path, a->array[i].unit);
    darc_free(a->array);
    darc_text_clear(a->left_out);
    darc_arrays_init(a, NULL);
}

void darc_arrays_append(darc_arrays *a, const char *path, const char *unit,
                        size_t rows, size_t columns, int handle)
{
    bool wide = columns > rows;
    DARC_APPEND(a->array, a->count,
                (darc_array){darc_text_name(path, strlen(path)),
                             darc_text_name(unit, strlen(unit)),
                             wide ? columns : rows, wide ? rows : columns,
                             handle});
}

void darc_arrays_leave(darc_arrays *a, const char *path, const char *what)
{
    if (a->left_out->len > DARC_LEFT_OUT_BYTES)
        return;
    darc_text_printf(a->left_out, "%s'%.64s' is %s",
                     a->left_out->len > 0 ? "; " : "", path, what);
}

void darc_arrays_leave_object(darc_arrays *a, const char *name,
                              const char *class)
{
    static const char *const known[][2] = {
        {"timeseries", "t = @.Time; y = @.Data; save('run.mat', 't', 'y')"},
        {"Simulink.SimulationData.Dataset",
         "s = @{1}.Values; t = s.Time; y = s.Data; save('run.mat', 't', 'y')"},
        {"Simulink.SimulationOutput",
         "s = @.yout{1}.Values; t = s.Time; y = s.Data; save('run.mat', 't', "
         "'y')"},
        {"timetable",
         "S = table2struct(timetable2table(@, 'ConvertRowTimes', false), "
         "'ToScalar', true); S.t = seconds(@.Time - @.Time(1)); "
         "save('run.mat', '-struct', 'S')"},
        {"table", "S = table2struct(@, 'ToScalar', true); save('run.mat', "
                  "'-struct', 'S')"},
        {"iddata", "t = @.SamplingInstants; u = @.u; y = @.y; save('run.mat', "
                   "'t', 'u', 'y')"},
        {"datetime", "t = seconds(@ - @(1)); save('run.mat', 't')"},
        {"duration", "t = seconds(@); save('run.mat', 't')"}};
    const char *way = "save its vectors as variables";
    darc_text_t what = DARC_TEXT;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(class, known[i][0]) == 0)
            way = known[i][1];
    darc_text_printf(what,
                     "of class %.64s, which MATLAB keeps in a form of its own "
                     "(there: ",
                     class[0] != '\0' ? class : "table or another");
    for (; *way != '\0'; way++)
        if (*way == '@')
            darc_text_printf(what, "%.64s", name);
        else
            darc_text_putc(what, *way);
    darc_text_putc(what, ')');
    darc_arrays_leave(a, name, what->s);
    darc_text_clear(what);
}

uint16_t darc_bytes_u16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t darc_bytes_u32(const unsigned char *p)
{
    return (uint32_t)darc_bytes_u16(p) | (uint32_t)darc_bytes_u16(p + 2) << 16;
}

uint64_t darc_bytes_u64(const unsigned char *p)
{
    return (uint64_t)darc_bytes_u32(p) | (uint64_t)darc_bytes_u32(p + 4) << 32;
}

bool darc_mat_type(darc_bytes_number *number, int type, bool big)
{
    static const struct {
        darc_bytes_kind kind;
        int bits;
    } types[] = {
        [1] = {DARC_BYTES_SIGNED, 8},   [2] = {DARC_BYTES_UNSIGNED, 8},
        [3] = {DARC_BYTES_SIGNED, 16},  [4] = {DARC_BYTES_UNSIGNED, 16},
        [5] = {DARC_BYTES_SIGNED, 32},  [6] = {DARC_BYTES_UNSIGNED, 32},
        [7] = {DARC_BYTES_FLOAT, 32},   [9] = {DARC_BYTES_FLOAT, 64},
        [12] = {DARC_BYTES_SIGNED, 64}, [13] = {DARC_BYTES_UNSIGNED, 64}};
    if (type < 1 || type > 13 || types[type].bits == 0)
        return false;
    *number = (darc_bytes_number){
        .kind = types[type].kind, .big = big, .bits = types[type].bits};
    return true;
}

size_t darc_bytes_width(const darc_bytes_number *n)
{
    return (size_t)(n->bits + n->shift + 7) / 8;
}

static double float_of(uint64_t bits, int width)
{
    uint32_t low = (uint32_t)bits;
    double x, fraction = (double)(bits & 1023) / 1024;
    float single;
    memcpy(&x, &bits, sizeof x);
    memcpy(&single, &low, sizeof single);
    if (width > 16)
        return width == 64 ? x : (double)single;
    int exponent = (int)(bits >> 10 & 31);
    x = exponent == 0    ? ldexp(fraction, -14)
        : exponent == 31 ? (fraction > 0 ? NAN : HUGE_VAL)
                         : ldexp(1 + fraction, exponent - 15);
    return bits >> 15 & 1 ? -x : x;
}

uint64_t darc_bytes_bits(const unsigned char *p, const darc_bytes_number *n)
{
    size_t width = darc_bytes_width(n);
    uint64_t bits = 0;
    unsigned char last = 0; /* bits over 64, after a shift */
    for (size_t i = 0; i < width; i++) {
        unsigned char byte = p[n->big ? width - 1 - i : i];
        if (i < 8)
            bits |= (uint64_t)byte << (8 * i);
        else
            last = byte;
    }
    bits >>= n->shift;
    if (n->shift > 0 && width > 8)
        bits |= (uint64_t)last << (64 - n->shift);
    return bits;
}

double darc_bytes_get(const unsigned char *p, const darc_bytes_number *n)
{
    uint64_t bits = darc_bytes_bits(p, n);
    if (n->kind == DARC_BYTES_FLOAT)
        return float_of(bits, n->bits);
    double scale = n->tick != 0 ? n->tick : 1;
    uint64_t sign = UINT64_C(1) << (n->bits - 1);
    if (n->tick != 0 && bits == sign)
        return NAN;
    bits = (bits - n->origin) & (sign | (sign - 1));
    if (n->kind == DARC_BYTES_UNSIGNED || (bits & sign) == 0)
        return (double)bits * scale;
    return -(double)((~bits & (sign - 1)) + 1) * scale;
}

darc_status darc_bytes_read(const darc_bytes_file *f, uint64_t at, void *to,
                            size_t n, darc_err *err)
{
    if (at > f->size || n > f->size - at)
        return darc_fail_file(
            err, f->name,
            "the file is cut off: %zu bytes expected at %llu of %llu", n,
            (unsigned long long)at, (unsigned long long)f->size);
    if (n > 0)
        memcpy(to, f->bytes + at, n);
    return DARC_OK;
}
