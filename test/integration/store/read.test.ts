import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withObjects } from '../../../cmd/pilothouse/store/open.ts'
import { show } from '../../../cmd/pilothouse/store/show.ts'
import { systemRandom } from '../../../lib/base/index.ts'
import { createConfigCodec } from '../../../lib/controlplane/index.ts'
import { asRevision } from '../../../lib/object/index.ts'
import { createTransformers, parseEncryptionConfiguration, type Store } from '../../../lib/storage/index.ts'
import { checkStore, type StoreFinding, type StoreReader } from '../../../lib/storetools/index.ts'
import { runProgram } from '../../support/program.ts'
import { kinds, stored, type TestStore, temporary, write } from './kit.ts'

const flags = {
  'etcd-servers': [],
  'etcd-cafile': '',
  'etcd-certfile': '',
  'etcd-keyfile': '',
  'etcd-prefix': '/registry',
  'data-dir': '',
  'data-encryption-key-file': '',
  'encryption-provider-config': '',
}

const configMap = (namespace: string, name: string, more: Record<string, unknown> = {}): string =>
  stored('v1', 'ConfigMap', { namespace, name, uid: `uid-${name}`, ...more })
const owner = (kind: string, name: string, apiVersion = 'v1'): Record<string, unknown> => ({
  ownerReferences: [{ apiVersion, kind, name, uid: `uid-${name}` }],
})
const definition = stored(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  { name: 'shirts.example.com', uid: 'uid-shirts' },
  {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'shirts', kind: 'Shirt' },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
  },
)

async function check(reader: StoreReader): Promise<{ findings: StoreFinding[]; objects: number; outside: number }> {
  const findings: StoreFinding[] = []
  const result = await withObjects(reader, flags, (objects) =>
    checkStore(reader, objects, {
      onFinding: (finding) => findings.push(finding),
      onTooMany: () => assert.fail('too many'),
    }),
  )
  return { findings, objects: result.objects, outside: result.outside }
}

for (const [name, start] of Object.entries(kinds))
  describe(`store tools that read: ${name}`, function () {
    this.timeout(60_000)
    let under: TestStore
    let store: Store
    let reader: StoreReader
    beforeEach(async () => {
      under = await start()
      store = under.store
    })
    afterEach(async () => {
      await reader?.close()
      await under.stop()
    })

    it('check finds nothing in a healthy store', async () => {
      await write(store, {
        '/registry/configmaps/default/a': configMap('default', 'a'),
        '/registry/configmaps/default/b': configMap('default', 'b', owner('ConfigMap', 'a')),
        '/registry/namespaces/default': stored('v1', 'Namespace', { name: 'default', uid: 'n' }),
        '/registry/services/specs/default/s': stored('v1', 'Service', { namespace: 'default', name: 's' }),
        '/registry/apiextensions.k8s.io/customresourcedefinitions/shirts.example.com': definition,
        '/registry/example.com/shirts/default/x': stored('example.com/v1', 'Shirt', {
          namespace: 'default',
          name: 'x',
          // An aggregated server's object, which is not in this store.
          ...owner('Flunder', 'f', 'wardle.example.org/v1'),
        }),
        '/registry/masterleases/10.0.0.1': 'not looked at',
        '/registry/ranges/serviceips': 'not looked at',
        compact_rev_key: '12',
      })
      reader = await under.openReader()
      const { findings, objects, outside } = await check(reader)
      assert.deepEqual(findings, [])
      assert.deepEqual({ objects, outside }, { objects: 6, outside: 1 })
    })

    const wrong: readonly [what: string, key: string, value: string | Uint8Array, type: string, message: RegExp][] = [
      ['bytes that are no object', 'configmaps/default/a', Buffer.from([1, 2, 3]), 'unreadable', /./],
      ['an empty value', 'configmaps/default/a', '', 'unreadable', /./],
      ['a cut envelope', 'configmaps/default/a', Buffer.from('6b38730a0a0a', 'hex'), 'unreadable', /./],
      ['a prototype', 'configmaps/default/a', '{"__proto__":{"kind":"ConfigMap"}}', 'version', /no object/],
      ['an encrypted value', 'configmaps/default/a', 'k8s:enc:aescbc:v1:key1:xyz', 'encrypted', /aescbc/],
      ['another name', 'configmaps/default/a', configMap('default', 'b'), 'key', /the name "b"/],
      ['another namespace', 'configmaps/default/a', configMap('other', 'a'), 'key', /the namespace "other"/],
      ['no metadata', 'configmaps/default/a', '{"apiVersion":"v1","kind":"ConfigMap"}', 'key', /the name ""/],
      [
        'another kind',
        'configmaps/default/a',
        stored('v1', 'Secret', { name: 'a' }),
        'version',
        /a ConfigMap is expec/,
      ],
      ['an unknown version', 'deployments/d/a', stored('apps/v9', 'Deployment', { name: 'a' }), 'version', /apps\/v9/],
      ['a key of no resource', 'gadgets/default/a', configMap('default', 'a'), 'key', /unknown resource/],
      ['a key named as a prototype', '__proto__/default/a', configMap('default', 'a'), 'key', /unknown resource/],
      ['a key too deep', 'configmaps/default/a/b', configMap('default', 'a'), 'key', /not namespace\/name/],
      ['a key without a namespace', 'configmaps/a', configMap('', 'a'), 'key', /not namespace\/name/],
      ['a custom resource without definition', 'example.com/shirts/d/a', '{}', 'key', /unknown resource/],
      [
        'an owner that is gone',
        'configmaps/default/a',
        configMap('default', 'a', owner('Pod', 'p')),
        'owner',
        /Pod "p"/,
      ],
    ]
    it('check names what is wrong, and nothing else', async () => {
      for (const [what, key, value, type, message] of wrong) {
        const whole = `/registry/${key}`
        const [revision = 0] = await write(store, { [whole]: value })
        reader = await under.openReader()
        const { findings } = await check(reader)
        await reader.close()
        assert.deepEqual(
          findings.map((finding) => [finding.type, finding.key, finding.revision]),
          [[type, whole, revision]],
          `${what}: ${JSON.stringify(findings)}`,
        )
        assert.match(findings[0]?.message ?? '', message, what)
        await store.delete(whole, asRevision(revision))
      }
    })

    it('check shows nothing of the content of a broken Secret', async () => {
      await write(store, { '/registry/secrets/default/s': '{"apiVersion":"v1","kind":"Secret","data":"hunter2' })
      reader = await under.openReader()
      const { findings } = await check(reader)
      assert.equal(findings.length, 1)
      assert.doesNotMatch(JSON.stringify(findings), /hunter2/)
    })

    it('a scan shows one revision in order, however many pages it needs and whatever is written meanwhile', async () => {
      const keys = Array.from(
        { length: 2500 },
        (_, at) => `/registry/configmaps/default/${String(at).padStart(5, '0')}`,
      )
      await Promise.all(keys.map((key) => store.create(key, Buffer.from(key))))
      // Pages that hold less than these together.
      for (const at of [10, 11, 12, 13]) await store.create(`/registry/big/${at}`, Buffer.alloc(1_400_000, 65))
      reader = await under.openReader()
      const scan = await reader.scan({ start: '/registry/', end: '/registry0' })
      const seen: string[] = []
      let first = true
      for await (const page of scan.pages()) {
        if (first) {
          await store.create('/registry/configmaps/default/zzz', Buffer.from('later'))
          const { value } = await store.get(keys[2400] ?? '')
          if (value) await store.delete(value.key, value.modRevision)
          first = false
        }
        for (const entry of page) seen.push(entry.key)
      }
      scan.close()
      assert.deepEqual(seen, ['/registry/big/10', '/registry/big/11', '/registry/big/12', '/registry/big/13', ...keys])
    })

    it('get shows a key at a revision, and history every write of it', async () => {
      const key = '/registry/configmaps/default/a'
      const [created = asRevision(0)] = await write(store, { [key]: configMap('default', 'a') })
      const updated = await store.update(key, Buffer.from(configMap('default', 'a', { labels: { x: 'y' } })), created)
      const deleted = await store.delete(key, updated.revision)
      const again = await store.create(key, Buffer.from('again'))
      await write(store, { [`${key}b`]: 'another key' })
      reader = await under.openReader()
      assert.equal((await reader.get(key)).entry?.modRevision, again.revision)
      assert.equal((await reader.get(key, created)).entry?.modRevision, created)
      assert.equal((await reader.get(key, deleted.revision)).entry, undefined)
      await assert.rejects(reader.get(key, asRevision(again.revision + 100)), /has not happened yet/)
      const changes = []
      for await (const { type, revision } of reader.history(key)) changes.push([type, revision])
      assert.deepEqual(changes, [
        ['put', created],
        ['put', updated.revision],
        ['delete', deleted.revision],
        ['put', again.revision],
      ])
      await store.compact(updated.revision)
      await assert.rejects(reader.get(key, created), /is compacted/)
      const rest = []
      for await (const { revision } of reader.history(key)) rest.push(revision)
      assert.deepEqual(rest, [updated.revision, deleted.revision, again.revision])
    })

    it('Secrets are shown with the sizes of their values, and whole on request', async () => {
      const data = { password: Buffer.from('hunter2').toString('base64'), __proto__x: 'eA==' }
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2' }
      const value = stored('v1', 'Secret', { namespace: 'default', name: 's', annotations }, { data })
      await write(store, { '/registry/secrets/default/s': value })
      reader = await under.openReader()
      const { entry } = await reader.get('/registry/secrets/default/s')
      assert.ok(entry)
      const [hidden, whole] = await withObjects(reader, flags, async (objects) => [
        JSON.stringify(await show(objects, entry, { showSecrets: false })),
        JSON.stringify(await show(objects, entry, { showSecrets: true })),
      ])
      assert.doesNotMatch(hidden ?? '', /hunter2|aHVudGVyMg/)
      assert.match(hidden ?? '', /<redacted: 7 bytes>/)
      assert.match(whole ?? '', /aHVudGVyMg/)
    })

    it('values that are encrypted at rest are named so, and opened with the configuration', async () => {
      const secret = Buffer.alloc(32, 7).toString('base64')
      const folder = temporary()
      const file = join(folder, 'encryption.yaml')
      writeFileSync(
        file,
        `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n` +
          `  providers:\n  - aesgcm: {keys: [{name: key1, secret: ${secret}}]}\n  - identity: {}\n`,
      )
      const key = '/registry/secrets/default/s'
      const plain = stored('v1', 'Secret', { namespace: 'default', name: 's' }, { data: { a: 'eA==' } })
      const rules = parseEncryptionConfiguration({ text: readFileSync(file, 'utf8'), file }, createConfigCodec(), {
        reload: false,
      })
      const kms = (): never => assert.fail('no key service is configured')
      const { transformer } = createTransformers(rules, { random: systemRandom, kms })({
        group: '',
        resource: 'secrets',
      })
      await write(store, { [key]: Buffer.concat(await transformer.encrypt(Buffer.from(plain), key)) })
      reader = await under.openReader()
      const { entry } = await reader.get(key)
      assert.ok(entry)
      const closed = await withObjects(reader, flags, (objects) => show(objects, entry, { showSecrets: true }))
      assert.equal(closed.encrypted, 'aesgcm with the key key1')
      assert.match(closed.problem ?? '', /it is encrypted/)
      const opened = await withObjects(reader, { ...flags, 'encryption-provider-config': file }, (objects) =>
        show(objects, entry, { showSecrets: true }),
      )
      assert.match(JSON.stringify(opened.object), /"a":"eA=="/)
    })

    it('the program exits with 0 for a healthy store, and with 1 and a line for each finding', async () => {
      await write(store, { '/registry/configmaps/default/a': configMap('default', 'a') })
      const run = (...line: string[]): ReturnType<typeof runProgram> =>
        runProgram('cmd/pilothouse/main.ts', ['store', ...line, ...under.flags])
      const well = await run('check')
      assert.deepEqual([well.code, well.stderr], [0, ''])
      assert.match(well.stdout, /nothing was found/)
      await write(store, { '/registry/configmaps/default/\u001b[31mb': configMap('default', 'c') })
      const broken = await run('check')
      assert.equal(broken.code, 1)
      assert.match(
        broken.stdout,
        /^key: "\/registry\/configmaps\/default\/\\u001b\[31mb" \(revision \d+\): .*the name "c"$/m,
      )
      assert.match((await run('list', 'configmaps/', '-o', 'name')).stdout, /^\/registry\/configmaps\/default\/a$/m)
      const missing = await run('get', 'configmaps/default/none')
      assert.equal(missing.code, 1)
      assert.match(missing.stderr, /^pilothouse: there is no key "\/registry\/configmaps\/default\/none"/)
      const status = await run('status', '-o', 'json')
      const shown = JSON.parse(status.stdout) as { store: string; isEncrypted?: boolean }
      assert.equal(shown.store, name === 'etcd' ? 'etcd' : 'embedded')
      assert.equal(shown.isEncrypted ?? false, name === 'encrypted')
      assert.equal(status.code, 0)
    })
  })
