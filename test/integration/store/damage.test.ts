import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { type DataEncryptionKeys, parseDataEncryptionKeys } from '../../../lib/storage/index.ts'
import { runProgram } from '../../support/program.ts'
import { openEmbedded, stored, temporary } from './kit.ts'

interface Checked {
  readonly keys: number
  readonly objects: number
  readonly counts: Readonly<Record<string, number>>
  readonly findings: readonly { readonly type: string; readonly key: string; readonly message: string }[]
}

/** More than a page of the index has, and values that have pages of their own among them. */
const objects = 600
const nameOf = (at: number): string => `c${String(at).padStart(6, '0')}`
const keyOf = (at: number): string => `/registry/configmaps/default/${nameOf(at)}`
const noteOf = (at: number): string => (at % 50 === 0 ? `long${at} `.repeat(2000) : `note${at} `.repeat(20))

async function fill(directory: string, keys?: DataEncryptionKeys): Promise<void> {
  const store = await openEmbedded(directory, keys)
  await Promise.all(
    Array.from({ length: objects }, (_, at) => {
      const metadata = { namespace: 'default', name: nameOf(at), uid: `uid-${at}` }
      return store.create(keyOf(at), Buffer.from(stored('v1', 'ConfigMap', metadata, { data: { note: noteOf(at) } })))
    }),
  )
  await store.close()
}

describe('check of an embedded store whose data file is damaged', function () {
  this.timeout(120_000)
  const folder = temporary()
  const whole = join(folder, 'whole')
  const encrypted = join(folder, 'encrypted')
  const keyFile = join(folder, 'keys')
  let pageBytes = 0
  before(async () => {
    await fill(whole)
    const key = randomBytes(32).toString('base64')
    writeFileSync(keyFile, key)
    await fill(encrypted, parseDataEncryptionKeys(key))
    pageBytes = readFileSync(join(whole, 'data.mdb')).readUInt32LE(48)
  })
  after(() => rmSync(folder, { recursive: true }))

  /** A copy of the store, each of whose pages is handed to `damage`. */
  function damaged(name: string, damage: (page: Buffer, number: number) => void, of = whole): string {
    const copy = join(folder, name)
    cpSync(of, copy, { recursive: true })
    const file = join(copy, 'data.mdb')
    const content = readFileSync(file)
    for (let at = 2; at * pageBytes < content.length; at++)
      damage(content.subarray(at * pageBytes, (at + 1) * pageBytes), at)
    writeFileSync(file, content)
    return copy
  }

  async function check(directory: string, ...flags: string[]): Promise<Checked> {
    const line = ['store', 'check', '--output=json', `--data-dir=${directory}`, ...flags]
    const { code, stdout, stderr } = await runProgram('cmd/pilothouse/main.ts', line)
    assert.ok(code === 0 || code === 1, `${code}: ${stderr}`)
    assert.notEqual(stdout, '', stderr)
    const checked = JSON.parse(stdout) as Checked
    assert.equal(code, checked.findings.length > 0 ? 1 : 0)
    return checked
  }

  const keysOf = ({ findings }: Checked): string[] =>
    findings.flatMap(({ key }) => (key === '' ? [] : [key])).toSorted((a, b) => (a < b ? -1 : 1))

  it('finds nothing in an undamaged one', async () => {
    const { keys, objects: read, findings } = await check(whole)
    assert.deepEqual({ keys, read, findings }, { keys: objects, read: objects, findings: [] })
  })

  it('names the keys whose records are lost, and reads all others', async () => {
    const text = 'note310 note310'
    let hit = ''
    const copy = damaged('record', (page) => {
      if (!page.includes(text)) return
      hit = page.toString('latin1')
      page.fill(0xff)
    })
    const lost = Array.from({ length: objects }, (_, at) => keyOf(at)).filter((key) => hit.includes(key))
    assert.ok(lost.length > 1 && lost.length < 30, `${lost.length} keys`)
    const checked = await check(copy)
    assert.deepEqual(keysOf(checked), lost)
    assert.equal(checked.objects, objects - lost.length)
    assert.match(
      checked.findings.find(({ key }) => key === '')?.message ?? '',
      /^the records of revisions from \d+ to before \d+ can't be read: page \d+: it has the number of another page$/,
    )
  })

  it('names the key of a large value that is lost', async () => {
    const copy = damaged('large', (page) => {
      if (page.includes('"name":"c000100"') && page.includes('long100 ')) page.fill(0)
    })
    const checked = await check(copy)
    assert.deepEqual(keysOf(checked), [keyOf(100)])
    assert.equal(checked.objects, objects - 1)
  })

  for (const [how, fill] of [
    ['zeros', 0],
    ['ones', 0xff],
    ['what may be a page', 2],
  ] as const)
    it(`reads the objects of index pages that became ${how} by their records, and reports each`, async () => {
      let hits = 0
      const copy = damaged(`index${fill}`, (page) => {
        // A page of the index has the key and nothing of the object.
        if (!page.includes(`default/${nameOf(200)}`) || page.includes('note')) return
        page.fill(fill)
        hits++
      })
      assert.ok(hits > 0)
      const checked = await check(copy)
      assert.equal(checked.objects, objects, 'every object is read')
      const lost = keysOf(checked)
      assert.ok(lost.includes(keyOf(200)) && lost.length > 10 && lost.length < objects)
      const index = checked.findings.filter(({ message }) => message.startsWith('the index of keys'))
      assert.ok(index.length > 0)
    })

  it('reads the objects of a lost index page by their records, also where it sees no keys without decrypting', async () => {
    let hits = 0
    const damageIndex = (page: Buffer): void => {
      // Heads are small: no page of records has as many.
      const [flags, nodes] = [page.readUInt16LE(18), page.readUInt16LE(20) >> 1]
      if (flags !== 2 || nodes < 15 || hits > 0) return
      page.fill(0xff)
      hits++
    }
    const copy = damaged('encrypted-index', damageIndex, encrypted)
    assert.equal(hits, 1)
    const checked = await check(copy, `--data-encryption-key-file=${keyFile}`)
    assert.equal(checked.objects, objects, 'every object is read')
    const lost = keysOf(checked)
    assert.ok(lost.length >= 15 && lost.length < objects)
    assert.match(
      checked.findings[0]?.message ?? '',
      /^the index of revisions of creation from .* can't be read: page \d+/,
    )
  })

  for (const [name, original, flags] of [
    ['plain', whole, []],
    ['encrypted', encrypted, [`--data-encryption-key-file=${keyFile}`]],
  ] as const)
    it(`ends with what it could read, whichever page is overwritten with whatever bytes: ${name}`, async () => {
      const random = createSeededRandom(7)
      const pages = readFileSync(join(original, 'data.mdb')).length / pageBytes
      for (let round = 0; round < 6; round++) {
        const chosen = 2 + random.below(pages - 2)
        const overwrite = (page: Buffer, number: number): void => {
          if (number !== chosen) return
          const from = random.below(pageBytes)
          for (let at = from; at < pageBytes; at++) page[at] = random.below(256)
        }
        const copy = damaged(`random-${name}-${round}`, overwrite, original)
        const line = ['store', 'check', '--output=json', `--data-dir=${copy}`, ...flags]
        const { code, stdout, stderr } = await runProgram('cmd/pilothouse/main.ts', line)
        assert.ok(code === 0 || code === 1, `page ${chosen}: ${code}: ${stderr}`)
        // Only the list of tables is needed for the rest.
        if (stdout === '') assert.match(stderr, /is damaged/)
        else assert.ok((JSON.parse(stdout) as Checked).objects >= objects - 30, `page ${chosen}`)
        rmSync(copy, { recursive: true })
      }
    })
})
