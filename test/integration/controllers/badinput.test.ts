import assert from 'node:assert/strict'
import type { ApiObject } from '../../../lib/object/index.ts'
import { StatusError } from '../../../lib/object/index.ts'
import { type ControllerKit, createControllerKit } from '../../support/controllerkit.ts'
import { eventually } from '../../support/eventually.ts'
import { type Loose, type Row, type RowWorld, storedEntry, typeOf } from './badinput/row.ts'
import { workloadRows } from './badinput/workloads.ts'

const rows: Readonly<Record<string, Row>> = { ...workloadRows }
const names = Object.keys(rows)
const only = process.env['BAD_ROW']

/** In that time a key that fails each time is tried a dozen times: its pauses double from 5 ms on. */
const spanMs = 8000
/** A dozen attempts, each with its object, its event and its status. */
const writesMax = 60
/** A healthy object waits for nothing; the limit is for slow machines. */
const soonMs = 10_000

describe('controllers: objects that make no sense', () => {
  let kit: ControllerKit
  let startedMs: number

  before(async () => {
    const stored = new Map<string, object>()
    for (const [index, title] of names.entries())
      for (const object of rows[title]?.stored ?? [])
        stored.set(
          ...storedEntry(object, namespaceOf(title), `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`),
        )
    kit = await createControllerKit({ stored })
    for (const title of names) await make(title)
    await worldOf('').create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node' } })
    startedMs = performance.now()
    await kit.start()
  }).timeout(60_000)

  after(async () => {
    await kit.stop()
  })

  async function make(title: string): Promise<void> {
    const world = worldOf(title)
    const { namespace } = world
    await world.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    await world.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } })
    for (const object of rows[title]?.made ?? []) {
      const created = await world.create(object)
      // The quota controller is not there yet: what it would write at once is written for it.
      if (object.kind === 'ResourceQuota')
        await kit.client.resource(typeOf(object.kind)).updateStatus({ ...created, status: object['status'] } as never)
    }
  }

  function worldOf(title: string): RowWorld {
    const namespace = namespaceOf(title)
    const resource = (kind: string) => kit.client.resource(typeOf(kind))
    const within = (kind: string): { namespace?: string } => (typeOf(kind).namespaced ? { namespace } : {})
    return {
      client: kit.client,
      namespace,
      create: async (object) => {
        const metadata = { ...within(object.kind), ...object.metadata }
        return (await resource(object.kind).create({ ...object, metadata } as ApiObject)) as ApiObject
      },
      async get(kind, name) {
        try {
          return (await resource(kind).get({ ...within(kind), name })) as Loose
        } catch (error) {
          if (error instanceof StatusError && error.code === 404) return undefined
          throw error
        }
      },
      list: async (kind, labelSelector) =>
        (await resource(kind).list({ ...within(kind), ...(labelSelector === undefined ? {} : { labelSelector }) }))
          .items as readonly Loose[],
      soon: async (condition, what) => await eventually(condition, what, soonMs),
    }
  }

  function writesOf(namespace: string, fromMs: number, toMs: number): string[] {
    return kit.writes
      .filter(({ url, atMs }) => `${url}/`.includes(`/namespaces/${namespace}/`) && atMs >= fromMs && atMs < toMs)
      .map(({ account, method, url }) => `${account} ${method} ${url}`)
  }

  for (const title of only === undefined ? names : names.filter((name) => name.includes(only))) {
    const row = rows[title] as Row
    it(`${title} is reported, and delays no other object`, async () => {
      const world = worldOf(title)
      for (const [kind, reason, says] of row.events ?? [])
        await eventually(
          async () => hasEvent(await world.list('Event'), kind, reason, says),
          `${kind} ${reason} ${says}`,
          soonMs,
        ).catch(async (error: unknown) => {
          const seen = (await world.list('Event')).map(textOf)
          throw new Error(`no event ${kind} ${reason} ${says}; there are:\n${seen.join('\n')}`, { cause: error })
        })
      const [first] = [...(row.stored ?? []), ...(row.made ?? [])]
      for (const condition of row.conditions ?? []) {
        const seen = async () =>
          JSON.stringify((await world.get(first?.kind ?? '', first?.metadata.name ?? ''))?.['status'])
        await eventually(
          async () => hasCondition(await world.get(first?.kind ?? '', first?.metadata.name ?? ''), condition),
          `condition ${condition.join(' ')}`,
          soonMs,
        ).catch(async (error: unknown) => {
          throw new Error(`no condition ${condition.join(' ')} in ${await seen()}`, { cause: error })
        })
      }
      await row.sibling?.(world)
      if (row.holds) await eventually(async () => (await row.holds?.(world)) ?? true, 'what holds', soonMs)
      for (const event of await world.list('Event'))
        assert.ok(!(row.silent ?? []).includes(String(event['reason'])), textOf(event))
    }).timeout(60_000)
  }

  it('cause no more writes than their attempts, which become rare', async () => {
    await eventually(() => performance.now() > startedMs + 2 * spanMs, 'the span', 10 * spanMs)
    const wild: string[] = []
    for (const title of names) {
      const seen = writesOf(namespaceOf(title), startedMs, startedMs + spanMs)
      const later = writesOf(namespaceOf(title), startedMs + 1.5 * spanMs, startedMs + 2 * spanMs)
      const most = rows[title]?.writesMax ?? writesMax
      if (seen.length > most || later.length > 15)
        wild.push(
          `${title}: ${seen.length} writes, then ${later.length}:\n  ${[...seen.slice(-8), ...later.slice(-8)].join('\n  ')}`,
        )
    }
    assert.deepEqual(wild.join('\n'), '')
  }).timeout(120_000)
})

function namespaceOf(title: string): string {
  return title === '' ? 'default' : `bad-${names.indexOf(title)}`
}

function hasEvent(events: readonly Loose[], kind: string, reason: string, says: RegExp): boolean {
  return events.some((event) => {
    const { kind: about } = event['involvedObject'] as { kind: string }
    return about === kind && event['reason'] === reason && says.test(String(event['message']))
  })
}

function hasCondition(
  object: Loose | undefined,
  [type, status, reason, says]: NonNullable<Row['conditions']>[number],
): boolean {
  const { conditions = [] } = (object?.['status'] ?? {}) as { conditions?: Record<string, string>[] }
  return conditions.some(
    (each) =>
      each['type'] === type &&
      each['status'] === status &&
      (each['reason'] ?? '') === reason &&
      (says?.test(each['message'] ?? '') ?? true),
  )
}

function textOf(event: Loose): string {
  const { kind, name } = event['involvedObject'] as { kind: string; name: string }
  return `${kind} ${name}: ${String(event['reason'])} ×${String(event['count'])}: ${String(event['message'])}`
}
