"""Puts the command `rouse` and librouse into the wheel, and says for which machines it is.

They come from the folder that ROUSE_PREFIX names, where `Sources/RouseC/Install/install` has put them; without it they
are built by that script, for which Swift is needed.
"""
import os
import platform
import re
import shutil
import subprocess
import tempfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSTALL = os.path.join("..", "RouseC", "Install", "install")
FILES = {"bin/rouse": "rouse/native/rouse", "lib/librouse.so.0": "rouse/native/librouse.so.0"}


class Native(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            raise SystemExit("rouse: instead of pip install -e, set PYTHONPATH, ROUSE_COMMAND and ROUSE_LIBRARY")
        self.scratch = tempfile.mkdtemp(prefix="rouse-")
        prefix = os.environ.get("ROUSE_PREFIX") or self.install(os.path.join(self.scratch, "prefix"))
        for source, target in FILES.items():
            path = os.path.join(prefix, source)
            if not os.path.isfile(path):
                raise SystemExit(f"rouse: ROUSE_PREFIX: {path} is not there; Sources/RouseC/Install/install PREFIX makes it")
            copy = os.path.join(self.scratch, os.path.basename(target))
            shutil.copy(path, copy)
            # Symbols for debuggers are half of the bytes.
            subprocess.run(["strip", "--strip-unneeded", copy], check=True)
            build_data["force_include"][copy] = target
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag(os.path.join(self.scratch, 'librouse.so.0'))}"

    def finalize(self, version, build_data, artifact_path):
        shutil.rmtree(self.scratch)

    def install(self, prefix):
        script = os.path.join(self.root, INSTALL)
        if not os.path.isfile(script):
            raise SystemExit("rouse: the sources of the command are not beside the package: build it in a clone of the repository")
        if not shutil.which("swift"):
            raise SystemExit("rouse: there is no wheel for this machine, and no Swift to build one: install Swift 6.3, or "
                             "set ROUSE_PREFIX to a folder with bin/rouse and lib/librouse.so.0")
        built = subprocess.run(["bash", script, prefix], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if built.returncode != 0:
            raise SystemExit(built.stdout[-4000:])
        return prefix


def platform_tag(library):
    """The tag of PEP 600: the newest version of the C library that librouse needs."""
    machine = platform.machine()
    symbols = subprocess.run(["objdump", "-T", library], stdout=subprocess.PIPE, text=True, check=True).stdout
    versions = [tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(2\.\d+)", symbols)]
    return "manylinux_{}_{}_{}".format(*max(versions), machine) if versions else f"linux_{machine}"
