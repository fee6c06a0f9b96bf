#include "commands/hdf5_arrays.h"

#include "base/mem.h"
#include "files/thresholds.h"

/* HDF5 1.12 and later name objects by tokens otherwise. */
#define H5_USE_110_API
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

typedef enum { VECTOR, ALONG, ACROSS } shape; /* ALONG: rows along time */

typedef struct {
    hid_t id;   /* open */
    hid_t type; /* of values in memory; open */
    shape shape;
} dataset;

typedef struct {
    hid_t file;
    int sets;
    dataset *set; /* owned */
    int objects;  /* seen */
    size_t bytes; /* of the file */
    bool matlab;  /* written by MATLAB 7.3 */
} hdf5_state;

static void close_hdf5(darc_arrays *a)
{
    hdf5_state *s = a->state;
    for (int i = 0; i < s->sets; i++) {
        H5Tclose(s->set[i].type);
        H5Dclose(s->set[i].id);
    }
    if (s->file >= 0)
        H5Fclose(s->file);
    DARC_FREE(s->set, s);
    a->state = NULL;
}

/* Set text to the first attribute of a dataset that has one of the names, if
 * it is text. */
static void read_attribute(char *text, size_t size, hid_t set,
                           const char *const *names)
{
    text[0] = '\0';
    for (int i = 0; names[i] != NULL; i++) {
        if (H5Aexists(set, names[i]) <= 0)
            continue;
        hid_t attribute = H5Aopen(set, names[i], H5P_DEFAULT);
        hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
        if (H5Tget_class(type) == H5T_STRING &&
            H5Sget_simple_extent_npoints(space) == 1) {
            hid_t plain = H5Tcopy(H5T_C_S1);
            char *other = NULL;
            if (H5Tis_variable_str(type) > 0) {
                H5Tset_size(plain, H5T_VARIABLE);
                H5Tset_cset(plain, H5Tget_cset(type));
                if (H5Aread(attribute, plain, &other) >= 0 && other != NULL) {
                    snprintf(text, size, "%s", other);
                    H5free_memory(other);
                }
            } else {
                H5Tset_size(plain, size);
                H5Tset_cset(plain, H5Tget_cset(type));
                if (H5Aread(attribute, plain, text) < 0)
                    text[0] = '\0';
                text[size - 1] = '\0';
            }
            H5Tclose(plain);
        }
        H5Sclose(space);
        H5Tclose(type);
        H5Aclose(attribute);
        return;
    }
}

/* Note a variable of MATLAB that is no array of numbers; false: it is one. */
static bool leave_variable(darc_arrays *a, hid_t set, const char *path)
{
    static const char *const class[] = {"MATLAB_class", NULL};
    static const char *const numbers[] = {
        "double", "single", "int8",  "uint8",  "int16",   "uint16",
        "int32",  "uint32", "int64", "uint64", "logical", ""};
    char text[64];
    read_attribute(text, sizeof text, set, class);
    if (H5Aexists(set, "MATLAB_empty") > 0) {
        darc_arrays_leave(a, path, "empty");
        return true;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(text, numbers[i]) == 0)
            return false;
    if (strcmp(text, "char") == 0)
        darc_arrays_leave(a, path, "text");
    else if (strcmp(text, "cell") == 0)
        darc_arrays_leave(a, path,
                          "a cell array (save its vectors as variables)");
    else
        darc_arrays_leave_object(a, path, text);
    return true;
}

static bool is_number(H5T_class_t class)
{
    return class == H5T_INTEGER || class == H5T_FLOAT;
}

/* Set dims of a dataset of numbers, or of records with some, in one or two
 * dimensions; false, and a note, for any other, or what keeps it from being
 * read. */
static bool is_numeric(darc_arrays *a, hid_t set, const char *path,
                       hsize_t dims[2], int *rank)
{
    const hdf5_state *s = a->state;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hid_t plan = H5Dget_create_plist(set);
    H5T_class_t class = H5Tget_class(type);
    const char *why = NULL;
    *rank = H5Sget_simple_extent_ndims(space);
    bool number = is_number(class) || class == H5T_COMPOUND;
    bool good = number && (*rank == 1 || (*rank == 2 && is_number(class))) &&
                H5Sget_simple_extent_dims(space, dims, NULL) >= 0;
    if (*rank == 1)
        dims[1] = 1;
    if (!good || dims[0] == 0 || dims[1] == 0 ||
        dims[0] >= DARC_ARRAY_VALUES / dims[1])
        why = class == H5T_STRING ? "text"
              : number            ? "not a vector or a matrix"
                                  : "not of numbers";
    /* Values of other files are not those of the file that was named. */
    else if (H5Pget_layout(plan) == H5D_VIRTUAL ||
             H5Pget_external_count(plan) != 0)
        why = "in other files (external or virtual), which are not read";
    else if ((double)dims[0] * (double)dims[1] * (double)H5Tget_size(type) >
             DARC_MOST_EXPANSION * (double)s->bytes)
        why = "longer than the file can hold";
    if (why != NULL)
        darc_arrays_leave(a, path, why);
    H5Pclose(plan);
    H5Sclose(space);
    H5Tclose(type);
    return why == NULL;
}

/* Append a dataset whose values, or one field of them, are read as the type,
 * which is taken. */
static void append_dataset(darc_arrays *a, hid_t set, const char *path,
                           hid_t type, int rank, const hsize_t dims[2])
{
    static const char *const units[] = {"unit", "units", "Unit", "Units", NULL};
    hdf5_state *s = a->state;
    shape way = rank == 1 ? VECTOR : dims[1] > dims[0] ? ACROSS : ALONG;
    char unit[64];
    H5Iinc_ref(set);
    DARC_ROOM(s->set, s->sets);
    s->set[s->sets] = (dataset){set, type, way};
    read_attribute(unit, sizeof unit, set, units);
    darc_arrays_append(a, path, unit, dims[0], dims[1], s->sets++);
}

/* Append the fields of records that are numbers. */
static void append_fields(darc_arrays *a, hid_t set, const char *path,
                          hid_t type, const hsize_t dims[2])
{
    bool none = true;
    for (int k = 0; k < H5Tget_nmembers(type); k++) {
        char below[1024];
        char *name = H5Tget_member_name(type, (unsigned)k);
        if (name != NULL && is_number(H5Tget_member_class(type, (unsigned)k))) {
            hid_t field = H5Tcreate(H5T_COMPOUND, sizeof(double));
            H5Tinsert(field, name, 0, H5T_NATIVE_DOUBLE);
            snprintf(below, sizeof below, "%.700s%c%.250s", path, a->separator,
                     name);
            append_dataset(a, set, below, field, 1, dims);
            none = false;
        }
        H5free_memory(name);
    }
    if (none)
        darc_arrays_leave(a, path,
                          "records without a field that is a number "
                          "(a pandas frame: frame.to_csv('run.csv'))");
}

static void list_dataset(darc_arrays *a, hid_t set, const char *path)
{
    hdf5_state *s = a->state;
    hsize_t dims[2];
    int rank;
    bool other = s->matlab && leave_variable(a, set, path);
    bool signal = !other && is_numeric(a, set, path, dims, &rank);
    hid_t type = H5Dget_type(set);
    if (signal && H5Tget_class(type) == H5T_COMPOUND)
        append_fields(a, set, path, type, dims);
    else if (signal)
        append_dataset(a, set, path, H5Tcopy(H5T_NATIVE_DOUBLE), rank, dims);
    H5Tclose(type);
    H5Dclose(set);
}

/* The groups from the root down to the one at hand: a hard link back to one
 * of them would go round for ever. */
typedef struct level {
    const struct level *above;
    haddr_t address;
    unsigned long file;
} level;

static bool is_above(const level *l, const H5O_info_t *info)
{
    for (; l != NULL; l = l->above)
        if (l->address == info->addr && l->file == info->fileno)
            return true;
    return false;
}

static void list_group(darc_arrays *a, hid_t group, const char *path,
                       const level *above, int depth);

static void list_link(darc_arrays *a, hid_t group, hsize_t i, const char *path,
                      const level *here, int depth)
{
    char name[256], below[1024];
    H5L_info_t link;
    H5O_info_t info;
    ssize_t n = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_NATIVE, i,
                                   name, sizeof name, H5P_DEFAULT);
    if (n <= 0 || (size_t)n >= sizeof name ||
        H5Lget_info(group, name, &link, H5P_DEFAULT) < 0 ||
        (((hdf5_state *)a->state)->matlab && name[0] == '#'))
        return;
    snprintf(below, sizeof below, "%.700s%.*s%.250s", path, path[0] != '\0',
             &a->separator, name);
    if (link.type == H5L_TYPE_EXTERNAL)
        darc_arrays_leave(a, below,
                          "in another file (an external link), which is not "
                          "read: name that file");
    if (link.type != H5L_TYPE_HARD || /* other files are not opened */
        H5Oget_info_by_name2(group, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) <
            0)
        return;
    if (info.type == H5O_TYPE_DATASET) {
        hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
        if (set >= 0)
            list_dataset(a, set, below);
    } else if (info.type == H5O_TYPE_GROUP && !is_above(here, &info)) {
        hid_t inner = H5Gopen2(group, name, H5P_DEFAULT);
        level next = {here, info.addr, info.fileno};
        if (inner >= 0) {
            list_group(a, inner, below, &next, depth + 1);
            H5Gclose(inner);
        }
    }
}

static void list_group(darc_arrays *a, hid_t group, const char *path,
                       const level *here, int depth)
{
    hdf5_state *s = a->state;
    H5G_info_t info;
    if (depth > DARC_HDF5_DEEPEST || H5Gget_info(group, &info) < 0)
        return;
    for (hsize_t i = 0; i < info.nlinks && s->objects++ < DARC_MOST_PARTS; i++)
        list_link(a, group, i, path, here, depth);
}

/* Read rows begin .. begin + n - 1 of all columns in the order of the file. */
static bool read_slab(const dataset *set, size_t columns, size_t begin,
                      size_t n, double *buffer)
{
    hsize_t start[2] = {begin, 0}, count[2] = {n, columns};
    if (set->shape == ACROSS) {
        start[0] = 0;
        start[1] = begin;
        count[0] = columns;
        count[1] = n;
    }
    hid_t space = H5Dget_space(set->id);
    hid_t memory = H5Screate_simple(set->shape == VECTOR ? 1 : 2, count, NULL);
    bool good =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >=
            0 &&
        H5Dread(set->id, set->type, memory, space, H5P_DEFAULT, buffer) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

static herr_t is_memory(unsigned n, const H5E_error2_t *e, void *found)
{
    (void)n;
    *(bool *)found |=
        e->maj_num == H5E_RESOURCE &&
        (e->min_num == H5E_NOSPACE || e->min_num == H5E_CANTALLOC);
    return 0;
}

static darc_status read_hdf5(darc_arrays *a, const darc_array *from,
                             size_t begin, size_t n, double *out, darc_err *err)
{
    const dataset *set = ((hdf5_state *)a->state)->set + from->handle;
    double *buffer = darc_calloc(n * from->columns, sizeof *buffer);
    bool good = read_slab(set, from->columns, begin, n, buffer);
    for (size_t k = 0; good && k < from->columns; k++)
        for (size_t i = 0; i < n; i++)
            out[k * n + i] =
                buffer[set->shape == ALONG ? i * from->columns + k : k * n + i];
    darc_free(buffer);
    if (good)
        return DARC_OK;
    bool lack = false;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, is_memory, &lack);
    if (lack)
        return darc_fail(err, DARC_LIMIT,
                         "%s: error: '%s' takes more memory than there is (see "
                         "--memory)",
                         a->file, from->path);
    return darc_fail(err, DARC_DATA,
                     "%s: error: '%s' cannot be read from row %zu on: the file "
                     "is damaged or cut off, or compressed by a filter that "
                     "this system lacks",
                     a->file, from->path, begin + 1);
}

/* The bytes of the file serve as the memory of HDF5's driver for files in
 * memory: it copies nothing, frees nothing, and opens nothing. */
static void *image;

static void *take_image(size_t n, H5FD_file_image_op_t op, void *user)
{
    (void)n, (void)op, (void)user;
    return image;
}

static void *copy_image(void *to, const void *from, size_t n,
                        H5FD_file_image_op_t op, void *user)
{
    (void)from, (void)n, (void)op, (void)user;
    return to;
}

static void *resize(void *from, size_t n, H5FD_file_image_op_t op, void *user)
{
    (void)from, (void)n, (void)op, (void)user;
    return NULL; /* nothing is written */
}

static herr_t leave_image(void *what, H5FD_file_image_op_t op, void *user)
{
    (void)what, (void)op, (void)user;
    return 0;
}

static darc_status list_file(darc_arrays *a, bool matlab, darc_err *err)
{
    hdf5_state *s = darc_calloc(1, sizeof *s);
    s->bytes = a->bytes.size;
    a->separator = matlab ? '.' : '/';
    a->read = read_hdf5;
    a->close = close_hdf5;
    a->state = s;
    s->matlab = matlab;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5FD_file_image_callbacks_t by = {.image_malloc = take_image,
                                      .image_memcpy = copy_image,
                                      .image_realloc = resize,
                                      .image_free = leave_image};
    hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    image = (void *)a->bytes.bytes;
    s->file = -1;
    if (s->bytes > 0 && H5Pset_fapl_core(how, 1 << 16, false) >= 0 &&
        H5Pset_file_image_callbacks(how, &by) >= 0 &&
        H5Pset_file_image(how, image, s->bytes) >= 0)
        s->file = H5Fopen("bytes", H5F_ACC_RDONLY, how);
    H5Pclose(how);
    if (s->file < 0)
        return darc_fail(err, DARC_DATA,
                         "%s: error: this is no HDF5 file, or it is damaged or "
                         "cut off",
                         a->file);
    hid_t root = H5Gopen2(s->file, "/", H5P_DEFAULT);
    H5O_info_t info;
    if (root >= 0 && H5Oget_info2(root, &info, H5O_INFO_BASIC) >= 0) {
        level top = {NULL, info.addr, info.fileno};
        list_group(a, root, "", &top, 0);
    }
    if (root >= 0)
        H5Gclose(root);
    return DARC_OK;
}

darc_status darc_hdf5_arrays(darc_arrays *a, darc_err *err)
{
    return list_file(a, false, err);
}

darc_status darc_hdf5_matlab(darc_arrays *a, darc_err *err)
{
    return list_file(a, true, err);
}
