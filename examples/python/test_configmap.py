import kubernetes
import pytest


def test_a_config_map_is_read_back(api):
    core = kubernetes.client.CoreV1Api(api)
    core.create_namespaced_config_map("default", {"metadata": {"name": "settings"}, "data": {"mode": "fast"}})
    assert core.read_namespaced_config_map("settings", "default").data == {"mode": "fast"}


def test_a_missing_config_map_is_404(api):
    with pytest.raises(kubernetes.client.ApiException) as refused:
        kubernetes.client.CoreV1Api(api).read_namespaced_config_map("none", "default")
    assert refused.value.status == 404


def test_a_watch_sees_a_new_namespace(api):
    core = kubernetes.client.CoreV1Api(api)
    version = core.list_namespace().metadata.resource_version
    core.create_namespace({"metadata": {"name": "seen"}})
    events = kubernetes.watch.Watch().stream(core.list_namespace, resource_version=version, timeout_seconds=20)
    assert next(event for event in events if event["type"] == "ADDED")["object"].metadata.name == "seen"
