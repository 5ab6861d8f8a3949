package operator

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// plane is a control plane for one test.
type plane struct {
	url, token string
	client     *http.Client
}

// startPlane runs the kube-apiserver in KUBEBUILDER_ASSETS, by the flags of the stock one.
func startPlane(t *testing.T) *plane {
	t.Helper()
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: KUBEBUILDER_ASSETS=$(pilothouse envtest) go test ./...")
	}
	dir, port, token := t.TempDir(), freePort(t), "admin-token"
	tokens := filepath.Join(dir, "tokens.csv")
	if err := os.WriteFile(tokens, []byte(token+",admin,admin,system:masters\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(filepath.Join(assets, "kube-apiserver"),
		"--etcd-servers=http://127.0.0.1:2379", "--cert-dir="+dir, "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port), "--authorization-mode=RBAC", "--token-auth-file="+tokens,
		"--disable-admission-plugins=ServiceAccount")
	server.Stdout, server.Stderr = os.Stderr, os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		if err := server.Wait(); err != nil {
			t.Errorf("the server did not end well: %v", err)
		}
	})
	p := &plane{url: fmt.Sprintf("https://127.0.0.1:%d", port), token: token}
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(50 * time.Millisecond) {
		if p.client == nil {
			p.client = clientFor(filepath.Join(dir, "apiserver.crt"))
		} else if status, _, err := p.ask("GET", "/readyz", ""); err == nil && status == http.StatusOK {
			return p
		}
	}
	t.Fatal("the server is not ready after a minute")
	return nil
}

// clientFor trusts the certificate that the server made for itself; nil while there is none.
func clientFor(certificate string) *http.Client {
	pem, err := os.ReadFile(certificate)
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(pem) {
		return nil
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "localhost"}}}
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func (p *plane) ask(method, path, body string) (int, string, error) {
	request, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := p.client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}

func TestConfigMapIsReadBack(t *testing.T) {
	p := startPlane(t)
	const path = "/api/v1/namespaces/default/configmaps"
	if status, text, err := p.ask("POST", path, `{"metadata":{"name":"settings"},"data":{"mode":"fast"}}`); err != nil || status != 201 {
		t.Fatal(status, text, err)
	}
	if status, text, err := p.ask("GET", path+"/settings", ""); err != nil || status != 200 || !strings.Contains(text, `"mode":"fast"`) {
		t.Fatal(status, text, err)
	}
	if status, text, err := p.ask("GET", path+"/none", ""); err != nil || status != 404 || !strings.Contains(text, `"reason":"NotFound"`) {
		t.Fatal(status, text, err)
	}
}
