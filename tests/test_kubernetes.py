"""docs/kubernetes, read where no cluster is: by Kubernetes' schemas, by the level "baseline", by what compose says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from bots.table import WAITING_S
from tests.test_compose import SERVICES
from tournaments.core.config.space_budgets import MATCH_MS

Manifest = dict[str, Any]
FOLDER = Path(__file__).resolve().parents[1] / "docs" / "kubernetes"
KUSTOMIZATION: Manifest = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
FILES = sorted(path for path in FOLDER.glob("*.yaml") if path.name != "kustomization.yaml")
MANIFESTS: list[Manifest] = [manifest for path in FILES for manifest in yaml.safe_load_all(path.read_text())]
VERSIONS = ("1.33", "1.37")  # the first whose sidecars are for good, and the newest whose schemas we have
SETS = {
    f"{manifest['kind']} {manifest['metadata']['name']}": manifest
    for manifest in MANIFESTS
    if "template" in manifest.get("spec", {})
}
DEPLOYED = sorted(name.removeprefix("Deployment ") for name in SETS if name.startswith("Deployment"))
# https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline
MAY_ADD = {
    *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"),
    *("SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
}
MAY_SET = {
    *("kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start"),
    *("net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports"),
    *("net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl"),
    *("net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"),
}
SELINUX = {"", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"}


def pod_of(name: str) -> Manifest:
    pod: Manifest = SETS[name]["spec"]["template"]["spec"]
    return pod


def containers(pod: Manifest) -> dict[str, Manifest]:
    return {container["name"]: container for container in (*pod.get("initContainers", ()), *pod["containers"])}


def lasting(name: str) -> dict[str, Manifest]:
    """Return the containers that run as long as their pod."""
    pod = pod_of(f"Deployment {name}")
    sidecars = [container for container in pod["initContainers"] if container.get("restartPolicy") == "Always"]
    return {container["name"]: container for container in (*sidecars, *pod["containers"])}


def beyond_baseline(pod: Manifest) -> Iterator[str]:
    """Yield what the level forbids of what a pod asks."""
    yield from (key for key in ("hostNetwork", "hostPID", "hostIPC") if pod.get(key))
    yield from (f"hostPath {volume['name']}" for volume in pod.get("volumes", ()) if "hostPath" in volume)
    sysctls = pod.get("securityContext", {}).get("sysctls", ())
    yield from (sysctl["name"] for sysctl in sysctls if sysctl["name"] not in MAY_SET)
    for container in ({"securityContext": pod.get("securityContext", {})}, *containers(pod).values()):
        yield from beyond_in(container)


def beyond_in(container: Manifest) -> Iterator[str]:
    asked = container.get("securityContext", {})
    if asked.get("privileged"):
        yield "privileged"
    if asked.get("windowsOptions", {}).get("hostProcess"):
        yield "hostProcess"
    yield from sorted(set(asked.get("capabilities", {}).get("add", ())) - MAY_ADD)
    if asked.get("procMount", "Default") != "Default":
        yield "procMount"
    yield from (key for key in ("seccompProfile", "appArmorProfile") if asked.get(key, {}).get("type") == "Unconfined")
    labels = asked.get("seLinuxOptions", {})
    if labels.get("type", "") not in SELINUX or labels.get("user") or labels.get("role"):
        yield "seLinuxOptions"
    yield from (f"hostPort {port['hostPort']}" for port in container.get("ports", ()) if port.get("hostPort"))
    yield from hosts_asked(container)


def hosts_asked(value: object) -> Iterator[str]:
    """Probes and hooks that ask another host than their own pod."""
    if isinstance(value, dict):
        yield from (f"host of {key}" for key in ("httpGet", "tcpSocket") if (value.get(key) or {}).get("host"))
        for inner in value.values():
            yield from hosts_asked(inner)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "manifest", MANIFESTS, ids=lambda manifest: f"{manifest['kind']} {manifest['metadata']['name']}"
)
def test_every_manifest_keeps_to_the_schema_and_has_no_word_too_many(manifest: Manifest, version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_a_wrong_manifest_is_found() -> None:
    wrong = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}, "spec": {"finalisers": []}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


def test_the_kustomization_has_every_file_the_scaling_as_a_comment() -> None:
    listed = re.findall(r"^  (?:# )?- (\w+\.yaml)", (FOLDER / "kustomization.yaml").read_text(), re.MULTILINE)
    assert sorted(listed) == [path.name for path in FILES]
    assert {path.name for path in FILES} - set(KUSTOMIZATION["resources"]) == {"scaling.yaml"}


@pytest.mark.parametrize("name", SETS)
def test_every_pod_is_within_the_level_baseline_without_privilege(name: str) -> None:
    pod = pod_of(name)
    assert list(beyond_baseline(pod)) == []
    assert pod["automountServiceAccountToken"] is False
    for container_name, container in containers(pod).items():
        asked = container["securityContext"]
        assert (asked["allowPrivilegeEscalation"], asked["readOnlyRootFilesystem"]) == (False, True)
        added = ["CHOWN", "DAC_OVERRIDE", "KILL", "SETGID", "SETPCAP", "SETUID"] if container_name == "arena" else []
        assert (asked["capabilities"]["drop"], asked["capabilities"].get("add", [])) == (["ALL"], added)
        assert (asked.get("runAsUser", pod["securityContext"]["runAsUser"]) == 0) == (container_name == "arena")


@pytest.mark.parametrize(
    ("pod", "forbidden"),
    [
        ({"hostNetwork": True}, "hostNetwork"),
        ({"volumes": [{"name": "disk", "hostPath": {"path": "/"}}]}, "hostPath disk"),
        ({"securityContext": {"sysctls": [{"name": "kernel.msgmax"}]}}, "kernel.msgmax"),
        ({"securityContext": {"seccompProfile": {"type": "Unconfined"}}}, "seccompProfile"),
        ({"containers": [{"name": "a", "securityContext": {"privileged": True}}]}, "privileged"),
        ({"containers": [{"name": "a", "securityContext": {"capabilities": {"add": ["SYS_ADMIN"]}}}]}, "SYS_ADMIN"),
        ({"initContainers": [{"name": "a", "ports": [{"hostPort": 80}]}]}, "hostPort 80"),
        ({"containers": [{"name": "a", "livenessProbe": {"httpGet": {"host": "b"}}}]}, "host of httpGet"),
        ({"containers": [{"name": "a", "securityContext": {"seLinuxOptions": {"type": "spc_t"}}}]}, "seLinuxOptions"),
        ({"containers": [{"name": "a", "securityContext": {"procMount": "Unmasked"}}]}, "procMount"),
    ],
)
def test_what_the_level_forbids_is_found(pod: Manifest, forbidden: str) -> None:
    assert list(beyond_baseline({"containers": [], **pod})) == [forbidden]


@pytest.mark.parametrize("name", DEPLOYED)
def test_every_process_is_started_as_in_compose(name: str) -> None:
    for container_name, container in lasting(name).items():
        service = SERVICES[container_name]
        command = [word for word in container["command"] if word not in ("tini", "--")]
        assert (command, container["image"]) == (service["command"], service["image"])


def test_all_that_compose_runs_of_ours_runs_here() -> None:
    images = {name for name, service in SERVICES.items() if service["image"].startswith("boardroom:")}
    assert {*DEPLOYED, "migrate", "arena"} == images


@pytest.mark.parametrize("name", DEPLOYED)
def test_every_deployment_is_probed_and_disturbed_one_pod_at_a_time(name: str) -> None:
    assert all({"readinessProbe", "startupProbe"} & container.keys() for container in lasting(name).values())
    budgets = [
        manifest["spec"]
        for manifest in MANIFESTS
        if manifest["kind"] == "PodDisruptionBudget" and manifest["metadata"]["name"] == name
    ]
    assert budgets == [{"maxUnavailable": 1, "selector": {"matchLabels": {"app": name}}}]
    assert SETS[f"Deployment {name}"]["spec"]["template"]["metadata"]["labels"]["app"] == name


def test_a_worker_that_leaves_has_time_for_the_longest_match_and_its_arena_ends_after_it() -> None:
    for name in ("worker", "practices"):
        pod = pod_of(f"Deployment {name}")
        assert pod["terminationGracePeriodSeconds"] > MATCH_MS.most / 1000 + WAITING_S + 60
        assert [
            container["name"] for container in pod["initContainers"] if container.get("restartPolicy") == "Always"
        ] == ["arena"]
    worker, practices = (dict(lasting(name)[name]) for name in ("worker", "practices"))
    assert [variable for variable in practices.pop("env") if variable not in worker["env"]] == [
        {"name": "WORKER_PRACTICES", "value": "1"}
    ]
    assert practices | {"name": "worker", "env": worker["env"]} == worker


def test_what_plays_has_no_secret_of_the_site_and_the_arena_none() -> None:
    for name in ("worker", "practices"):
        for container_name, container in containers(pod_of(f"Deployment {name}")).items():
            secret = {variable["name"] for variable in container.get("env", ()) if "valueFrom" in variable}
            assert "envFrom" not in container
            assert secret == ({"REDIS_URL", "WORKER_TOKEN"} if container_name == name else set())


@pytest.mark.parametrize("name", SETS)
def test_every_volume_that_is_mounted_is_there_and_ends_with_its_pod(name: str) -> None:
    pod = pod_of(name)
    mounted = {mount["name"] for container in containers(pod).values() for mount in container.get("volumeMounts", ())}
    assert mounted == {volume["name"] for volume in pod["volumes"] if "emptyDir" in volume}


def test_the_scaling_is_by_the_gauge_that_there_is() -> None:
    (scaling,) = (manifest for manifest in MANIFESTS if manifest["kind"] == "HorizontalPodAutoscaler")
    (metric,) = scaling["spec"]["metrics"]
    named = metric["external"]["metric"]["name"]
    assert f"| `{named}` |" in (FOLDER.parent / "reference.md").read_text()
    assert f"Deployment {scaling['spec']['scaleTargetRef']['name']}" in SETS
