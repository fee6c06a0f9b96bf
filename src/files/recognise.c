#define _GNU_SOURCE /* memmem, strncasecmp */

#include "files/recognise.h"

#include "base/text.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *ending, *kind;
} endings[] = {{".mat", "mat"},   {".h5", "hdf5"},   {".hdf5", "hdf5"},
               {".hdf", "hdf5"},  {".npy", "npy"},   {".npz", "npz"},
               {".mf4", "mdf"},   {".mdf", "mdf"},   {".mf3", "mdf"},
               {".xlsx", "xlsx"}, {".xlsm", "xlsx"}, {".csv.gz", "gz"}};

#define PANDAS(read)                                                           \
    "python3 -c \"import pandas; pandas.read_" read                            \
    "('@').to_csv('run.csv', index=False)\" makes a CSV file of it"
#define UNPACK(command) "unpack it first: " command " '@'"

enum { FIRST = 512, ANYWHERE = 255 };

/* First bytes, where they stand, and what they say. */
static const struct {
    const char *bytes;
    unsigned char n, at;
    const char *kind, *what, *way;
} marks[] = {
    {"MATLAB 5.0 MAT-file", 19, 0, "mat", NULL, NULL},
    {"MATLAB 7.3 MAT-file", 19, 0, "mat", NULL, NULL},
    {"\x89HDF\r\n\x1a\n", 8, 0, "hdf5", NULL, NULL},
    {"\x93NUMPY", 6, 0, "npy", NULL, NULL},
    {"MDF     ", 8, 0, "mdf", NULL, NULL},
    {"UnFinMF ", 8, 0, "mdf", NULL, NULL},
    {"\x1f\x8b\x08", 3, 0, "gz", NULL, NULL},
    {"#1\nchar Aclass", 14, 0, "modelica", NULL, NULL},
    {"#1\r\nchar Aclass", 15, 0, "modelica", NULL, NULL},
    {"mimetypeapplication/vnd.oasis", 29, 30, NULL, "an OpenDocument sheet",
     "libreoffice --convert-to csv '@' makes a CSV file of it"},
    {"[Content_Types].xml", 19, 30, "xlsx", NULL, NULL},
    {"PK\3\4", 4, 0, NULL, "a zip archive", UNPACK("unzip")},
    {"TDSm", 4, 0, NULL, "a TDMS file of LabVIEW",
     "python3 -c \"import nptdms; nptdms.TdmsFile.read('@').as_dataframe("
     "time_index=True).to_csv('run.csv', index_label='time')\" makes a CSV "
     "file of it"},
    {"|CF,", 4, 0, NULL, "an imc FAMOS file",
     "export it as CSV or MDF4 there, or with the Python package imctermite"},
    {"|CF ,", 5, 0, NULL, "an imc FAMOS file",
     "export it as CSV or MDF4 there, or with the Python package imctermite"},
    {"ULog\x01\x12\x35", 7, 0, NULL, "a ULog of PX4",
     "ulog2csv '@' (Python package pyulog) makes a CSV file of each topic"},
    {"\xa3\x95\x80\x80", 4, 0, NULL, "a DataFlash log of ArduPilot",
     "mavlogdump.py --format csv --types IMU '@' >run.csv (Python package "
     "pymavlink) makes a CSV file of a kind of message"},
    {"PAR1", 4, 0, NULL, "a Parquet file", PANDAS("parquet")},
    {"ARROW1", 6, 0, NULL, "a Feather or Arrow file", PANDAS("feather")},
    {"FEA1", 4, 0, NULL, "a Feather file", PANDAS("feather")},
    {"ORC", 3, 0, NULL, "an ORC file", PANDAS("orc")},
    {"\x80\x04\x95", 3, 0, NULL, "a pickle of Python", PANDAS("pickle")},
    {"\x80\x05\x95", 3, 0, NULL, "a pickle of Python", PANDAS("pickle")},
    {"#ROSBAG V", 9, 0, NULL, "a bag of ROS 1",
     "rostopic echo -b '@' -p /TOPIC >run.csv makes a CSV file of a topic"},
    {"\x89MCAP0\r\n", 8, 0, NULL, "an MCAP file of ROS 2",
     "export its topics as CSV (PlotJuggler does)"},
    {"SQLite format 3", 16, 0, NULL,
     "a SQLite database (a bag of ROS 2 is one)",
     "sqlite3 -header -csv '@' 'select * from TABLE' >run.csv makes a CSV file "
     "of a table"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, 0, NULL,
     "a workbook of Excel before 2007 (.xls)",
     "save the sheet as CSV or .xlsx (libreoffice --convert-to xlsx '@')"},
    {"LOGG", 4, 0, NULL, "a BLF log of Vector",
     "convert it to MDF4 with its DBC (Python packages python-can, asammdf)"},
    {"CDF\1", 4, 0, NULL, "a NetCDF file of version 3",
     "nccopy -k nc4 '@' run.h5 makes an HDF5 file of it"},
    {"CDF\2", 4, 0, NULL, "a NetCDF file of version 3",
     "nccopy -k nc4 '@' run.h5 makes an HDF5 file of it"},
    {"WAVEfmt ", 8, 8, NULL, "a WAV file",
     "python3 -c \"import numpy, scipy.io.wavfile as w; "
     "numpy.save('run.npy', w.read('@')[1])\" makes an NPY file of it (then "
     "--rate)"},
    {"Plotname:", 9, ANYWHERE, NULL, "a .raw file of LTspice or ngspice",
     "in LTspice: File, Export data as text; in ngspice: wrdata run.txt"},
    {"P\0l\0o\0t\0n\0a\0m\0e\0:", 17, ANYWHERE, NULL, "a .raw file of LTspice",
     "in LTspice: File, Export data as text"},
    {"timestamps absolute", 19, ANYWHERE, NULL, "an ASC log of a CAN bus",
     "convert it to MDF4 with its DBC (Python packages python-can, asammdf)"},
    {"timestamps relative", 19, ANYWHERE, NULL, "an ASC log of a CAN bus",
     "convert it to MDF4 with its DBC (Python packages python-can, asammdf)"},
    {"git-lfs.github.com/spec", 23, ANYWHERE, NULL, "a pointer of Git LFS",
     "git lfs pull fetches the file"},
    {"<!DOCTYPE html", 14, ANYWHERE, NULL, "a page of the web",
     "the recording lies elsewhere: look at it in a browser"},
    {"<?xml ", 6, ANYWHERE, NULL, "an XML file", PANDAS("xml")},
    {"1AY&SY", 6, 4, NULL, "packed by bzip2", UNPACK("bunzip2 -k")},
    {"\xfd"
     "7zXZ",
     5, 0, NULL, "packed by xz", UNPACK("unxz -k")},
    {"\x28\xb5\x2f\xfd", 4, 0, NULL, "packed by zstd", UNPACK("unzstd")},
    {"7z\xbc\xaf\x27\x1c", 6, 0, NULL, "a 7z archive", UNPACK("7z x")},
    {"Rar!\x1a\x07", 6, 0, NULL, "a RAR archive", UNPACK("unrar x")},
    {"\xff"
     "BIOSEMI",
     8, 0, NULL, "a BDF file",
     "python3 -c \"import mne; mne.io.read_raw_bdf('@').to_data_frame()."
     "to_csv('run.csv')\" makes a CSV file of it"}};

enum {
    ENDINGS = sizeof endings / sizeof endings[0],
    MARKS = sizeof marks / sizeof marks[0]
};

static const char *kind_by_ending(const char *name, size_t n)
{
    for (int i = 0; i < ENDINGS; i++) {
        size_t m = strlen(endings[i].ending);
        if (n > m && strncasecmp(name + n - m, endings[i].ending, m) == 0)
            return endings[i].kind;
    }
    return NULL;
}

bool darc_recognise_ending(const char *name, size_t n)
{
    return kind_by_ending(name, n) != NULL;
}

/* Set first to the first bytes of a regular file; return how many. */
static size_t read_first(char first[FIRST], const char *name, size_t n)
{
    struct stat st;
    darc_text_t path = DARC_TEXT;
    darc_text_write(path, name, n);
    memset(first, 0, FIRST);
    int fd = stat(path->s, &st) == 0 && S_ISREG(st.st_mode)
                 ? open(path->s, O_RDONLY | O_CLOEXEC)
                 : -1;
    ssize_t got = fd >= 0 ? pread(fd, first, FIRST, 0) : 0;
    if (fd >= 0)
        close(fd);
    darc_text_clear(path);
    return got > 0 ? (size_t)got : 0;
}

/* Return whether mark i stands in the first bytes; one of letters alone, with
 * which a text may begin, only where something follows that is none. */
static bool has_mark(int i, const char *first, size_t n, bool binary)
{
    size_t m = marks[i].n, at = marks[i].at;
    if (at == ANYWHERE)
        return memmem(first, n, marks[i].bytes, m) != NULL;
    return m + at <= n && memcmp(first + at, marks[i].bytes, m) == 0 &&
           (binary || marks[i].kind != NULL || marks[i].bytes[0] == '|');
}

/* Recognise the file whose name has n characters; false: nothing is known. */
static bool recognise(darc_recognised *r, const char *name, size_t n)
{
    char first[FIRST];
    bool binary = false;
    *r = (darc_recognised){.length = n, .kind = kind_by_ending(name, n)};
    size_t got = r->kind == NULL ? read_first(first, name, n) : 0;
    for (size_t i = 0; i < got; i++)
        binary = binary || (unsigned char)first[i] < '\t';
    for (int i = 0; i < MARKS && r->kind == NULL && r->what == NULL; i++)
        if (has_mark(i, first, got, binary)) {
            r->kind = marks[i].kind;
            r->what = marks[i].what;
            r->way = marks[i].way;
        }
    r->text = r->kind != NULL &&
              (strcmp(r->kind, "xlsx") == 0 || strcmp(r->kind, "gz") == 0);
    return r->kind != NULL || r->what != NULL;
}

darc_recognised darc_recognise(const char *file)
{
    darc_recognised r;
    size_t n = strlen(file);
    if (recognise(&r, file, n) || access(file, F_OK) == 0)
        return r;
    for (size_t i = n; i-- > 1;)
        if (file[i] == ':' && recognise(&r, file, i))
            return r;
    return (darc_recognised){.length = n};
}

darc_status darc_recognise_fail(const darc_recognised *r, const char *file,
                                darc_err *err)
{
    darc_text_t way = DARC_TEXT;
    for (const char *s = r->way; *s != '\0'; s++)
        if (*s == '@')
            darc_text_puts(way, file);
        else
            darc_text_putc(way, *s);
    darc_status status = darc_fail_file(
        err, file, "this is %s, which darc does not read; %s", r->what, way->s);
    darc_text_clear(way);
    return status;
}
