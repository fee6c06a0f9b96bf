"""Write recordings in all formats that darc reads, by other programs than
darc: scipy (MAT 5 and 7), h5py (HDF5, MAT 7.3), numpy (NPY, NPZ), and an own
writer of MDF4 after the published block structure.  EXPECTED.bin beside them
holds t, x, y as doubles.

    formats.py DIRECTORY
"""
import gzip
import struct
import sys
import zipfile
import zlib

import h5py
import numpy as np
import scipy.io

out = sys.argv[1] + "/"
rng = np.random.default_rng(1)
n = 3000
t = 5 + np.arange(n) / 250
x = rng.standard_normal(n) * np.exp(rng.uniform(-30, 30, n))
y = rng.integers(-2000, 2000, n).astype(float)
x[1500:1510] = np.nan
np.column_stack([t, x, y]).tofile(out + "expected.bin")
both = {"t": t, "x": x, "y": y}

# ---- MATLAB ---------------------------------------------------------------
scipy.io.savemat(out + "v5.mat", {**both, "y": y.astype(np.int16), "n": 3.0})
scipy.io.savemat(out + "v7.mat", both, do_compression=True)
scipy.io.savemat(out + "row.mat", both, oned_as="row")
scipy.io.savemat(out + "v4.mat", both, format="4")
scipy.io.savemat(out + "struct.mat", {
    "run": {"inner": both, "note": "text"}, "z": 1 + 2j}, do_compression=True)
scipy.io.savemat(out + "two.mat", {"a": both, "b": both})
scipy.io.savemat(out + "matrix.mat", {"M": np.column_stack([t, x, y])})
scipy.io.savemat(out + "wide.mat", {"M": np.vstack([t, x, y])})
scipy.io.savemat(out + "complex.mat", {"z": t + 1j * x})
# more than is inflated in memory, and less (DARC_INFLATED_HELD)
scipy.io.savemat(out + "long.mat", {"x": np.zeros(4300000)},
                 do_compression=True)
np.savez_compressed(out + "long.npz", x=np.zeros(2500000))


def matlab73(name, variables):
    """HDF5 with the user block and the attributes that MATLAB writes."""
    with h5py.File(name, "w", userblock_size=512) as f:
        for key, value in variables.items():
            d = f.create_dataset(key, data=np.atleast_2d(value))
            d.attrs["MATLAB_class"] = np.bytes_("double")
    with open(name, "r+b") as f:
        f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) +
                bytes(8) + b"\x00\x02IM")


matlab73(out + "v73.mat", both)

# ---- HDF5 -------------------------------------------------------------------
with h5py.File(out + "plain.h5", "w") as f:
    for key, value in both.items():
        d = f.create_dataset(key, data=value, chunks=(100,),
                             compression="gzip", shuffle=True)
        d.attrs["unit"] = {"t": "ms", "x": "m/s", "y": "V"}[key]
with h5py.File(out + "groups.h5", "w") as f:
    g = f.create_group("day/run")
    for key, value in both.items():
        g[key] = value.astype("<i4") if key == "y" else value
    g["again"] = f["day"]  # a cycle
    g["elsewhere"] = h5py.ExternalLink("plain.h5", "/x")
    f["name"] = "a text"
with h5py.File(out + "table.h5", "w") as f:
    f["frame"] = np.zeros(5, dtype=[("a", "S3"), ("b", "f8", (2,))])
with h5py.File(out + "records.h5", "w") as f:
    f["run/rows"] = np.rec.fromarrays(
        [t, y.astype("<i2"), np.full(n, b"note"), x.astype(">f8")],
        names="t,y,note,x")
with h5py.File(out + "matrix.h5", "w") as f:
    f["M"] = np.column_stack([t, x, y])
    f["W"] = np.vstack([t, x, y])

# What points elsewhere, and what claims more than there is.
with open(out + "raw.bin", "wb") as f:
    f.write(x.astype("<f8").tobytes())
with h5py.File(out + "external.h5", "w") as f:
    f["t"] = t
    f["y"] = y
    f.create_dataset("x", shape=x.shape, dtype="<f8",
                     external=[(out + "raw.bin", 0, 8 * len(x))])
with h5py.File(out + "virtual.h5", "w") as f:
    f["t"] = t
    f["y"] = y
    layout = h5py.VirtualLayout(shape=x.shape, dtype="<f8")
    layout[:] = h5py.VirtualSource(out + "plain.h5", "x", shape=x.shape)
    f.create_virtual_dataset("x", layout)
with h5py.File(out + "huge.h5", "w") as f:
    for key in both:
        f.create_dataset(key, shape=(2**33,), dtype="<f8", chunks=(2**16,),
                         compression="gzip")

# ---- NumPy ------------------------------------------------------------------
np.save(out + "c.npy", np.column_stack([t, x, y]))
np.save(out + "f.npy", np.asfortranarray(np.column_stack([t, x, y])))
np.save(out + "wide.npy", np.vstack([t, x, y]).astype(">f8"))
record = np.zeros(n, dtype=[("t", "<f8"), ("note", "S3"), ("x", ">f8"),
                            ("y", "<i2")])
record["t"], record["x"], record["y"] = t, x, y
np.save(out + "record.npy", record)
np.save(out + "complex.npy", t + 1j * x)
lasting = (t * 250).round().astype("m8[4ms]")
dated = np.datetime64("2026-01-31T10:00:00", "ns") + lasting
for name, times in (("lasting", lasting), ("dated", dated),
                    ("dated_us", dated.astype(">M8[us]"))):
    np.save(out + name + ".npy", np.rec.fromarrays([times, x, y],
                                                   names="t,x,y"))
np.savez(out + "days.npz", t=dated.astype("M8[D]"), x=x)
np.savez(out + "stored.npz", **both)
np.savez_compressed(out + "packed.npz", **both, note=np.array("text"))


# ---- MDF4 --------------------------------------------------------------------
class Writer:
    def __init__(self):
        head = struct.pack("<8s8s8s4sH30sHH", b"MDF     ", b"4.10    ",
                           b"darc", b"", 410, b"", 0, 0)
        self.bytes = bytearray(head)
        assert len(head) == 64
        self.hd = self.block(b"HD", [0] * 6, struct.pack("<qhhBBBxdd", 0, 0, 0,
                                                         0, 0, 0, 0, 0))

    def block(self, name, links, data):
        self.bytes += bytes(-len(self.bytes) % 8)
        at = len(self.bytes)
        length = 24 + 8 * len(links) + len(data)
        self.bytes += struct.pack("<4s4xQQ", b"##" + name, length, len(links))
        self.bytes += struct.pack("<%dQ" % len(links), *links) + data
        return at

    def link(self, at, number, to):
        struct.pack_into("<Q", self.bytes, at + 24 + 8 * number, to)

    def text(self, s):
        return self.block(b"TX", [], s.encode() + b"\0") if s else 0

    def unit(self, s):
        return self.block(b"MD", [], b"<CNunit><TX>" + s.encode() +
                          b"</TX></CNunit>\0")

    def linear(self, offset, factor):
        return self.block(b"CC", [0] * 4, struct.pack(
            "<BBHHHdddd", 1, 0, 0, 0, 2, 0, 0, offset, factor))

    def channel(self, name, kind, dtype, offset, bits, bit=0, cc=0, unit="",
                flags=0, invalid=0):
        master = 1 if kind in (2, 3) else 0
        data = struct.pack("<BBBBIIIIBxHdddddd", kind, master, dtype, bit,
                           offset, bits, flags, invalid, 0, 0, 0, 0, 0, 0, 0,
                           0)
        return self.block(b"CN", [0, 0, self.text(name), 0, cc, 0,
                                  self.unit(unit) if unit else 0, 0], data)

    def group(self, name, records, rows, size, invalid, channels, data,
              id_size=0):
        for a, b in zip(channels, channels[1:]):
            self.link(a, 0, b)
        cg = self.block(b"CG", [0, channels[0], self.text(name), 0, 0, 0],
                        struct.pack("<QQHH4xII", 0, rows, 0, 0, size, invalid))
        dg = self.block(b"DG", [0, cg, data(self, records), 0],
                        struct.pack("<B7x", id_size))
        last, at = self.hd, struct.unpack_from("<Q", self.bytes,
                                               self.hd + 24)[0]
        while at:
            last, at = at, struct.unpack_from("<Q", self.bytes, at + 24)[0]
        self.link(last, 0, dg)
        return cg

    def save(self, name):
        with open(out + name, "wb") as f:
            f.write(self.bytes)


def plain(w, records):
    return w.block(b"DT", [], records)


def packed(columns):
    def write(w, records):
        links = []
        for i in range(0, len(records), 30000):
            part = records[i:i + 30000]
            body = part
            if columns:
                rows = len(part) // columns
                whole = np.frombuffer(part[:rows * columns], np.uint8)
                body = whole.reshape(rows, columns).T.tobytes() + \
                    part[rows * columns:]
            z = zlib.compress(body)
            links.append(w.block(b"DZ", [], struct.pack(
                "<2sBxIQQ", b"DT", 1 if columns else 0, columns, len(part),
                len(z)) + z))
        first = w.block(b"DL", [0] + links[:2], struct.pack("<B3xIQQ", 0, 2, 0,
                                                            30000))
        rest = w.block(b"DL", [0] + links[2:], struct.pack(
            "<B3xI%dQ" % (len(links) - 2), 0, len(links) - 2,
            *[30000 * i for i in range(2, len(links))]))
        w.link(first, 0, rest)
        return w.block(b"HL", [first], struct.pack("<HB5x", 0, 1))
    return write


def three(name, data, order, id_size=0):
    """t as double, x as double whose gaps are invalidation bits, y as 12 bits
    from bit 3 on with y = 2 * raw - 2000."""
    w = Writer()
    raw = ((y + 2000) / 2)
    whole = np.floor(raw).astype(np.int64)
    rows = bytearray()
    for i in range(n):
        gap = np.isnan(x[i])
        rows += b"\7" * id_size + struct.pack(
            order + "dd", t[i], 0.0 if gap else x[i])
        rows += struct.pack(order + "H", int(whole[i]) << 3)
        rows += bytes([4 if gap else 0])
    big = order == ">"
    channels = [
        w.channel("time", 2, 4 + big, 0, 64, unit="s"),
        w.channel("x\\device:1", 0, 4 + big, 8, 64, unit="m/s", flags=2,
                  invalid=2),
        w.channel("y", 0, 0 + big, 16, 12, bit=3, cc=w.linear(-2000, 2)),
        w.channel("label", 0, 7, 16, 16)]
    w.group("run", bytes(rows), n, 18, 1, channels, data, id_size)
    w.save(name)


y_even = y - np.mod(y, 2)
np.column_stack([t, x, y_even]).tofile(out + "even.bin")
three("plain.mf4", plain, "<")
three("big.mf4", plain, ">")
three("packed.mf4", packed(0), "<")
three("turned.mf4", packed(19), "<")
three("id.mf4", plain, "<", id_size=1)

w = Writer()
slow_t, fast_t = np.arange(101) / 10, np.arange(1001) / 100 + 0.5
for name, time, value in (("slow", slow_t, 2 * slow_t),
                          ("fast", fast_t, 3 * fast_t + 1)):
    rows = np.column_stack([time, value]).astype("<f8").tobytes()
    w.group(name, rows, len(time), 16, 0, [
        w.channel("clock", 2, 4, 0, 64, unit="s"),
        w.channel("v_" + name, 0, 4, 8, 64)], plain)
w.save("rates.mf4")


# Value tables over scales: texts for what is no value.
def table(name):
    w = Writer()
    rows = bytearray()
    for i in range(n):
        rows += struct.pack("<ddH", t[i], 1e99 if np.isnan(x[i]) else x[i],
                            int((y_even[i] + 2000) / 2))
    sna = w.text("SNA")

    def texts(keys, scale):
        return w.block(b"CC", [0, 0, 0, 0] + [sna] * len(keys) + [scale],
                       struct.pack("<BBHHHdd%dd" % len(keys), 7, 0, 0,
                                   len(keys) + 1, len(keys), 0, 0, *keys))
    steps = w.block(b"CC", [0] * 4, struct.pack(
        "<BBHHHdd4d", 4, 0, 0, 0, 4, 0, 0, 0, -2000, 10000, 18000))
    w.group("run", bytes(rows), n, 18, 0, [
        w.channel("t", 2, 4, 0, 64, unit="s"),
        w.channel("x", 0, 4, 8, 64, cc=texts([1e99], w.linear(0, 1))),
        w.channel("y", 0, 0, 16, 16, cc=texts([65534, 65535],
                                              w.linear(-2000, 2))),
        w.channel("steps", 0, 0, 16, 16, cc=steps),
        w.channel("state", 0, 0, 16, 16, cc=texts([1], 0))], plain)
    w.save(name)


table("table.mf4")


def record(i):
    return struct.pack("<ddH", t[i], x[i], int((y_even[i] + 2000) / 2))


# Records of three groups in turn, one of them of variable length.
w = Writer()
rows = bytearray()
for i in range(n):
    rows += b"\1" + record(i)
    if i % 3 == 0:
        rows += b"\2" + struct.pack("<d", t[i])
    if i % 7 == 0:
        rows += b"\3" + struct.pack("<I", i % 5) + b"#" * (i % 5)
cg = w.group("run", bytes(rows), n, 18, 0, [
    w.channel("t", 2, 4, 0, 64, unit="s"), w.channel("x", 0, 4, 8, 64),
    w.channel("y", 0, 0, 16, 16, cc=w.linear(-2000, 2))], plain, id_size=1)
struct.pack_into("<Q", w.bytes, cg + 24 + 48, 1)
clock = w.block(b"CG", [0, w.channel("t", 2, 4, 0, 64, unit="s"),
                        w.text("run"), 0, 0, 0],
                struct.pack("<QQHH4xII", 2, n // 3, 0, 0, 8, 0))
w.link(cg, 0, clock)
w.link(clock, 0, w.block(b"CG", [0] * 6, struct.pack(
    "<QQHH4xII", 3, n // 7, 1, 0, 0, 0)))
w.save("unsorted.mf4")

# The recorder lost its power: no counts, no length.
w = Writer()
w.bytes[:8] = b"UnFinMF "
struct.pack_into("<H", w.bytes, 60, 5)
cg = w.group("run", b"".join(record(i) for i in range(n)), 0, 18, 0, [
    w.channel("t", 2, 4, 0, 64, unit="s"), w.channel("x", 0, 4, 8, 64),
    w.channel("y", 0, 0, 16, 16, cc=w.linear(-2000, 2))], plain)
dt = w.bytes.index(b"##DT")
struct.pack_into("<Q", w.bytes, dt + 8, 24)
w.save("unfinished.mf4")
# And its records lie beyond what can be counted.
link = w.bytes.index(struct.pack("<Q", dt))
struct.pack_into("<Q", w.bytes, link, 2**64 - 152)
w.save("nowhere.mf4")

# One infinite value.
w = Writer()
w.group("run", np.column_stack([t, np.where(np.arange(n) == 7, np.inf, y)])
        .astype("<f8").tobytes(), n, 16, 0,
        [w.channel("t", 2, 4, 0, 64, unit="s"), w.channel("y", 0, 4, 8, 64)],
        plain)
w.save("infinite.mf4")


# ---- MDF 3 -------------------------------------------------------------------
def mdf3(name, order, ids=0):
    """t, x and y = 2 raw - 2000; with ids, records of two groups in turn."""
    b = bytearray(struct.pack("<8s8s8s", b"MDF     ", b"3.30    ", b"darc") +
                  struct.pack(order + "HHHH32x", order == ">", 0, 330, 0))

    def put(kind, form, *what):
        at = len(b)
        body = struct.pack(order + form, *what)
        b.extend(struct.pack("2s" , kind) +
                 struct.pack(order + "H", 4 + len(body)) + body)
        return at

    def scale(kind, unit, *p):
        count = len(p) // 2 if kind == 1 else len(p)
        return put(b"CC", "Hdd20sHH%dd" % len(p), 0, 0, 0, unit, kind, count,
                   *p)

    def channel(later, name, kind, bit, bits, what, cc):
        long = put(b"TX", "%ds" % (len(name) + 1), name)
        return put(b"CN", "IIIIIH32s128sHHHHdddIIH", later, cc, 0, 0, 0, kind,
                   name[:5], b"", bit, bits, what, 0, 0, 0, 0, long, 0, 0)

    put(b"HD", "IIIH", 0, 0, 0, 1)
    last = channel(0, b"steps", 0, 128, 16, 0,
                   scale(1, b"-", 0, -2000, 10000, 18000))
    last = channel(last, b"y", 0, 128, 16, 0, scale(6, b"kN", -1, -2000, 0,
                                                    -2, 0, 0)
                   if order == ">" else scale(0, b"kN", -2000, 2))
    last = channel(last, b"x", 0, 64, 64, 3, 0)
    last = channel(last, b"time", 1, 0, 64, 3, scale(65535, b"s"))
    other = channel(0, b"t2", 1, 0, 32, 2, 0)
    second = put(b"CG", "IIIHHHI", 0, other, 0, 9, 1, 4, n) if ids else 0
    note = put(b"TX", "4s", b"run")
    first = put(b"CG", "IIIHHHI", second, last, note, 7, 3, 18, n)
    dg = put(b"DG", "IIIIHHI", 0, first, 0, 0, 1 + (ids > 0), ids, 0)
    struct.pack_into(order + "I", b, 68, dg)
    struct.pack_into(order + "I", b, dg + 16, len(b))
    for i in range(n):
        if ids:
            b += bytes([9]) + struct.pack(order + "f", t[i]) + \
                bytes([9] * (ids - 1))
        b += bytes([7] * (ids > 0)) + struct.pack(
            order + "ddH", t[i], x[i], int((y_even[i] + 2000) / 2)) + \
            bytes([7] * (ids > 1))
    with open(out + name, "wb") as f:
        f.write(b)


mdf3("three.mdf", "<")
mdf3("three_big.dat", ">")
mdf3("three_ids.mdf", "<", 2)


# ---- Modelica ------------------------------------------------------------------
def modelica(name, turned, order="<"):
    names = ["Time", "x", "y", "minus", "k"]
    told = ["Time in [s]", "Speed [m/s|km/h]", "", "[1]", "gain [N/m]"]

    def text(rows):
        width = max(map(len, rows))
        return np.array([[ord(c) for c in r.ljust(width)] for r in rows])

    info = np.array([[0, 1, 0, -1], [2, 2, 0, -1], [2, 3, 0, -1],
                     [2, -3, 0, -1], [1, 2, 0, 0]])
    turn = np.transpose if turned else np.asarray
    parts = [("Aclass", text(["Atrajectory", "1.1", "",
                              "binTrans" if turned else "binNormal"]), 51),
             ("name", turn(text(names)), 51),
             ("description", turn(text(told)), 51),
             ("dataInfo", turn(info), 20),
             ("data_1", turn(np.array([[t[0], 2.5], [t[-1], 2.5]])), 0),
             ("data_2", turn(np.column_stack([t, x, y])), 0)]
    with open(out + name, "wb") as f:
        for key, value, kind in parts:
            f.write(struct.pack(order + "5i", kind + 1000 * (order == ">"),
                                *value.shape, 0, len(key) + 1))
            f.write(key.encode() + b"\0")
            f.write(value.T.astype(order + {51: "u1", 20: "i4", 0: "f8"}[kind])
                    .tobytes())


modelica("modelica.mat", True)
modelica("modelica_rows.mat", False)
modelica("modelica_big.mat", True, ">")
with open(out + "modelica.txt", "w") as f:
    f.write("#1\nchar Aclass(3,11)\nAtrajectory\n1.1\n\nchar names(3,4)\n"
            "Time\nx\ny\n\nfloat data(%d,3) # all\n" % n)
    for row in zip(t, x, y):
        f.write(" %r %r %r\n" % tuple(map(float, row)))

# ---- MATLAB's objects, and vectors of two lengths ------------------------------


def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


with open(out + "object.mat", "wb") as f:
    f.write(b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM")
    for key, kind in ((b"run1", b"timeseries"), (b"log", b"iddata")):
        f.write(element(14, element(6, struct.pack("<II", 17, 0)) +
                        element(1, key) + element(1, b"MCOS") +
                        element(1, kind)))
scipy.io.savemat(out + "lengths.mat", {
    "time_a": t, "x": x, "y": y, "time_b": t[:9], "z": x[:9]})


# ---- Excel ---------------------------------------------------------------------
def book(name, time, style, rows=n, from_1904=False):
    """Sheets info and run; the latter from B3 on, with shared texts, a column
    of words, and errors for what is missing."""
    head = '<?xml version="1.0"?><%s xmlns="http://schemas.openxmlformats.org/' \
        'spreadsheetml/2006/main" xmlns:r="r">'
    cells = ['<row r="3"><c r="B3" t="s"><v>1</v></c><c r="C3" t="inlineStr">'
             '<is><r><t>x</t></r></is></c><c r="D3" t="s"><v>0</v></c>'
             '<c r="E3" t="str"><v>note</v></c></row>']
    for i in range(rows):
        gap = '<c r="C%d" t="e"><v>#N/A</v></c>' % (i + 4)
        cells.append(
            '<row r="%d"><c r="B%d" s="%d"><v>%r</v></c>%s<c r="D%d"><v>%r</v>'
            '</c><c t="s"><v>2</v></c></row>' % (
                i + 4, i + 4, style, float(time[i]),
                gap if np.isnan(x[i]) else '<c r="C%d"><v>%r</v></c>' % (
                    i + 4, float(x[i])), i + 4, float(y[i])))
    parts = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": head % "workbook" +
        ('<workbookPr date1904="1"/>' if from_1904 else "") +
        '<sheets><sheet name="info" r:id="r1"/><sheet name="run" r:id="r2"/>'
        '</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships>'
        '<Relationship Id="r2" Target="/xl/worksheets/b.xml"/>'
        '<Relationship Id="r1" Target="worksheets/a.xml"/></Relationships>',
        "xl/styles.xml": head % "styleSheet" +
        '<numFmts><numFmt numFmtId="164" formatCode="[$-409]d.m.yy &quot;h&quot;'
        ' hh:mm:ss.000"/></numFmts><cellStyleXfs><xf numFmtId="0"/>'
        '</cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/>'
        '<xf numFmtId="21"/><xf numFmtId="46"/></cellXfs></styleSheet>',
        "xl/sharedStrings.xml": head % "sst" +
        '<si><t>y</t><rPh><t>no</t></rPh></si><si><r><t>ti</t></r><r><t>me</t>'
        '</r></si><si><t>well, &quot;done&quot;</t></si></sst>',
        "xl/worksheets/a.xml": head % "worksheet" + '<sheetData><row><c><v>3'
        '</v></c></row></sheetData></worksheet>',
        "xl/worksheets/b.xml": head % "worksheet" + "<sheetData>" +
        "".join(cells) + "</sheetData></worksheet>"}
    with zipfile.ZipFile(out + name, "w", zipfile.ZIP_DEFLATED) as z:
        for part, text in parts.items():
            z.writestr(part, text)


seconds = np.arange(n) / 4
book("book.xlsx", t, 0)
book("dates.xlsx", 46085.999 + seconds / 86400, 1)
book("dates_1904.xlsx", 44623.999 + seconds / 86400, 1, from_1904=True)
book("clock.xlsx", 0.4 + seconds / 86400, 2)
book("lasting.xlsx", seconds / 86400, 3)

# ---- text that is packed, and what is not read ------------------------------------
lines = "t,x,y\n" + "".join("%r,%s,%r\n" % (
    float(a), "" if np.isnan(b) else repr(float(b)), float(c))
    for a, b, c in zip(t, x, y))
with open(out + "packed.csv.gz", "wb") as f:
    f.write(gzip.compress(lines[:9000].encode(), mtime=0) +
            gzip.compress(lines[9000:].encode(), mtime=0))
with open(out + "array.gz", "wb") as f:
    f.write(gzip.compress(bytes(100), mtime=0))
for name, first in (("run.tdms", b"TDSm\x0e\0\0\0"), ("run.par", b"PAR1\x15\0"),
                    ("fam.raw", b"|CF,2,1,1;|CK,1,3,1,1;"),
                    ("run.ulg", b"ULog\x01\x12\x35\1"),
                    ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
                    ("spice.raw", b"Title: * a\nDate: b\nPlotname: c\n"),
                    ("two.zip", b"PK\3\4\x14\0\0\0\0\0")):
    with open(out + name, "wb") as f:
        f.write(first + b"\0\1" * 300 * (name != "spice.raw"))
with open(out + "words.csv", "w") as f: # begins as formats do
    f.write("ORC,PAR1\n" + "".join("%g,%g\n" % (i / 10, i) for i in range(9)))
