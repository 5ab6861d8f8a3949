import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { createFakeClock } from '../../../lib/base/index.ts'
import { RequestError, type Transport } from '../../../lib/client/index.ts'
import type { Informer } from '../../../lib/controller/index.ts'
import { createOwnWrites, type OwnWrites } from '../../../lib/controller/ownwrites.ts'
import { type ApiObject, StatusError } from '../../../lib/object/index.ts'

const { configmaps } = resources.core.v1

type Answer = (request: Parameters<Transport['send']>[0]) => unknown

const lost: Answer = () => {
  throw new RequestError('the connection was cut')
}
const written =
  (resourceVersion: string): Answer =>
  ({ object }) => ({ ...object, metadata: { ...object?.metadata, resourceVersion } })
const listed =
  (resourceVersion: string): Answer =>
  () => ({ apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion }, items: [] })

/** An informer at a revision, and a server whose answers to writes and to lists are given. */
function open() {
  const clock = createFakeClock()
  const server = { write: written('11'), list: lost, lists: 0 }
  const informer = { revision: 10, waiters: [] as number[], objects: new Map<string, ApiObject>() }
  const transport: Transport = {
    async send(request) {
      if (request.method !== 'GET') return await server.write(request)
      server.lists++
      return await server.list(request)
    },
    watch: () => ({ close() {} }),
    close() {},
  }
  const shown = {
    get revision() {
      return informer.revision
    },
    get: (key: string) => informer.objects.get(key),
    onceReached: (revision: number) => void informer.waiters.push(revision),
  }
  const ownWrites = createOwnWrites({ clock }, transport, () => shown as unknown as Informer<ApiObject>)
  return { clock, server, informer, ownWrites }
}

async function write(ownWrites: OwnWrites, key = 'a'): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'n' } }
  await ownWrites
    .clientFor(key)
    .resource(configmaps)
    .create(object)
    .catch(() => {})
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('controller: own writes', () => {
  it('delays work on a key until the informer shows the writes of earlier work', async () => {
    const { ownWrites, informer } = open()
    await write(ownWrites)
    let called = 0
    assert.equal(
      ownWrites.isShown('a', () => called++),
      false,
    )
    assert.equal(
      ownWrites.isShown('b', () => {}),
      true,
    )
    assert.deepEqual(informer.waiters, [11])
    informer.revision = 11
    assert.equal(
      ownWrites.isShown('a', () => {}),
      true,
    )
    assert.equal(called, 0)
  })

  for (const [title, name, dryRun, isShown] of [
    ['waits until the informer no longer shows an object that was deleted', 'm', false, false],
    ['keeps names with a colon apart by namespace', 'system:m', false, false],
    ['does not wait for a deletion that the server was only asked to check', 'm', true, true],
  ] as const)
    it(title, async () => {
      const { ownWrites, informer, server } = open()
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n', uid: 'u' } }
      informer.objects.set(`n/${name}`, object)
      server.write = () => ({ apiVersion: 'v1', kind: 'Status', metadata: {}, details: { uid: 'u' } })
      await ownWrites.clientFor('a').resource(configmaps).delete({ namespace: 'n', name }, { dryRun })
      assert.equal(
        ownWrites.isShown('a', () => {}),
        isShown,
      )
      informer.objects.clear()
      assert.equal(
        ownWrites.isShown('a', () => {}),
        true,
      )
    })

  it('waits for a state from after a write whose answer was lost', async () => {
    const { ownWrites, informer, server } = open()
    Object.assign(server, { write: lost, list: listed('20') })
    await write(ownWrites)
    informer.revision = 19
    assert.equal(
      ownWrites.isShown('a', () => {}),
      false,
    )
    informer.revision = 20
    assert.equal(
      ownWrites.isShown('a', () => {}),
      true,
    )
  })

  it('waits while no list shows the outcome of a lost write', async () => {
    const { clock, ownWrites, informer, server } = open()
    server.write = lost
    await write(ownWrites)
    informer.revision = 1000
    assert.equal(
      ownWrites.isShown('a', () => {}),
      false,
      'the list was lost too',
    )
    server.list = listed('2000')
    clock.advance(1000)
    assert.equal(
      ownWrites.isShown('a', () => {}),
      false,
      'it is asked again',
    )
    await settled()
    assert.equal(
      ownWrites.isShown('a', () => {}),
      false,
      'the informer is behind',
    )
    informer.revision = 2000
    assert.equal(
      ownWrites.isShown('a', () => {}),
      true,
    )
  })

  it('does not wait for a list that its account may not read', async () => {
    const { server, ownWrites } = open()
    server.write = lost
    server.list = () => {
      throw new StatusError(403, 'Forbidden', 'configmaps is forbidden')
    }
    await write(ownWrites)
    assert.equal(
      ownWrites.isShown('a', () => {}),
      true,
    )
  })

  it('records a later write while it asks about a lost one', async () => {
    const { ownWrites, informer, server } = open()
    const asked = Promise.withResolvers<unknown>()
    Object.assign(server, { write: lost, list: () => asked.promise })
    const first = write(ownWrites)
    await settled()
    server.write = written('30')
    await write(ownWrites)
    asked.resolve(listed('20')({ method: 'GET', url: '' }))
    await first
    informer.revision = 29
    assert.equal(
      ownWrites.isShown('a', () => {}),
      false,
    )
    informer.revision = 30
    assert.equal(
      ownWrites.isShown('a', () => {}),
      true,
    )
  })

  it('does not take the answer about one lost write for one about the next', async () => {
    const { clock, ownWrites, informer, server } = open()
    const asked = Promise.withResolvers<unknown>()
    Object.assign(server, { write: lost, list: () => asked.promise })
    const first = write(ownWrites)
    await settled()
    server.list = lost
    await write(ownWrites)
    asked.resolve(listed('20')({ method: 'GET', url: '' }))
    await first
    informer.revision = 25
    assert.equal(
      ownWrites.isShown('a', () => {}),
      false,
    )
    server.list = listed('40')
    clock.advance(1000)
    assert.equal(
      ownWrites.isShown('a', () => {}),
      false,
    )
    await settled()
    informer.revision = 40
    assert.equal(
      ownWrites.isShown('a', () => {}),
      true,
    )
  })

  it('asks once a second and polls a key once, however often it is tried', async () => {
    const { clock, ownWrites, server } = open()
    server.write = lost
    await write(ownWrites)
    let called = 0
    for (let tries = 0; tries < 100; tries++) ownWrites.isShown('a', () => called++)
    clock.advance(20)
    await settled()
    assert.deepEqual([called, server.lists], [1, 1])
  })

  it('assumes after five minutes that the informer will not show them', async () => {
    const { clock, ownWrites } = open()
    await write(ownWrites)
    clock.advance(5 * 60_000 + 1)
    assert.equal(
      ownWrites.isShown('a', () => {}),
      true,
    )
  })
})
