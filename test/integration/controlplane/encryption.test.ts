import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { createEmbeddedStore } from '../../../lib/storage/index.ts'
import { request, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { configurationOf, secretOf } from '../../support/encryption.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { startKeyService } from '../../support/keyservice.ts'

const secrets = '/api/v1/namespaces/default/secrets'
const configMaps = '/api/v1/namespaces/default/configmaps'
const secretBody = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { word: 'xyzzy-plugh' } })

describe('an API server with --encryption-provider-config', function () {
  this.timeout(120_000)
  let folder: ReturnType<typeof scratchFolder>
  let file: string
  let data: string
  let lines: string[]
  let server: Apiserver | undefined

  beforeEach(() => {
    folder = scratchFolder('encryption')
    file = join(folder.path, 'encryption.json')
    data = join(folder.path, 'data')
    lines = []
  })
  afterEach(async () => {
    await stop()
    folder.remove()
  })

  function configure(rules: Readonly<Record<string, readonly string[]>>): void {
    writeFileSync(`${file}.new`, configurationOf(rules))
    renameSync(`${file}.new`, file)
  }

  async function start(...flags: string[]): Promise<Apiserver> {
    const line = (message: string, fields?: object): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
    const log: Logger = { ...silentLogger, info: line, warn: line, error: line, named: () => log }
    server = await startComposed(
      folder.path,
      ['--storage-backend=embedded', `--data-dir=${data}`, `--encryption-provider-config=${file}`, ...flags],
      { log },
    )
    return server
  }

  async function stop(): Promise<void> {
    await server?.stop()
    server = undefined
  }

  async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    assert.ok(server)
    const answer = await request(server, path, { method, headers, ...(body === undefined ? {} : { body }) })
    return { ...answer, json: answer.body.startsWith('{') ? (JSON.parse(answer.body) as Record<string, never>) : {} }
  }

  /** The stored bytes below a prefix, read while no server runs. */
  async function stored(prefix: string): Promise<Map<string, { text: string; revision: number }>> {
    const store = await createEmbeddedStore(
      { clock: systemClock, log: silentLogger, random: systemRandom },
      { directory: data },
    )
    try {
      const { values } = await store.range({ start: prefix, end: `${prefix}\uffff` })
      return new Map(
        values.map(({ key, value, modRevision }) => [
          key.slice(prefix.length),
          { text: Buffer.from(value).toString('latin1'), revision: modRevision },
        ]),
      )
    } finally {
      await store.close()
    }
  }

  it('stores encrypted what the rules name, all else in plain text, and no address ranges or leases of servers under *.*', async () => {
    configure({ secrets: ['aescbc:one'], 'configmaps,widgets.example.com': ['identity'], '*.*': ['aesgcm:two'] })
    await start()
    assert.equal((await send('POST', secrets, secretBody('s'))).status, 201)
    assert.equal((await send('POST', configMaps, JSON.stringify({ metadata: { name: 'c' } }))).status, 201)
    const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } }
    assert.equal((await send('POST', '/api/v1/namespaces/default/events', JSON.stringify(event))).status, 201)
    assert.equal((await send('GET', `${secrets}/s`)).status, 200)
    assert.match((await send('GET', secrets)).body, /eHl6enktcGx1Z2g=/)
    await stop()
    const all = await stored('/registry/')
    const prefixOf = (text: string): string => /^k8s:enc:[a-z]+:v1:[a-z]+:/.exec(text)?.[0] ?? ''
    for (const [key, { text }] of all) {
      const plain = /^(ranges|masterleases|peerserverleases|configmaps)\//.test(key)
      const expected = key.startsWith('secrets/') ? 'k8s:enc:aescbc:v1:one:' : plain ? '' : 'k8s:enc:aesgcm:v1:two:'
      assert.equal(prefixOf(text), expected, key)
      assert.ok(!text.includes('xyzzy'), key)
    }
    for (const key of ['secrets/default/s', 'configmaps/default/c', 'events/default/e', 'namespaces/default'])
      assert.ok(all.has(key), key)
    await start()
    assert.match((await send('GET', `${secrets}/s`)).body, /eHl6enktcGx1Z2g=/)
  })

  it('a rotated key: an update that changes nothing writes once what the old key had encrypted', async () => {
    configure({ secrets: ['identity'] })
    await start()
    for (const name of ['a', 'b', 'c']) await send('POST', secrets, secretBody(name))
    await stop()
    const before = await stored('/registry/secrets/default/')
    assert.ok(before.get('a')?.text.startsWith('k8s\0'))
    configure({ secrets: ['aesgcm:one', 'identity'] })
    await start()
    const { json } = await send('GET', `${secrets}/a`)
    const put = await send('PUT', `${secrets}/a`, JSON.stringify(json))
    assert.equal(put.status, 200)
    const apply = (): ReturnType<typeof send> =>
      send(
        'PATCH',
        `${secrets}/b?fieldManager=migrator`,
        JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b' } }),
        { 'content-type': 'application/apply-patch+yaml' },
      )
    assert.equal((await apply()).status, 200)
    const versions = async (): Promise<unknown[]> =>
      (
        (await send('GET', secrets)).json as unknown as { items: { metadata: { resourceVersion: string } }[] }
      ).items.map(({ metadata }) => metadata.resourceVersion)
    const rewritten = await versions()
    assert.equal((await apply()).status, 200)
    const again = (await send('GET', `${secrets}/a`)).json
    await send('PUT', `${secrets}/a`, JSON.stringify(again))
    assert.deepEqual(await versions(), rewritten)
    await stop()
    const after = await stored('/registry/secrets/default/')
    for (const name of ['a', 'b']) {
      assert.ok(after.get(name)?.text.startsWith('k8s:enc:aesgcm:v1:one:'), name)
      assert.notEqual(after.get(name)?.revision, before.get(name)?.revision)
    }
    assert.equal(after.get('c')?.text, before.get('c')?.text)
  })

  it('a server without the key refuses its objects by name, and serves everything else', async () => {
    configure({ secrets: ['aesgcm:one'] })
    await start()
    await send('POST', secrets, secretBody('s'))
    await stop()
    configure({ secrets: ['aescbc:two'] })
    await start()
    const key = '/registry/secrets/default/s'
    const text = `Internal error occurred: unable to transform key "${key}": no matching prefix found`
    for (const [method, path, body] of [
      ['GET', `${secrets}/s`],
      ['GET', secrets],
      ['PUT', `${secrets}/s`, secretBody('s')],
      ['DELETE', `${secrets}/s`],
    ] as const) {
      const { status, json } = await send(method, path, body)
      assert.deepEqual([status, json['reason'], json['message']], [500, 'InternalError', text], `${method} ${path}`)
    }
    assert.equal((await send('GET', configMaps)).status, 200)
    assert.equal((await send('POST', secrets, secretBody('other'))).status, 201)
    await stop()
    configure({ secrets: ['aesgcm:two'] })
    await start()
    const { json } = await send('GET', `${secrets}/s`)
    assert.equal(json['message'], 'Internal error occurred: no matching key was found for the provided AES transformer')
    await stop()
    await start('--encryption-provider-config=')
    const unconfigured = await send('GET', `${secrets}/s`)
    assert.equal(
      unconfigured.json['message'],
      'Internal error occurred: identity transformer tried to read encrypted data',
    )
    assert.ok(!lines.join().includes('xyzzy'))
  })

  describe('that is bad', () => {
    const cases: [string, string, RegExp][] = [
      [
        'empty',
        '',
        /^StartError: --encryption-provider-config: error while parsing file: encryption provider configuration file ".*encryption.json" is empty$/,
      ],
      [
        'no YAML',
        `{${secretOf('one')}: [`,
        /^StartError: --encryption-provider-config: error while parsing file: error decoding encryption provider configuration file/,
      ],
      [
        'a bad key',
        configurationOf({ secrets: ['aesgcm:one'] }).replace(secretOf('one'), 'AAAA'),
        /secret is not of the expected length, got 3, expected one of \[16 24 32\]$/,
      ],
      [
        'masked',
        configurationOf({ '*.': ['identity'], secrets: ['identity'] }),
        /error while building transformers: resource "secrets" is masked by earlier rule "\*\."$/,
      ],
    ]
    for (const [title, text, problem] of cases)
      it(`${title}: the server doesn’t start, and prints the reason on one line`, async () => {
        writeFileSync(file, text)
        const error = await start().then(
          () => '',
          (reason: unknown) => String(reason),
        )
        assert.match(error, problem)
        assert.ok(!error.includes('\n'))
        assert.ok(!error.includes(secretOf('one').slice(0, 10)), error)
      })
  })

  it('a followed file: the server reloads a new key, keeps the last good one, counts both, and reads objects that it could not', async () => {
    const metric = async (status: string): Promise<number> => {
      const { body } = await send('GET', '/metrics')
      const line = new RegExp(
        `^apiserver_encryption_config_controller_automatic_reloads_total\\{.*status="${status}"\\} (\\d+)$`,
        'm',
      )
      return Number(line.exec(body)?.[1] ?? 0)
    }
    configure({ secrets: ['aesgcm:one'] })
    await start()
    await send('POST', secrets, secretBody('s'))
    await stop()
    configure({ secrets: ['aesgcm:two'] })
    await start('--encryption-provider-config-automatic-reload')
    assert.equal((await send('GET', `${secrets}/s`)).status, 500)
    configure({ secrets: ['aesgcm:two', 'aesgcm:one'] })
    await eventuallyEquals(() => metric('success'), 1, 'the reload')
    await eventuallyEquals(async () => (await send('GET', `${secrets}/s`)).status, 200, 'the secret')
    writeFileSync(file, `nonsense ${secretOf('one')}`)
    await eventuallyEquals(() => metric('failure'), 1, 'the refusal')
    assert.match(lines.join('\n'), /not reloaded, the last good one stays/)
    assert.ok(!lines.join('\n').includes(secretOf('one').slice(0, 10)))
    assert.equal((await send('POST', secrets, secretBody('t'))).status, 201)
    assert.equal((await send('GET', '/readyz/kms-providers')).status, 200)
    await stop()
    assert.ok((await stored('/registry/secrets/default/')).get('t')?.text.startsWith('k8s:enc:aesgcm:v1:two:'))
  })

  it('a server with a key service reports its health, and starts without it', async () => {
    const service = await startKeyService()
    try {
      configure({ secrets: [`kms:vault@${service.path}`] })
      await start()
      assert.equal((await send('POST', secrets, secretBody('s'))).status, 201)
      for (const page of ['healthz', 'readyz']) assert.equal((await send('GET', `/${page}/kms-providers`)).status, 200)
      assert.equal((await send('GET', '/livez/kms-providers')).status, 404)
      await stop()
      assert.ok((await stored('/registry/secrets/default/')).get('s')?.text.startsWith('k8s:enc:kms:v2:vault:'))
      await service.stop()
      await start()
      const readyz = await send('GET', '/readyz/kms-providers')
      assert.equal(readyz.status, 500)
      assert.match(
        readyz.body,
        /kms-provider-0: failed to perform status section of the healthz check for KMS Provider vault, error: rpc error: code = /,
      )
      assert.equal((await send('GET', '/readyz')).status, 500)
      const unwritten = await send('POST', secrets, secretBody('t'))
      assert.deepEqual(
        [unwritten.status, unwritten.json['message']],
        [500, 'Internal error occurred: got unexpected nil transformer'],
      )
      assert.match(
        String((await send('GET', `${secrets}/s`)).json['message']),
        /^Internal error occurred: failed to decrypt DEK, error: rpc error: code = /,
      )
      assert.equal((await send('GET', configMaps)).status, 200)
      await service.start()
      await eventuallyEquals(async () => (await send('GET', `${secrets}/s`)).status, 200, 'the secret')
    } finally {
      await stop()
      await service.remove()
    }
  })
})
