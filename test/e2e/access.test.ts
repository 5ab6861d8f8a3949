import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import { createAuthority, readSigningRequest } from '../../lib/pki/index.ts'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { type EtcdServer, startEtcd } from '../support/etcd.ts'
import { createKubectl, findKubectl, type Kubectl, type KubectlResult } from '../support/kubectl.ts'
import { type Answer, ask } from '../support/plane.ts'
import { createSigningRequest } from '../support/signingrequest.ts'
import { ok, splitArguments } from '../support/stages.ts'

/** What is written to one replica, the other knows at once or a moment later. */
const timeoutMs = 50_000

describe('access, by kubectl against two replicas', function () {
  if (!findKubectl() || !process.env['PILOTHOUSE_ETCD']) {
    it.skip('needs kubectl and etcd')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('e2e-access')
  const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'cluster' })
  let etcd: EtcdServer
  let replicas: ServerProcess[] = []
  /** The administrator's, at each replica. */
  let admin: Kubectl
  let other: Kubectl

  before(async () => {
    writeFileSync(join(folder.path, 'ca.crt'), authority.certificate)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(join(folder.path, 'sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
    etcd = await startEtcd()
    const flags = [
      `--etcd-servers=${etcd.url}`,
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--disable-admission-plugins=ServiceAccount',
      '--enable-bootstrap-token-auth',
      `--client-ca-file=${join(folder.path, 'ca.crt')}`,
      '--service-account-issuer=https://cluster.example',
      `--service-account-key-file=${join(folder.path, 'sa.key')}`,
      `--service-account-signing-key-file=${join(folder.path, 'sa.key')}`,
    ]
    replicas = [
      await startServer('cmd/apiserver/main.ts', flags, folder.path),
      await startServer('cmd/apiserver/main.ts', flags, folder.path),
    ]
    const [first, second] = replicas.map((replica) => createKubectl(replica, folder.path))
    assert(first && second)
    admin = first
    other = second
  })
  after(async () => {
    for (const replica of replicas) assert.equal(await replica.stop(), 0)
    await etcd?.stop()
    folder.remove()
  })

  let users = 0
  /** A kubectl of somebody else, at the second replica; `user` as kubeconfigs have it. */
  function kubectlOf(user: object, replica = replicas[1]): Kubectl {
    assert(replica)
    const path = join(folder.path, `user-${++users}.json`)
    const cluster = { server: replica.url, 'insecure-skip-tls-verify': true }
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
    return (args, options = {}) => other(args, { ...options, env: { ...options.env, KUBECONFIG: path } })
  }

  async function refused(kubectl: Kubectl, args: string, why: RegExp, input?: string): Promise<void> {
    const { code, stderr } = await kubectl(splitArguments(args), input === undefined ? {} : { input })
    assert.notEqual(code, 0, `kubectl ${args} was not refused`)
    assert.match(stderr, why)
  }

  /** Asks until it works: the other replica may be a moment behind. */
  async function soon(kubectl: Kubectl, args: string): Promise<string> {
    const deadlineMs = performance.now() + timeoutMs
    let last: KubectlResult
    do {
      last = await kubectl(splitArguments(args))
      if (last.code === 0) return last.stdout
    } while (performance.now() < deadlineMs)
    throw new Error(`kubectl ${args}\n${last.stdout}${last.stderr}`)
  }

  it('auth whoami prints the user', async () => {
    assert.match(
      await ok(admin, 'auth whoami'),
      /^Username +admin$[\s\S]*^Groups +\[system:masters system:authenticated\]$/m,
    )
    const as = JSON.parse(await ok(other, 'auth whoami -o json --as ann --as-group dev')) as {
      status: { userInfo: object }
    }
    assert.deepEqual(as.status.userInfo, { username: 'ann', groups: ['dev', 'system:authenticated'] })
  })

  it('create role and rolebinding grant at both replicas, and can-i answers yes', async () => {
    await ok(admin, 'create role reader --verb=get,list --resource=configmaps')
    assert.equal((await other(splitArguments('auth can-i list configmaps --as rita'))).stdout, 'no\n')
    await ok(admin, 'create rolebinding rita --role=reader --user=rita')
    assert.equal(await soon(other, 'auth can-i list configmaps --as rita'), 'yes\n')
    assert.match(await ok(other, 'auth can-i --list --as rita'), /^configmaps +\[\] +\[\] +\[get list\]$/m)
    await ok(other, 'get configmaps --as rita')
    await refused(
      other,
      'get secrets --as rita',
      /User "rita" cannot list resource "secrets" in API group "" in the name/,
    )
    await ok(admin, 'create clusterrolebinding vera --clusterrole=system:discovery --user=vera')
    assert.equal(await soon(other, 'auth can-i get /apis --as vera'), 'yes\n')
  })

  it('auth reconcile adds what is missing and prints what it does', async () => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'watch'] }]
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'reader' }, rules }
    const text = JSON.stringify({ ...role, metadata: { name: 'reader', namespace: 'default' } })
    assert.match(await ok(admin, 'auth reconcile -f -', text), /role\.rbac\.authorization\.k8s\.io\/reader reconciled/)
    assert.equal(await soon(other, 'auth can-i watch configmaps --as rita'), 'yes\n')
    assert.equal(await ok(other, 'auth can-i list configmaps --as rita'), 'yes\n')
  })

  describe('service accounts', () => {
    before(async () => {
      await ok(admin, 'create serviceaccount robot')
      await ok(admin, 'create rolebinding robot --role=reader --serviceaccount=default:robot')
    })

    it('create token makes a token that another replica accepts, for what its account may do', async () => {
      const token = (await ok(admin, 'create token robot --duration=20m')).trim()
      const robot = kubectlOf({ token })
      assert.match(await soon(robot, 'auth whoami'), /^Username +system:serviceaccount:default:robot$/m)
      await soon(robot, 'get configmaps')
      await refused(robot, 'get secrets', /"system:serviceaccount:default:robot" cannot list resource "secrets"/)
      await refused(
        kubectlOf({ token: `${token.slice(0, -4)}AAAA` }),
        'get configmaps',
        /Unauthorized|must be logged in/,
      )
    })

    for (const version of ['v1', 'v1beta1'])
      it(`a program of a kubeconfig (${version}) brings the token`, async () => {
        const token = (await ok(admin, 'create token robot')).trim()
        const apiVersion = `client.authentication.k8s.io/${version}`
        const program = join(folder.path, `plugin-${version}.sh`)
        const credential = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token } })
        writeFileSync(program, `#!/bin/sh\necho '${credential}'\n`)
        chmodSync(program, 0o700)
        const exec = { apiVersion, command: program, interactiveMode: 'Never' }
        assert.match(await soon(kubectlOf({ exec }), 'auth whoami'), /^Username +system:serviceaccount:default:robot$/m)
      })
  })

  describe('a node joins by hand', () => {
    const request = createSigningRequest('system:node:worker', ['system:nodes'])
    let joiner: Kubectl
    let worker: Kubectl
    let certificate = ''
    /** As the agent of a node does it: kubectl would get the status first, which agents may not. */
    async function patchStatus(path: string, status: object): Promise<Answer> {
      const headers = { 'content-type': 'application/merge-patch+json' }
      const identity = { cert: certificate, key: request.key }
      const [, replica] = replicas
      return await ask(replica?.url ?? '', `${path}/status`, {
        method: 'PATCH',
        headers,
        ...identity,
        body: { status },
      })
    }
    const pod = (name: string, more: object = {}): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { nodeName: 'worker', containers: [{ name: 'c', image: 'i' }], ...more },
      })

    it('a node joins with a bootstrap token, which has few permissions', async () => {
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'bootstrap.kubernetes.io/token',
        metadata: { name: 'bootstrap-token-joinme', namespace: 'kube-system' },
        stringData: {
          'token-id': 'joinme',
          'token-secret': '0123456789abcdef',
          'usage-bootstrap-authentication': 'true',
          expiration: new Date(Date.now() + 3_600_000).toISOString(),
        },
      }
      await ok(admin, 'create -f -', JSON.stringify(secret))
      await ok(
        admin,
        'create clusterrolebinding join --clusterrole=system:node-bootstrapper --group=system:bootstrappers',
      )
      joiner = kubectlOf({ token: 'joinme.0123456789abcdef' })
      assert.match(await soon(joiner, 'auth whoami'), /^Groups +\[system:bootstrappers system:authenticated\]$/m)
      await refused(joiner, 'get nodes', /User "system:bootstrap:joinme" cannot list resource "nodes"/)
      await refused(joiner, 'get secrets -n kube-system', /cannot list resource "secrets"/)
    })

    it('a node requests a certificate, and can not approve it itself', async () => {
      const body = {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'worker' },
        spec: {
          request: Buffer.from(request.request).toString('base64'),
          signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
          usages: ['digital signature', 'client auth'],
        },
      }
      await soon(joiner, 'auth can-i create certificatesigningrequests')
      await ok(joiner, 'create -f -', JSON.stringify(body))
      await refused(
        joiner,
        'certificate approve worker',
        /cannot (patch|update|get) resource "certificatesigningrequests/,
      )
      assert.match(await soon(admin, 'get csr worker'), /system:bootstrap:joinme +\S+ +Pending$/m)
    })

    it('a node is approved, and has its certificate once the signer has signed it', async () => {
      assert.match(await ok(admin, 'certificate approve worker'), /worker approved/)
      assert.match(await ok(admin, 'get csr worker'), / Approved$/m)
      const { publicKey, commonName, organizations } = readSigningRequest(request.request)
      assert.ok(publicKey)
      certificate = authority.certify(publicKey.export({ type: 'spki', format: 'der' }), {
        commonName,
        organizations,
        usage: 'client',
      })
      const status = { certificate: Buffer.from(certificate).toString('base64') }
      await ok(admin, `patch csr worker --subresource=status --type=merge -p '${JSON.stringify({ status })}'`)
      const issued = await soon(joiner, "get csr worker -o 'jsonpath={.status.certificate}'")
      assert.equal(Buffer.from(issued, 'base64').toString(), certificate)
      worker = kubectlOf({
        'client-certificate-data': issued,
        'client-key-data': Buffer.from(request.key).toString('base64'),
      })
      assert.match(await ok(worker, 'auth whoami'), /^Username +system:node:worker$[\s\S]*\[system:nodes system:auth/m)
    })

    it('a node creates and changes its own node, and no other', async () => {
      const node = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name } })
      await ok(worker, 'create -f -', node('worker'))
      await refused(worker, 'create -f -', /node "worker" is not allowed to modify node "stranger"/, node('stranger'))
      await ok(admin, 'create -f -', node('stranger'))
      const ready = { conditions: [{ type: 'Ready', status: 'True' }] }
      assert.equal((await patchStatus('/api/v1/nodes/worker', ready)).status, 200)
      const another = await patchStatus('/api/v1/nodes/stranger', ready)
      assert.equal(another.status, 403)
      assert.match(another.body.message, /"stranger" is forbidden: /)
      await refused(worker, 'label node worker node-restriction.kubernetes.io/a=b', /is not allowed to modify labels/)
    })

    it('a node reads what its pods need, and nothing else', async () => {
      for (const name of ['wanted', 'unwanted']) await ok(admin, `create secret generic ${name} --from-literal=a=b`)
      await refused(worker, 'get secret wanted', /no relationship found between node 'worker' and this object/)
      await ok(admin, 'create -f -', pod('p', { volumes: [{ name: 'v', secret: { secretName: 'wanted' } }] }))
      await soon(worker, 'get secret wanted')
      await refused(worker, 'get secret unwanted', /no relationship found/)
      await refused(
        worker,
        'get secrets',
        /cannot list resource "secrets"|can only read namespaced object of this type/,
      )
      await soon(worker, 'get pods --field-selector=spec.nodeName=worker')
    })

    it('a node updates its own pods, and no others', async () => {
      await ok(admin, 'create -f -', pod('far', { nodeName: 'stranger' }))
      const pods = '/api/v1/namespaces/default/pods'
      assert.equal((await patchStatus(`${pods}/p`, { phase: 'Running' })).status, 200)
      const refusal = await patchStatus(`${pods}/far`, { phase: 'Running' })
      assert.equal(refusal.status, 403)
      assert.match(refusal.body.message, /can only update pod status for pods with spec.nodeName set to itself/)
      await refused(
        worker,
        'delete pod far --wait=false',
        /can only delete pods with spec.nodeName set to itself|cannot/,
      )
      await ok(worker, 'delete pod p --grace-period=0 --force --wait=false')
    })
  })
})
