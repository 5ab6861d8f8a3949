import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { bindAdmins } from '../../hack/ha/admins.ts'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { type EtcdServer, startEtcd } from '../support/etcd.ts'
import { eventually } from '../support/eventually.ts'
import { findKubectl } from '../support/kubectl.ts'
import { runProgram } from '../support/program.ts'

const run = promisify(execFile)

describe('a cluster with the certificates of pilothouse pki', function () {
  if (!findKubectl() || !process.env['PILOTHOUSE_ETCD']) {
    it.skip('needs kubectl and etcd')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('e2e-pki')
  const pki = (name: string): string => join(folder.path, 'pki', name)
  let etcd: EtcdServer
  let server: ServerProcess
  before(async () => {
    const made = await runProgram('cmd/pilothouse/main.ts', ['pki', 'init', `--dir=${folder.path}`])
    assert.equal(made.code, 0, made.stderr)
    const tls = { certFile: pki('etcd/server.crt'), keyFile: pki('etcd/server.key'), caFile: pki('etcd/ca.crt') }
    etcd = await startEtcd({ tls })
    const flags = [
      `--etcd-servers=${etcd.url}`,
      `--etcd-cafile=${pki('etcd/ca.crt')}`,
      `--etcd-certfile=${pki('apiserver-etcd-client.crt')}`,
      `--etcd-keyfile=${pki('apiserver-etcd-client.key')}`,
      `--client-ca-file=${pki('ca.crt')}`,
      `--tls-cert-file=${pki('apiserver.crt')}`,
      `--tls-private-key-file=${pki('apiserver.key')}`,
      `--service-account-key-file=${pki('sa.pub')}`,
      `--service-account-signing-key-file=${pki('sa.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--requestheader-client-ca-file=${pki('front-proxy-ca.crt')}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      '--authorization-mode=Node,RBAC',
      '--disable-admission-plugins=ServiceAccount,ResourceQuota',
    ]
    server = await startServer('cmd/apiserver/main.ts', flags, folder.path)
  })
  after(async () => {
    await server?.stop()
    await etcd?.stop()
    folder.remove()
  })

  const kubectl = async (config: string, ...line: string[]): Promise<string> => {
    const { stdout } = await run('kubectl', [`--server=${server.url}`, ...line], {
      env: { ...process.env, KUBECONFIG: join(folder.path, config), HOME: folder.path },
    })
    return stdout
  }

  it('the administrator may do everything once bound to the role, by a certificate, to a server that kubectl verifies', async () => {
    assert.match(await kubectl('admin.conf', 'auth', 'whoami', '-o', 'json'), /"kubernetes-admin"/)
    const create = ['create', 'configmap', 'a', '--from-literal=b=c']
    await assert.rejects(kubectl('admin.conf', ...create), /is forbidden/)
    await bindAdmins(folder.path, server.url)
    await bindAdmins(folder.path, server.url)
    const binding = await kubectl(
      'super-admin.conf',
      'get',
      'clusterrolebinding',
      'kubeadm:cluster-admins',
      '-o',
      'yaml',
    )
    const dry = ['--clusterrole=cluster-admin', '--group=kubeadm:cluster-admins', '--dry-run=client', '-o', 'yaml']
    const asKubectl = await kubectl(
      'super-admin.conf',
      'create',
      'clusterrolebinding',
      'kubeadm:cluster-admins',
      ...dry,
    )
    const rules = (text: string): unknown => {
      const { roleRef, subjects } = parse(text) as { roleRef: unknown; subjects: unknown }
      return { roleRef, subjects }
    }
    assert.deepEqual(rules(binding), rules(asKubectl))
    await kubectl('admin.conf', ...create)
    assert.match(await kubectl('admin.conf', 'get', 'configmaps'), /^a /m)
  })

  it('the controller manager and the scheduler have the users of their roles', async () => {
    assert.match(
      await kubectl('controller-manager.conf', 'auth', 'whoami', '-o', 'json'),
      /system:kube-controller-manager/,
    )
    assert.equal(
      (await kubectl('scheduler.conf', 'auth', 'can-i', 'create', 'pods', '--subresource=binding', '-A')).trim(),
      'yes',
    )
    await assert.rejects(kubectl('scheduler.conf', 'create', 'configmap', 'x'), /is forbidden/)
  })

  it('a renewed serving certificate is loaded while the server runs', async () => {
    const renewed = await runProgram('cmd/pilothouse/main.ts', ['pki', 'renew', 'all', `--dir=${folder.path}`])
    assert.equal(renewed.code, 0, renewed.stderr)
    await eventually(async () => {
      const answer = await kubectl('admin.conf', 'get', '--raw=/readyz').catch((error: unknown) => String(error))
      return answer === 'ok'
    }, 'an answer with the new pair')
  })
})
