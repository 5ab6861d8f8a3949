import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Logger, silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createEmbeddedStore } from '../../../lib/storage/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { type Answer, ask } from '../../support/plane.ts'

const url = '/api/v1/namespaces/default/secrets'
const key = '/registry/secrets/default/broken'
const token = adminToken

describe('a stored object that can not be read', function () {
  this.timeout(60_000)
  const folder = scratchFolder('unreadable')
  const flags = ['--storage-backend=embedded', `--data-dir=${join(folder.path, 'data')}`]
  after(() => folder.remove())

  async function breakStored(bytes: string): Promise<void> {
    const directory = join(folder.path, 'data')
    const parts = { clock: systemClock, random: systemRandom, log: silentLogger }
    const store = await createEmbeddedStore(parts, { directory })
    const { value } = await store.get(key)
    assert.ok(value)
    assert.ok((await store.update(key, Buffer.from(bytes), value.modRevision)).ok)
    await store.close()
  }

  it('is named to clients and in the log, with its contents only there; all others are served', async () => {
    const first = await startComposed(folder.path, flags)
    for (const name of ['broken', 'sound'])
      assert.equal((await ask(first.url, url, { token, body: { metadata: { name } } })).status, 201)
    await first.stop()
    await breakStored('{"kind":"Secret","apiVersion":"v1","data":{"a":"hunter2"}')

    const errors: string[] = []
    const log: Logger = {
      ...silentLogger,
      error: (_message, fields) => void errors.push(String(fields?.['error'])),
      named: () => log,
    }
    const server = await startComposed(folder.path, flags, { log })
    try {
      const of = (path: string, more: Parameters<typeof ask>[2] = {}): Promise<Answer> =>
        ask(server.url, url + path, { token, ...more })
      const says = new RegExp(
        `^Internal error occurred: the stored object ${key} can't be read as it is since revision \\d+$`,
      )
      for (const [path, more] of [
        ['/broken'],
        [''],
        ['?limit=1'],
        ['?labelSelector=a%3Db'],
        ['/broken', { method: 'PUT', body: { metadata: { name: 'broken' } } }],
        ['/broken', { method: 'DELETE' }],
      ] as const) {
        const { status, body, text } = await of(path, more)
        assert.deepEqual([status, body.reason], [500, 'InternalError'], `${path} ${text}`)
        assert.match(body.message, says)
        assert.doesNotMatch(text, /hunter2/)
      }
      assert.deepEqual(
        errors.filter((error) => !error.includes(key)),
        [],
      )
      assert.equal(errors.length, 6)

      assert.equal((await of('/sound')).status, 200)
      assert.equal((await of('', { body: { metadata: { name: 'new' } } })).status, 201)
      assert.equal((await ask(server.url, '/api/v1/namespaces/kube-system/secrets', { token })).status, 200)
    } finally {
      await server.stop()
    }
  })
})
