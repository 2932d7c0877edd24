#!/usr/bin/busybox sh
# The first process of the machine that run.sh makes.
export PATH=/usr/bin:/usr/sbin HOME=/root USER=root LANG=C.UTF-8 PYTHONPATH=/srv/site PYTHONDONTWRITEBYTECODE=1

# Nobody can pivot away from an initramfs, as the sandbox does; from a mount on top of it one can.
if [ "$1" != moved ]; then
    busybox mount -o bind / /new && cd /new && busybox mount -o move . / && exec busybox chroot . /init moved
fi
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/shm
mount -t tmpfs shm /dev/shm
mount -t cgroup2 -o nsdelegate groups /sys/fs/cgroup
chmod 1777 /tmp
busybox ip link set lo up
printf 'root:x:0:0::/root:/bin/sh\n' > /etc/passwd

uname -srm
cd /srv/boardroom
set -f
IFS='
'
# No server of the project is here, nor the tests of matches next to them; where bots must not get, something listens.
export REDIS_URL=redis://127.0.0.1:6379 DATABASE_URL=postgresql://127.0.0.1:5432/none
for port in 6379 5432; do python3 -m http.server --bind 127.0.0.1 "$port" > /dev/null 2>&1 & done
set -- --import-mode=importlib --ignore=tests/hostile/test_matches.py
python3 -m pytest -v -o addopts= -o filterwarnings= "$@" $(cat /arguments) 2>&1
echo "pytest ended with $?"
busybox poweroff -f
