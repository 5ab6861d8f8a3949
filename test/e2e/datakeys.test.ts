import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { programFile } from '../../hack/programfile.ts'
import { request, type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { readPage } from '../support/page.ts'
import { spawnProgram } from '../support/program.ts'

const run = promisify(execFile)
const configMaps = '/api/v1/namespaces/default/configmaps'
const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
/** The page's blocks about the keys, in order: encrypt a store, put a new key first, drop the old one. */
const blocks = readPage(page)
  .filter(({ run }) => run === 'by=datakeys')
  .map(({ text }) => text)

describe('the keys of --data-encryption-key-file, by the commands of docs/operations.md', function () {
  this.timeout(180_000)
  const folder = scratchFolder('data-keys')
  const etc = join(folder.path, 'etc')
  const data = join(folder.path, 'data')
  const keys = join(etc, 'keys')
  const flags = [`--data-dir=${data}`, `--data-encryption-key-file=${keys}`]
  const written: string[] = []
  let server: ServerProcess | undefined
  before(() => {
    for (const made of [etc, data, join(folder.path, 'bin')]) mkdirSync(made)
    const program = join(folder.path, 'bin/pilothouse')
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${programFile('cmd/pilothouse/main.ts')}' "$@"\n`)
    chmodSync(program, 0o755)
  })
  afterEach(async () => {
    await server?.kill()
    server = undefined
  })
  after(() => folder.remove())

  /** Runs a block with the machine's folders in the scratch folder; the server is the test's own. */
  async function follow(index: number): Promise<void> {
    const text = (blocks[index] ?? '')
      .replaceAll('/etc/pilothouse', etc)
      .replaceAll('/var/lib/pilothouse', data)
      .replace(/^pilothouse up .*$/m, '')
    // The blocks about replacing follow each other in one folder.
    const script = index > 0 ? `cd ${etc}\n${text}` : text
    await run('sh', ['-ec', script], { env: { PATH: `${join(folder.path, 'bin')}:${process.env['PATH']}` } })
  }

  async function start(given: readonly string[] = flags): Promise<ServerProcess> {
    server = await startServer('cmd/pilothouse/main.ts', given, folder.path)
    return server
  }

  async function write(count: number): Promise<void> {
    assert.ok(server)
    for (let each = 0; each < count; each++) {
      const name = `kingfisher-${written.length}`
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { of: name } })
      assert.equal((await request(server, configMaps, { method: 'POST', body })).status, 201)
      written.push(name)
    }
  }

  async function allThere(): Promise<void> {
    assert.ok(server)
    const { items } = JSON.parse((await request(server, configMaps)).body) as { items: { data: { of: string } }[] }
    const found = new Set(items.map(({ data: { of } }) => of))
    assert.deepEqual(
      written.filter((name) => !found.has(name)),
      [],
    )
  }

  async function refused(message: RegExp): Promise<void> {
    await assert.rejects(start(), message)
  }

  const keyLines = (): string[] => readFileSync(keys, 'utf8').trim().split('\n')

  it('are on the page', () => assert.equal(blocks.length, 3))

  it('encrypt a store that was in plain text', async () => {
    await start([`--data-dir=${data}`])
    await write(20)
    await server?.stop()
    await follow(0)
    await start()
    await allThere()
    await write(5)
    assert.equal(readFileSync(join(data, 'store/data.mdb')).includes('kingfisher'), false)
    assert.ok(readFileSync(join(data, 'store.plain/data.mdb')).includes('kingfisher'))
    assert.equal(statSync(keys).mode & 0o777, 0o600)
  })

  it('missing, other, or half written keys are refused, and nothing is lost', async () => {
    const [first = ''] = keyLines()
    await assert.rejects(
      start([`--data-dir=${data}`]),
      /the data folder is encrypted, and no data encryption key is given/,
    )
    writeFileSync(keys, `${randomBytes(32).toString('base64')}\n`)
    await refused(/the data encryption key does not open it/)
    writeFileSync(keys, `${first.slice(0, 20)}`)
    await refused(/line 1 is not 32 bytes in base64/)
    writeFileSync(keys, '')
    await refused(/it holds no key/)
    writeFileSync(keys, `${first}\n`)
    await start()
    await allThere()
  })

  it('are replaced, however often the server is killed in between', async () => {
    const [old = ''] = keyLines()
    const snapshot = join(folder.path, 'before.snapshot')
    const oldKeys = join(etc, 'keys.before')
    writeFileSync(oldKeys, `${old}\n`)
    const pilothouse = (...line: string[]): ReturnType<typeof run> => run(join(folder.path, 'bin/pilothouse'), line)
    await pilothouse('store', 'snapshot', snapshot, ...flags)
    await follow(1)
    const both = keyLines()
    assert.deepEqual([both.length, both[1]], [2, old])

    // Before any start with both, the new one alone opens nothing.
    writeFileSync(keys, `${both[0]}\n`)
    await refused(/the data encryption key does not open it/)
    writeFileSync(keys, `${both.join('\n')}\n`)

    for (let afterMs = 150; afterMs < 1500; afterMs += 150) {
      const starting = spawnProgram('cmd/pilothouse/main.ts', ['up', '--secure-port=0', ...flags])
      await sleep(afterMs)
      starting.process.kill('SIGKILL')
      await starting.exited
    }
    await start()
    await allThere()
    await write(5)
    await server?.kill()

    await follow(2)
    assert.deepEqual(keyLines(), [both[0]])
    await start()
    await allThere()
    await write(5)
    await server?.kill()
    await start()
    await allThere()
    await server?.kill()
    writeFileSync(keys, `${old}\n`)
    await refused(/the data encryption key does not open it/)

    // A snapshot stays under its key.
    const restore = ['store', 'restore', snapshot, `--data-dir=${join(folder.path, 'restored')}`]
    writeFileSync(keys, `${both[0]}\n`)
    await assert.rejects(pilothouse(...restore, `--data-encryption-key-file=${keys}`), /does not open it/)
    await pilothouse(...restore, `--data-encryption-key-file=${oldKeys}`)
  })

  it('are reported in use once the old one may be removed', async () => {
    await start()
    await server?.stop()
    await follow(1)
    const first = await start()
    assert.match(first.output(), /the embedded store is encrypted with the first key of the file now/)
    await first.kill()
    const second = await start()
    assert.doesNotMatch(second.output(), /encrypted with the first key/)
  })
})
