import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pki } from '../../../cmd/pilothouse/pki/index.ts'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { type ProgramResult, runHere } from '../../support/program.ts'

describe('pilothouse pki', () => {
  const folder = scratchFolder('pki')
  after(() => folder.remove())
  // test/e2e/pki.test.ts runs the program.
  const run = async (...line: string[]): Promise<ProgramResult> =>
    await runHere('pilothouse', pki, [...line, `--dir=${folder.path}`])
  const file = (path: string): string => readFileSync(join(folder.path, path), 'utf8')
  const verify = (authority: string, purpose: string, path: string): void => {
    const [ca, certificate] = [authority, path].map((each) => join(folder.path, each))
    execFileSync('openssl', ['verify', '-x509_strict', '-CAfile', ca ?? '', '-purpose', purpose, certificate ?? ''])
  }

  it('init makes certificates that OpenSSL accepts for their purpose, with keys readable by their owner alone', async () => {
    const { code, stderr } = await run(
      'init',
      '--apiserver-names=api.example.com,10.9.8.7',
      '--server=https://api.example.com:6443',
    )
    assert.equal(code, 0, stderr)
    verify('pki/ca.crt', 'sslserver', 'pki/apiserver.crt')
    verify('pki/ca.crt', 'sslclient', 'pki/apiserver-kubelet-client.crt')
    verify('pki/front-proxy-ca.crt', 'sslclient', 'pki/front-proxy-client.crt')
    for (const purpose of ['sslserver', 'sslclient']) verify('pki/etcd/ca.crt', purpose, 'pki/etcd/peer.crt')
    verify('pki/etcd/ca.crt', 'sslclient', 'pki/apiserver-etcd-client.crt')
    const { subjectAltName = '' } = new X509Certificate(file('pki/apiserver.crt'))
    for (const name of [
      'DNS:api.example.com',
      'IP Address:10.9.8.7',
      'IP Address:10.0.0.1',
      'DNS:kubernetes.default.svc',
    ])
      assert.ok(subjectAltName.includes(name), name)
    for (const path of ['pki/ca.key', 'pki/sa.key', 'pki/etcd/server.key', 'admin.conf'])
      assert.equal(statSync(join(folder.path, path)).mode & 0o777, 0o600, path)
  })

  it('init again changes nothing, and makes only what is missing', async () => {
    const before = file('pki/apiserver.crt')
    rmSync(join(folder.path, 'scheduler.conf'))
    const { code, stdout } = await run('init', '--apiserver-names=other.example.com')
    assert.equal(code, 0)
    assert.match(stdout, /^made:\n {2}scheduler.conf\nkept:\n/)
    assert.equal(file('pki/apiserver.crt'), before)
  })

  it('renew keeps the names and the server, with new keys', async () => {
    const [certificate, key, admin] = ['pki/apiserver.crt', 'pki/apiserver.key', 'admin.conf'].map(file)
    const { code, stderr } = await run('renew', 'apiserver', 'admin.conf', '--valid-days=7')
    assert.equal(code, 0, stderr)
    const [now, before] = [file('pki/apiserver.crt'), certificate ?? ''].map((pem) => new X509Certificate(pem))
    assert.equal(now?.subjectAltName, before?.subjectAltName)
    assert.ok((now?.validToDate.getTime() ?? 0) < Date.now() + 8 * 24 * 3600_000)
    assert.notEqual(file('pki/apiserver.key'), key)
    assert.notEqual(file('admin.conf'), admin)
    assert.match(file('admin.conf'), /server: https:\/\/api\.example\.com:6443/)
    verify('pki/ca.crt', 'sslserver', 'pki/apiserver.crt')
  })

  it('renew keeps the group of an administrator that another release made', async () => {
    const existing = { certificate: file('pki/ca.crt'), key: file('pki/ca.key') }
    const authority = createAuthority({ clock: systemClock, random: systemRandom }, { existing })
    const issue = { commonName: 'kubernetes-admin', organizations: ['system:masters'], usage: 'client' } as const
    const encode = (text: string): string => Buffer.from(text).toString('base64')
    const config = file('admin.conf')
    const old = config.replace(/(client-certificate-data: )\S+/, `$1${encode(authority.issue(issue).certificate)}`)
    writeFileSync(join(folder.path, 'admin.conf'), old)
    assert.equal((await run('renew', 'admin.conf')).code, 0)
    const { stdout } = await run('show', '-o', 'json')
    const entries = JSON.parse(stdout) as { name: string; subject: string }[]
    const admin = entries.find(({ name }) => name === 'admin.conf')
    assert.equal(admin?.subject, 'O=system:masters, CN=kubernetes-admin')
    assert.notEqual(file('admin.conf'), old)
    writeFileSync(join(folder.path, 'admin.conf'), config)
  })

  it('show lists all certificates with the days that are left', async () => {
    const { stdout } = await run('show', '-o', 'json')
    const entries = JSON.parse(stdout) as { name: string; daysLeft: number; subject: string }[]
    const named = (name: string) => entries.find((entry) => entry.name === name)
    assert.equal(entries.length, 14)
    assert.equal(named('apiserver')?.daysLeft, 6)
    assert.equal(named('admin.conf')?.subject, 'O=kubeadm:cluster-admins, CN=kubernetes-admin')
    assert.equal(
      named('apiserver-kubelet-client')?.subject,
      'O=kubeadm:cluster-admins, CN=kube-apiserver-kubelet-client',
    )
    assert.equal(named('super-admin.conf')?.subject, 'O=system:masters, CN=kubernetes-super-admin')
    assert.match((await run('show')).stdout, /^NAME +EXPIRES +DAYS LEFT +AUTHORITY/)
  })

  const refused: [line: string[], message: RegExp][] = [
    [['renew'], /name what to renew: all, apiserver, /],
    [['renew', 'ca'], /^pilothouse: ca can't be renewed; these can: apiserver, /],
    [['renew', 'toString'], /^pilothouse: toString can't be renewed/],
    [['rotate'], /^pilothouse: unknown command: pki rotate/],
    [['init', '--valid-days=0'], /--valid-days/],
  ]
  for (const [line, message] of refused)
    it(`refuses ${line.join(' ')} with one line`, async () => {
      const { code, stderr } = await run(...line)
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.equal(stderr.trimEnd().split('\n').length, 1)
    })

  it('an authority whose key is kept elsewhere signs nothing, and is not replaced', async () => {
    const before = file('pki/ca.crt')
    rmSync(join(folder.path, 'pki/ca.key'))
    const { code, stderr } = await run('init')
    assert.deepEqual([code, stderr], [1, 'pilothouse: pki/ca.key is missing: nothing can be signed by pki/ca.crt\n'])
    assert.equal(file('pki/ca.crt'), before)
    assert.equal(existsSync(join(folder.path, 'pki/ca.key')), false)
  })
})
