import subprocess

import kubernetes
import pytest


@pytest.fixture(scope="session")
def api(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pilothouse")
    command = ["pilothouse", "up", f"--data-dir={folder}", "--storage-backend=memory", "--secure-port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as plane:
        plane.stdout.readline()  # `export KUBECONFIG=…`: it is ready
        yield kubernetes.config.new_client_from_config(str(folder / "admin.kubeconfig"))
        plane.terminate()
