#!/bin/bash
# Attacks the sandbox of the last commit on another machine: Debian 12 with its own kernel, emulated.
#
#     tests/machines/run.sh amd64|arm64 FOLDER [arguments for pytest]
#
# As root, on Debian, with qemu-system-x86, qemu-system-arm, debootstrap, cpio and python3-pip. Packages come from where
# this machine's apt has its own of Debian 12, or from the address in MIRROR. FOLDER keeps what was downloaded (1 GB).
# Nothing is installed here, and the machine has no network. Without arguments it runs tests/hostile once for each tier,
# which takes hours on an emulated processor: ask for less, by files and by -k.
set -euo pipefail

case $1 in
    amd64) machine=x86_64 console=ttyS0 emulator=(qemu-system-x86_64 -accel tcg -cpu max) ;;
    arm64) machine=aarch64 console=ttyAMA0 emulator=(qemu-system-aarch64 -accel tcg -cpu max -M virt) ;;
    *) echo "The machine is amd64 or arm64, not '$1'." >&2 && exit 2 ;;
esac
here=$(cd "$(dirname "$0")" && pwd) home=$2/$1 name=$1 release=bookworm
shift 2
mkdir -p "$home"

mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $release" 'Component: main' | sed -n 1p
}

# What does not change: packages of Debian, unpacked without running anything of theirs, and pytest.
if [ ! -e "$home/base.cpio" ]; then
    if [ -z "${MIRROR:=$(mirror)}" ]; then
        echo "This machine's apt has no source of $release: give the address of a mirror in MIRROR." >&2 && exit 2
    fi
    debootstrap --foreign --arch="$name" --variant=minbase --include="python3,busybox-static,linux-image-$name" \
        "$release" "$home/root" "$MIRROR"
    for package in "$home"/root/var/cache/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$home/root"
    done
    platforms=(--platform "manylinux_2_28_$machine" --platform "manylinux2014_$machine")
    python3 -m pip install --quiet --target "$home/root/srv/site" --only-binary :all: "${platforms[@]}" \
        --python-version 3.11 'pytest>=9.2,<10' 'hypothesis>=6.170,<7'
    python3 -m compileall -q -s "$home/root" "$home"/root/usr/lib/python3.11 "$home/root/srv" > /dev/null || true
    mv "$home"/root/boot/vmlinuz-* "$home/kernel"
    rm -rf "$home"/root/{boot,debootstrap,var/cache,usr/lib/modules,usr/share/{doc,man,locale,perl,i18n}}
    (cd "$home/root" && find . | cpio --quiet -o -H newc) > "$home/base.cpio"
fi

# What does: our last commit. An emulated processor is ten times slower, so the tests wait longer.
over=$(mktemp -d)
trap 'rm -rf "$over" "$home/image.cpio"' EXIT
chmod 755 "$over"
mkdir -p "$over"/{proc,sys,dev,tmp,new,srv/boardroom}  # in a container debootstrap makes links of the first
git -C "$here/../.." archive --prefix=srv/boardroom/ HEAD | tar -x -C "$over"
hostile=$over/srv/boardroom/tests/hostile
sed -i 's/^DEADLINE_S = .*/DEADLINE_S = 200/; s/cpu_s=10)/cpu_s=200)/' "$hostile/boxes.py"
sed -i 's/^CLOCK = .*/CLOCK = Clock(answer_ms=3_000, bank_ms=100_000, start_ms=30_000)/; s/^GUARD_S = .*/GUARD_S = 20.0/' \
    "$hostile/test_matches.py"
python3 -m compileall -q -s "$over" "$over/srv" > /dev/null || true  # by a Python 3.11; without it all takes longer
printf '%s\n' "${@:-tests/hostile}" > "$over/arguments"
install -m 755 "$here/init.sh" "$over/init"
(cd "$over" && find . | cpio --quiet -o -H newc) | cat "$home/base.cpio" - > "$home/image.cpio"

"${emulator[@]}" -m 2500 -smp 2 -nic none -display none -monitor none -serial stdio -no-reboot \
    -kernel "$home/kernel" -initrd "$home/image.cpio" -append "console=$console quiet panic=-1" < /dev/null |
    tee "$home/console"
grep -q '^pytest ended with 0' "$home/console"
