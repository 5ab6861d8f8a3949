import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../../lib/storage/index.ts'
import { openEmbeddedStoreReader } from '../../../lib/storetools/index.ts'
import { spawnProgram } from '../../support/program.ts'
import { dependencies } from '../storage/kit.ts'
import { openEmbedded, temporary } from './kit.ts'

describe('reading an embedded store beside its owner', function () {
  this.timeout(60_000)
  const folder = temporary()
  let store: Store
  before(async () => {
    store = await openEmbedded(folder)
  })
  after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  /** Writes 50 MB over one key, and compacts as a server does. */
  async function churn(): Promise<number> {
    const key = '/registry/x'
    for (let at = 0; at < 50; at++) {
      const { value } = await store.get(key)
      const bytes = Buffer.alloc(1_000_000, at)
      const { revision } = value ? await store.update(key, bytes, value.modRevision) : await store.create(key, bytes)
      await store.compact(revision)
    }
    return statSync(join(folder, 'data.mdb')).size
  }

  it('a killed reader keeps no space: the owner notices when it compacts', async () => {
    const usual = await churn()
    const child = spawnProgram('test/integration/store/heldreader.ts', [folder])
    await child.says(/holds revision/)
    child.process.kill('SIGKILL')
    await child.exited
    const after = await churn()
    assert.ok(after < usual + 20_000_000, `${usual} bytes before, ${after} after`)
  })

  it('a reader of one revision still sees it after the owner has compacted and overwritten it', async () => {
    const { revision } = await store.create('/registry/held', Buffer.from('held'))
    const reader = await openEmbeddedStoreReader(dependencies.clock, folder)
    const scan = await reader.scan({ start: '/registry/held' })
    const { value } = await store.get('/registry/held')
    assert.ok(value)
    await store.delete('/registry/held', value.modRevision)
    await churn()
    const keys = []
    for await (const page of scan.pages()) for (const entry of page) keys.push([entry.key, entry.modRevision])
    scan.close()
    assert.deepEqual(keys[0], ['/registry/held', revision])
    assert.equal((await reader.get('/registry/held')).entry, undefined)
    await reader.close()
  })

  it('a folder without a store, or with a file that is no database, is refused unchanged', async () => {
    await assert.rejects(openEmbeddedStoreReader(dependencies.clock, join(folder, 'none')), /there is no store in/)
    assert.equal(statSync(join(folder, 'none'), { throwIfNoEntry: false }), undefined)
    const other = join(folder, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'data.mdb'), 'no database'.repeat(1000))
    await assert.rejects(
      openEmbeddedStoreReader(dependencies.clock, other),
      /is damaged \(its beginning is no database\)/,
    )
    assert.deepEqual(readdirSync(other), ['data.mdb'])
  })
})
