"""The Python package with the library inside.

A wheel has libdarc.so.1 beside the modules (.ci/wheel puts it there); from the
sources `make` builds it, which needs what README says under "Set up".
DARC_PLATFORM is the platform that the wheel is for."""
import os
import pathlib
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
MADE = ("read-hdf5", "read-arrays", "_described.py")


class Build(build_py):
    def run(self):
        package = next(p for p in (HERE / "darc", HERE / "src/python/darc")
                       if p.exists())
        if not (package / "libdarc.so.1").exists():
            version = (package / "_version.py").read_text().split('"')[1]
            made = HERE / "build" / "release"
            library = made / f"libdarc.so.{version}"
            subprocess.run(
                ["make", "-j%d" % (os.cpu_count() or 1), "FLAVOUR=release",
                 str(library.relative_to(HERE)),
                 *(f"build/release/{m}" for m in MADE)],
                cwd=HERE, check=True)
            shutil.copy(library, package / "libdarc.so.1")
            for name in MADE:
                shutil.copy(made / name, package)
        super().run()


class Native(Distribution):
    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    """For every Python 3: the library is called through ctypes."""

    def finalize_options(self):
        super().finalize_options()
        if "DARC_PLATFORM" in os.environ:
            self.plat_name_supplied = True
            self.plat_name = os.environ["DARC_PLATFORM"]

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(distclass=Native, cmdclass={"build_py": Build, "bdist_wheel": Wheel})
