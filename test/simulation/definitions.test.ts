import assert from 'node:assert/strict'
import { createSeededRandom, type Random, silentLogger, systemClock } from '../../lib/base/index.ts'
import type { Resources } from '../../lib/endpoints/index.ts'
import { createMemoryStore } from '../../lib/storage/index.ts'
import { type CrdKit, createCrdKit, definitionOf, definitionsUrl } from '../support/crdkit.ts'
import type { Stream } from '../support/endpointkit.ts'
import { eventually, eventuallyEquals } from '../support/eventually.ts'

/** How a replica is made worse before it is simulated: the simulation must notice. */
type Canary = (resources: Resources, random: Random) => Resources

interface Tally {
  objects: number
  edits: number
  deletions: number
  events: number
}

const kinds = ['Apple', 'Birne', 'Citron']
const merge = { 'content-type': 'application/merge-patch+json' }
const pluralOf = (kind: string): string => `${kind.toLowerCase()}s`
const urlOf = (kind: string): string => `/apis/example.com/v1/namespaces/default/${pluralOf(kind)}`
const definitionUrl = (kind: string): string => `${definitionsUrl}/${pluralOf(kind)}.example.com`

/** Which definitions there are, with the objects that were accepted since, and who watches them. */
interface Known {
  readonly names: Set<string>
  fields: number
  readonly watches: Stream[]
}

/** Two replicas over one store: definitions come, change and go under writers and watchers. */
async function simulate(seed: number, steps: number, canary?: Canary): Promise<Tally> {
  const random = createSeededRandom(seed)
  const store = createMemoryStore({ clock: systemClock, log: silentLogger })
  const wrap = (resources: Resources): Resources => canary?.(resources, random) ?? resources
  const kits = [await createCrdKit({ store, wrap }), await createCrdKit({ store, wrap })]
  const known = new Map<string, Known>()
  const tally: Tally = { objects: 0, edits: 0, deletions: 0, events: 0 }
  try {
    for (let step = 0; step < steps; step++) {
      const kind = kinds[random.below(kinds.length)] ?? ''
      await takeStep(kits, kind, known, step, random, tally)
    }
    for (const [kind, { names, watches }] of known) await settle(kits, kind, names, watches, tally)
    return tally
  } finally {
    for (const { watches } of known.values()) for (const watch of watches) watch.close()
    for (const kit of kits) await kit.close()
    await store.close()
  }
}

async function takeStep(
  kits: readonly CrdKit[],
  kind: string,
  known: Map<string, Known>,
  step: number,
  random: Random,
  tally: Tally,
): Promise<void> {
  const any = (): CrdKit => kits[random.below(kits.length)] ?? assert.fail()
  const state = known.get(kind)
  if (!state) {
    const answer = await any().request('POST', definitionsUrl, { body: definitionOf({ kind }) })
    assert.equal(answer.status, 201, answer.text)
    known.set(kind, { names: new Set(), fields: 0, watches: [] })
    // A replica may still serve the definition of that name that was deleted before this one, and ends its watches.
    const { uid = '' } = answer.json.metadata
    await eventually(() => kits.every((kit) => servesDefinition(kit, kind, uid)), `${kind} of ${uid}`, 10_000)
    return
  }
  const choice = random.below(20)
  if (choice === 0) return removeDefinition(kits, any(), kind, state, known, tally)
  if (choice < 4) return editDefinition(any(), kind, state, tally)
  if (choice < 7 && state.watches.length < 4) {
    state.watches.push(await any().watch(`${urlOf(kind)}?watch=1`))
    return
  }
  if (choice < 10 && state.names.size > 0) {
    const name = [...state.names][random.below(state.names.size)] ?? ''
    const answer = await any().request('DELETE', `${urlOf(kind)}/${name}`)
    assert.equal(answer.status, 200, `${kind} ${name}: ${answer.text}`)
    state.names.delete(name)
    return
  }
  const name = `o${step}`
  const body = { apiVersion: 'example.com/v1', kind, metadata: { name }, spec: { step } }
  const answer = await any().request('POST', urlOf(kind), { body })
  assert.equal(answer.status, 201, `${kind} ${name}: ${answer.text}`)
  state.names.add(name)
  tally.objects++
}

function servesDefinition({ served }: CrdKit, kind: string, uid: string): boolean {
  const resources = served.group('example.com')?.versions[0]?.resources ?? []
  return resources.some(
    ({ table, published }) => table.kind === kind && published?.fingerprint.startsWith(uid) === true,
  )
}

async function editDefinition(kit: CrdKit, kind: string, state: Known, tally: Tally): Promise<void> {
  state.fields++
  const schema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { [`f${state.fields}`]: { type: 'string' } },
  }
  const { versions } = definitionOf({ kind, schema }).spec
  const answer = await kit.request('PATCH', definitionUrl(kind), { body: { spec: { versions } }, headers: merge })
  assert.equal(answer.status, 200, answer.text)
  tally.edits++
}

async function removeDefinition(
  kits: readonly CrdKit[],
  kit: CrdKit,
  kind: string,
  { watches }: Known,
  known: Map<string, Known>,
  tally: Tally,
): Promise<void> {
  for (const watch of watches) assert(!watch.ended, 'a watch ended before its definition')
  assert.equal((await kit.request('DELETE', definitionUrl(kind))).status, 200)
  await eventuallyEquals(
    async () => (await kit.request('GET', definitionUrl(kind))).status,
    404,
    `${kind} goes`,
    20_000,
  )
  for (const watch of watches) await watch.finished
  for (const each of kits)
    await eventuallyEquals(
      async () => (await each.request('GET', urlOf(kind))).status,
      404,
      `${kind} is served on`,
      3_000,
    )
  known.delete(kind)
  tally.deletions++
}

/** Every replica lists what was accepted, and every watch has shown it and is open. */
async function settle(
  kits: readonly CrdKit[],
  kind: string,
  names: ReadonlySet<string>,
  watches: readonly Stream[],
  tally: Tally,
): Promise<void> {
  const wanted = [...names].sort()
  for (const kit of kits) {
    const list = await kit.request('GET', urlOf(kind))
    assert.deepEqual(
      list.json.items?.map(({ metadata }) => metadata.name),
      wanted,
      `${kind}: ${list.status}`,
    )
  }
  for (const watch of watches) {
    const seen = (): string[] => {
      const there = new Set<string>()
      for (const { type, object } of watch.events())
        if (type === 'DELETED') there.delete(object.metadata.name ?? '')
        else there.add(object.metadata.name ?? '')
      return [...there].sort()
    }
    await eventually(() => watch.ended || seen().join() === wanted.join(), `events of ${kind}`, 10_000)
    assert(!watch.ended, 'an edit ended a watch')
    assert.deepEqual(seen(), wanted)
    tally.events += watch.events().length
  }
}

describe('simulation: definitions that come, change and go', () => {
  for (const seed of [1, 2, 3])
    it(`definitions change under writers and watchers on two replicas, seed ${seed}`, async () => {
      const { objects, edits, events } = await simulate(seed, 250)
      assert(objects > 50 && edits > 10 && events > 20, 'too little was tried')
    })

  it('catches a replica that forgets some of what it should serve', async () => {
    const forgetful: Canary = (resources, random) => ({
      ...resources,
      mount: (resource) => (random.below(10) === 0 ? resources.unmount(resource.gvr) : resources.mount(resource)),
    })
    await assert.rejects(simulate(1, 250, forgetful))
  })

  it('catches a replica that still serves a deleted resource', async () => {
    const lingering: Canary = (resources) => ({ ...resources, unmount() {} })
    await assert.rejects(simulate(1, 250, lingering))
  })
})
