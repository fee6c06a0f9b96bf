#include "commands/serve.h"

#include "base/cage.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "files/caged.h"
#include "files/thresholds.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static bool send_text(darc_status status, const char *text, size_t n)
{
    return darc_wire_answer_send(DARC_WIRE_SOCKET, (int)status, text, n);
}

/* The list as darc takes it (files/caged.c). */
static bool send_list(const darc_arrays *a)
{
    darc_text_t t = DARC_TEXT;
    darc_text_putc(t, a->separator);
    for (int i = 0; i < a->count; i++) {
        const darc_array *one = &a->array[i];
        uint64_t size[2] = {one->rows, one->columns};
        darc_text_write(t, (const char *)size, sizeof size);
        darc_text_write(t, one->path, strlen(one->path) + 1);
        darc_text_write(t, one->unit, strlen(one->unit) + 1);
    }
    uint64_t end[2] = {0, 0};
    darc_text_write(t, (const char *)end, sizeof end);
    darc_text_write(t, a->left_out->s, a->left_out->len + 1);
    bool sent = send_text(DARC_OK, t->s, t->len);
    darc_text_clear(t);
    return sent;
}

/* A request that takes this long is waited for by nobody. */
static void set_alarm(int seconds)
{
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static bool serve_one(darc_arrays *a)
{
    darc_wire_request r;
    darc_err err = {DARC_OK, ""};
    if (!darc_wire_receive(DARC_WIRE_SOCKET, &r, sizeof r, -1))
        return false;
    set_alarm(DARC_READER_REQUEST);
    const darc_array *from = &a->array[r.array];
    size_t values = (size_t)r.n * from->columns;
    double *out = darc_calloc(values, sizeof *out);
    darc_status status =
        a->read(a, from, (size_t)r.begin, (size_t)r.n, out, &err);
    bool sent = status == DARC_OK
                    ? send_text(status, (char *)out, values * sizeof *out)
                    : send_text(status, err.message, strlen(err.message));
    darc_free(out);
    set_alarm(0);
    return sent;
}

/* darc takes it for what it is, no damage. */
static void tell_lack(size_t size)
{
    (void)size;
    static const char text[] = "reading takes more memory than there is (see "
                               "--memory)";
    send_text(DARC_LIMIT, text, sizeof text - 1);
    _exit(0);
}

static void serve(darc_arrays *a, darc_arrays_list *list)
{
    darc_err err = {DARC_OK, ""};
    darc_mem_on_lack(tell_lack);
    set_alarm(DARC_READER_REQUEST);
    bool more =
        list(a, &err) == DARC_OK
            ? send_list(a)
            : send_text(err.status, err.message, strlen(err.message)) && false;
    set_alarm(0);
    while (more)
        more = serve_one(a);
}

int darc_serve(int argc, char **argv, const darc_format *format)
{
    enum { USAGE = 3, UNCAGED = 5 };
    darc_cage cage = {.descriptors = DARC_WIRE_SOCKET + 1,
                      .memory = DARC_READER_MEMORY,
                      .cpu = DARC_READER_LIFE};
    struct stat st;
    while (argc == 5 && format->kind != NULL &&
           strcmp(format->kind, argv[1]) != 0)
        format++;
    if (argc != 5 || format->kind == NULL || fstat(DARC_WIRE_FILE, &st) != 0)
        return USAGE;
    signal(SIGINT, SIG_IGN); /* of the terminal: darc decides */
    darc_arrays a;
    darc_arrays_init(&a, argv[2]);
    a.rate = strtod(argv[3], NULL);
    size_t n = (size_t)st.st_size;
    void *bytes =
        n == 0 ? NULL
               : mmap(NULL, n, PROT_READ, MAP_PRIVATE, DARC_WIRE_FILE, 0);
    a.bytes = (darc_bytes_file){bytes, n, argv[2]};
    if (format->expands) {
        darc_scratch_limit(strtoull(argv[4], NULL, 10));
        darc_scratch_prepare(cage.descriptors++);
        cage.file = n * DARC_MOST_EXPANSION;
    }
    if (bytes == MAP_FAILED || !darc_cage_enter(&cage))
        return UNCAGED;
    serve(&a, format->list);
    _exit(0);
}
