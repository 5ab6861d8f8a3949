import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../lib/base/index.ts'
import { createEtcdStore, type EtcdStore } from '../../lib/storage/index.ts'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { configurationOf } from '../support/encryption.ts'
import { type EtcdServer, startEtcd } from '../support/etcd.ts'
import { eventually, eventuallyEquals } from '../support/eventually.ts'
import { startKeyService, type TestKeyService } from '../support/keyservice.ts'
import { createKubectl, findKubectl, type Kubectl } from '../support/kubectl.ts'

const word = 'xyzzy-plugh'

describe('secrets that are encrypted in etcd, by kubectl against two replicas', function () {
  if (!findKubectl() || !process.env['PILOTHOUSE_ETCD']) {
    it.skip('needs kubectl and etcd')
    return
  }
  this.timeout(180_000)
  const folder = scratchFolder('e2e-encryption')
  const replicas: { file: string; server: ServerProcess; kubectl: Kubectl }[] = []
  let etcd: EtcdServer
  let raw: EtcdStore
  let service: TestKeyService

  function configure(replica: number, providers: readonly string[]): string {
    const file = join(folder.path, `encryption-${replica}.json`)
    writeFileSync(`${file}.new`, configurationOf({ secrets: providers }), { mode: 0o600 })
    renameSync(`${file}.new`, file)
    return file
  }

  before(async () => {
    etcd = await startEtcd()
    service = await startKeyService()
    raw = createEtcdStore(
      { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics },
      { endpoints: [etcd.url] },
    )
    for (const replica of [0, 1]) {
      const file = configure(replica, ['aescbc:one', 'identity'])
      const flags = [
        `--etcd-servers=${etcd.url}`,
        `--encryption-provider-config=${file}`,
        '--encryption-provider-config-automatic-reload',
        '--disable-admission-plugins=ServiceAccount',
      ]
      const server = await startServer('cmd/apiserver/main.ts', flags, folder.path)
      replicas.push({ file, server, kubectl: createKubectl(server, folder.path) })
    }
  })
  after(async () => {
    await raw?.close()
    for (const { server } of replicas) await server.stop()
    await etcd?.stop()
    await service?.remove()
    folder.remove()
  })

  const stored = async (name: string): Promise<string> => {
    const { value } = await raw.get(`/registry/secrets/default/${name}`)
    return Buffer.from(value?.value ?? []).toString('latin1')
  }
  const kubectl = async (replica: number, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await (replicas[replica]?.kubectl(args) ?? assert.fail('no replica'))
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const readsOf = async (replica: number, name: string): Promise<string> => {
    const data = await kubectl(replica, 'get', 'secret', name, '-o', 'jsonpath={.data.word}')
    return Buffer.from(data, 'base64').toString()
  }
  /** Until a replica has taken its file into use it writes with what it had. */
  const writesWith = async (replica: number, prefix: string): Promise<void> => {
    let number = 0
    await eventually(async () => {
      const name = `probe-${replica}-${number++}-${Date.now()}`
      await kubectl(replica, 'create', 'secret', 'generic', name)
      return (await stored(name)).startsWith(prefix)
    }, prefix)
  }

  it('are unreadable in etcd; authorized users read them through either replica', async () => {
    await kubectl(0, 'create', 'secret', 'generic', 'first', `--from-literal=word=${word}`)
    const bytes = await stored('first')
    assert.ok(bytes.startsWith('k8s:enc:aescbc:v1:one:'))
    assert.ok(!bytes.includes(word) && !bytes.includes('word'))
    assert.deepEqual([await readsOf(0, 'first'), await readsOf(1, 'first')], [word, word])
    await kubectl(0, 'create', 'configmap', 'plain', `--from-literal=word=${word}`)
    const { value } = await raw.get('/registry/configmaps/default/plain')
    assert.ok(Buffer.from(value?.value ?? []).includes(word))
  })

  it('a key is rotated while both serve: known to all, then first, then alone', async () => {
    configure(0, ['aescbc:one', 'aesgcm:two', 'identity'])
    configure(1, ['aesgcm:two', 'aescbc:one', 'identity'])
    await writesWith(1, 'k8s:enc:aesgcm:v1:two:')
    await kubectl(1, 'create', 'secret', 'generic', 'second', `--from-literal=word=${word}`)
    // The other replica may read its file a moment later.
    await eventuallyEquals(async () => (await replicas[0]?.kubectl(['get', 'secret', 'second']))?.code, 0, 'the secret')
    assert.equal(await readsOf(0, 'second'), word)
    assert.ok((await stored('first')).startsWith('k8s:enc:aescbc:v1:one:'))
    const all = await kubectl(1, 'get', 'secrets', '-o', 'json')
    const { code, stderr } = (await replicas[1]?.kubectl(['replace', '-f', '-'], { input: all })) ?? {}
    assert.equal(code, 0, stderr ?? '')
    assert.ok((await stored('first')).startsWith('k8s:enc:aesgcm:v1:two:'))
    for (const replica of [0, 1]) configure(replica, ['aesgcm:two'])
    await writesWith(0, 'k8s:enc:aesgcm:v1:two:')
    for (const replica of [0, 1])
      for (const name of ['first', 'second']) assert.equal(await readsOf(replica, name), word)
  })

  it('a key service takes over, and changes its key', async () => {
    for (const replica of [0, 1]) configure(replica, [`kms:vault@${service.path}`, 'aesgcm:two'])
    const prefix = 'k8s:enc:kms:v2:vault:'
    for (const replica of [0, 1]) await writesWith(replica, prefix)
    await kubectl(0, 'create', 'secret', 'generic', 'third', `--from-literal=word=${word}`)
    const bytes = await stored('third')
    assert.ok(bytes.startsWith(prefix) && !bytes.includes(word))
    assert.deepEqual([await readsOf(0, 'third'), await readsOf(1, 'third')], [word, word])
    assert.match(await kubectl(0, 'get', '--raw', '/readyz/kms-providers'), /^ok/)
  })

  it('no value and no key is in the logs of the servers', () => {
    const keys = ['one', 'two'].map((name) => Buffer.alloc(32, name).toString('base64').slice(0, 12))
    for (const { server } of replicas)
      for (const secret of [word, ...keys]) assert.ok(!server.output().includes(secret))
  })
})
