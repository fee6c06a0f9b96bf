"""Write recordings in all formats that darc reads, by other programs than
darc: scipy (MAT 5 and 7), h5py (HDF5, MAT 7.3), numpy (NPY, NPZ), and an own
writer of MDF4 after the published block structure.  EXPECTED.bin beside them
holds t, x, y as doubles.

    formats.py DIRECTORY
"""
import struct
import sys
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
