import assert from 'node:assert/strict'
import { apiserverFlags } from '../../../cmd/apiserver/flags.ts'
import { managerFlags } from '../../../cmd/controller-manager/flags.ts'
import { parseFlags } from '../../../lib/flags/index.ts'

/** In the manifests that kubeadm of every release writes. */
const apiserver = `
--advertise-address=192.168.7.11 --allow-privileged=true --authorization-mode=Node,RBAC
--client-ca-file=/etc/kubernetes/pki/ca.crt --enable-admission-plugins=NodeRestriction --enable-bootstrap-token-auth=true
--etcd-cafile=/etc/kubernetes/pki/etcd/ca.crt --etcd-certfile=/etc/kubernetes/pki/apiserver-etcd-client.crt
--etcd-keyfile=/etc/kubernetes/pki/apiserver-etcd-client.key --etcd-servers=https://127.0.0.1:2379
--kubelet-client-certificate=/etc/kubernetes/pki/apiserver-kubelet-client.crt
--kubelet-client-key=/etc/kubernetes/pki/apiserver-kubelet-client.key
--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname
--proxy-client-cert-file=/etc/kubernetes/pki/front-proxy-client.crt
--proxy-client-key-file=/etc/kubernetes/pki/front-proxy-client.key
--requestheader-allowed-names=front-proxy-client
--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt
--requestheader-extra-headers-prefix=X-Remote-Extra- --requestheader-group-headers=X-Remote-Group
--requestheader-username-headers=X-Remote-User --secure-port=6443
--service-account-issuer=https://kubernetes.default.svc.cluster.local
--service-account-key-file=/etc/kubernetes/pki/sa.pub --service-account-signing-key-file=/etc/kubernetes/pki/sa.key
--service-cluster-ip-range=10.96.0.0/16 --tls-cert-file=/etc/kubernetes/pki/apiserver.crt
--tls-private-key-file=/etc/kubernetes/pki/apiserver.key`

const manager = `
--allocate-node-cidrs=true --authentication-kubeconfig=/etc/kubernetes/controller-manager.conf
--authorization-kubeconfig=/etc/kubernetes/controller-manager.conf --bind-address=127.0.0.1
--client-ca-file=/etc/kubernetes/pki/ca.crt --cluster-cidr=10.244.0.0/16 --cluster-name=kubernetes
--cluster-signing-cert-file=/etc/kubernetes/pki/ca.crt --cluster-signing-key-file=/etc/kubernetes/pki/ca.key
--controllers=*,bootstrapsigner,tokencleaner --kubeconfig=/etc/kubernetes/controller-manager.conf --leader-elect=true
--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt --root-ca-file=/etc/kubernetes/pki/ca.crt
--service-account-private-key-file=/etc/kubernetes/pki/sa.key --service-cluster-ip-range=10.96.0.0/16
--use-service-account-credentials=true`

describe('cmd: flags in the manifests of kubeadm', () => {
  const words = (text: string): string[] => text.trim().split(/\s+/)

  it('are accepted, with those of kubeadm 1.20 that turn a port without TLS off', () => {
    const served = parseFlags(apiserverFlags, [...words(apiserver), '--insecure-port=0'])
    assert.deepEqual(served.warnings, ['--insecure-port is deprecated: there is no port without TLS'])
    const managed = parseFlags(managerFlags, [...words(manager), '--port=0'])
    assert.deepEqual(
      managed.warnings.filter((line) => line.includes('--port')),
      ['--port is deprecated: there is no port without TLS'],
    )
  })

  it('are refused where they would open a port without TLS', () => {
    assert.throws(() => parseFlags(apiserverFlags, ['--insecure-port=8080']), {
      message: '--insecure-port: 8080 is not 0, the one value that there is',
    })
    assert.throws(() => parseFlags(managerFlags, ['--port=10252']), {
      message: '--port: 10252 is not 0, the one value that there is',
    })
  })
})
