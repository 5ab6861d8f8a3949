import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import {
  createEmbeddedStore,
  type DataEncryptionKeys,
  type EmbeddedStore,
  openEmbeddedReader,
  parseDataEncryptionKeys,
} from '../../../lib/storage/index.ts'

const dependencies = { clock: systemClock, log: silentLogger, random: systemRandom }
const line = (): string => randomBytes(32).toString('base64')
const [first, second] = [line(), line()]

describe('an encrypted folder', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'pilothouse-encrypted-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const openWith = (...lines: string[]): Promise<EmbeddedStore> => {
    const encryptionKeys: DataEncryptionKeys | undefined =
      lines.length > 0 ? parseDataEncryptionKeys(lines.join('\n')) : undefined
    return createEmbeddedStore(dependencies, { directory, encryptionKeys, compactionIntervalMs: 0 })
  }
  const fill = async (...lines: string[]): Promise<void> => {
    const store = await openWith(...lines)
    for (const name of ['kingfisher', 'nightingale']) {
      const { ok, revision } = await store.create(`/registry/secrets/aviary/${name}`, Buffer.from(`plumage of ${name}`))
      assert.ok(ok)
      await store.update(`/registry/secrets/aviary/${name}`, Buffer.from(`moulted ${name}`), revision)
    }
    await store.close()
  }
  const value = async (store: EmbeddedStore, name: string): Promise<string> => {
    const { value: found } = await store.get(`/registry/secrets/aviary/${name}`)
    return Buffer.from(found?.value ?? []).toString()
  }

  it('shows neither values nor keys of objects in its files', async () => {
    await fill(first)
    const bytes = readFileSync(join(directory, 'data.mdb'))
    for (const word of ['kingfisher', 'nightingale', 'aviary', 'registry', 'secrets', 'plumage', 'moulted'])
      assert.equal(bytes.includes(word), false, word)
  })

  it('keeps everything over a restart, history included', async () => {
    await fill(first)
    const store = await openWith(first)
    assert.equal(await value(store, 'kingfisher'), 'moulted kingfisher')
    const { values, revision } = await store.range({ start: '/registry/', end: '/registry0' })
    assert.deepEqual(
      values.map(({ key }) => key.split('/').at(-1)),
      ['kingfisher', 'nightingale'],
    )
    assert.equal(revision, 5)
    const past = await store.get('/registry/secrets/aviary/kingfisher', { revision: values[0]?.createRevision })
    assert.equal(Buffer.from(past.value?.value ?? []).toString(), 'plumage of kingfisher')
    await store.close()
  })

  it('opens with no other key, and not without one', async () => {
    await fill(first)
    await assert.rejects(openWith(second), /the data encryption key does not open it/)
    await assert.rejects(openWith(second, line()), /no data encryption key opens it/)
    await assert.rejects(openWith(), /the data folder is encrypted, and no data encryption key is given/)
    await assert.rejects(openEmbeddedReader(directory), /no data encryption key is given/)
    await assert.rejects(openEmbeddedReader(directory, parseDataEncryptionKeys(second)), /does not open it/)
    const store = await openWith(first)
    assert.equal(await value(store, 'nightingale'), 'moulted nightingale')
    await store.close()
  })

  it('is opened by its new key alone once it was opened by both', async () => {
    await fill(first)
    await (await openWith(second, first)).close()
    await assert.rejects(openWith(first), /does not open it/)
    const store = await openWith(second)
    assert.equal(await value(store, 'kingfisher'), 'moulted kingfisher')
    await store.close()
  })

  it('a folder in plain text is not mistaken for an encrypted one', async () => {
    await fill()
    await assert.rejects(openWith(first), /the data folder is not encrypted, and data encryption keys are given/)
    const reader = await openEmbeddedReader(directory, parseDataEncryptionKeys(first))
    assert.equal(reader.isEncrypted, false)
    await reader.close()
  })

  it('reports records that were swapped', async () => {
    await fill(first)
    const root = open<Buffer, string>({ path: directory, noSubdir: false, encoding: 'binary', maxDbs: 8 })
    const log = root.openDB<Buffer, number>({ name: 'log', encoding: 'binary' })
    const other = log.getBinary(3)
    assert.ok(other)
    await log.put(5, Buffer.from(other))
    await root.close()
    const store = await openWith(first)
    await assert.rejects(value(store, 'nightingale'), /is damaged \(.*authentication failed\)/)
    assert.equal(await value(store, 'kingfisher'), 'moulted kingfisher')
    await store.close()
  })

  it('uses no nonce twice, in no process', async () => {
    for (let process = 0; process < 3; process++) {
      const store = await openWith(first)
      for (let n = 0; n < 20; n++) await store.create(`/registry/x/${process}-${n}`, Buffer.alloc(64))
      await store.close()
    }
    const root = open<Buffer, string>({
      path: directory,
      noSubdir: false,
      encoding: 'binary',
      maxDbs: 8,
      readOnly: true,
    })
    const seen = new Set<string>()
    let records = 0
    for (const name of ['log', 'encrypted-head'])
      for (const { value: stored } of root.openDB<Buffer, number>({ name, encoding: 'binary' }).getRange({})) {
        // Salt and nonce.
        seen.add(stored.toString('hex', 0, 28))
        records++
      }
    await root.close()
    assert.equal(records, 120)
    assert.equal(seen.size, records)
  })
})

describe('a file of data encryption keys', () => {
  it('has a key of 32 bytes in base64 on each line, with comments between', () => {
    assert.equal(parseDataEncryptionKeys(`# new\n${first}\r\n\n# old\n${second}\n`).length, 2)
  })

  const refused: [string, string, RegExp][] = [
    ['no key', '# nothing\n', /^Error: it holds no key$/],
    ['a short key', `${first}\n${randomBytes(16).toString('base64')}`, /^Error: line 2 is not 32 bytes in base64$/],
    ['a key that is no base64', `${first.slice(0, -2)}!=`, /^Error: line 1 is not 32 bytes in base64$/],
    ['too many keys', Array.from({ length: 17 }, line).join('\n'), /^Error: it holds 17 keys: 16 are the most$/],
  ]
  for (const [what, text, message] of refused)
    it(`is refused with ${what}, which the message doesn't quote`, () => {
      assert.throws(() => parseDataEncryptionKeys(text), message)
    })
})
