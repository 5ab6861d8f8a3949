import { ok } from 'node:assert/strict'

import { type Clock, createSeededRandom, silentMetrics } from '../../lib/base/index.ts'
import { type ClassifiedRequest, createFairness } from '../../lib/fairness/index.ts'
import { infoOf, userOf } from '../support/fairnesskit.ts'

/** A clock that does not move between steps; the requests here ask for no time after their end. */
function steppingClock(): Clock & { ms: number } {
  const closable = { close() {} }
  return {
    ms: 0,
    now() {
      return this.ms
    },
    monotonicMs() {
      return this.ms
    },
    threadCpuMs() {
      return this.ms
    },
    after: () => closable,
    every: () => closable,
    soon: () => closable,
    turn: () => closable,
    sleep: () => Promise.resolve(),
  }
}

interface Client {
  readonly name: string
  /** Requests that it always has under way. */
  readonly width: number
  /** Chance of a new request in a step while it has fewer. */
  readonly chance: number
  waiting: { classified: ClassifiedRequest; sinceMs: number }[]
  running: number
  served: number
  refused: number
  waitedMs: number
  longestMs: number
}

const seats = 10
const serviceMs = 5

/** One level of ten seats and the clients given, each a flow of its own. Every request takes five steps of a millisecond. */
function simulate(seed: number, steps: number, queues: number, clients: readonly Client[]): void {
  const clock = steppingClock()
  const random = createSeededRandom(seed)
  const fairness = createFairness(
    { clock, metrics: silentMetrics, stored: () => ({ objects: 0, bytes: 0 }) },
    { seats },
  )
  const queuing = { queues, handSize: Math.min(queues, 6), queueLengthLimit: 1000 }
  const limited = { nominalConcurrencyShares: 10, limitResponse: { type: 'Queue', queuing }, lendablePercent: 0 }
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }
  fairness.configure(
    [
      {
        metadata: { name: 'catch-all', uid: '' },
        spec: {
          priorityLevelConfiguration: { name: 'only' },
          matchingPrecedence: 1,
          distinguisherMethod: { type: 'ByUser' },
          rules: [{ subjects: [{ kind: 'User', user: { name: '*' } }], resourceRules: [everything] }],
        },
      },
    ],
    [{ metadata: { name: 'only', uid: '' }, spec: { type: 'Limited', limited } }],
  )
  const users = new Map(clients.map(({ name }) => [name, userOf(name)]))
  const info = infoOf({ verb: 'get' })
  const query = new URLSearchParams()
  const ends: { client: Client; classified: ClassifiedRequest }[][] = Array.from({ length: serviceMs + 1 }, () => [])

  const begin = (client: Client, classified: ClassifiedRequest, sinceMs: number): void => {
    const waited = clock.ms - sinceMs
    client.running++
    client.waitedMs += waited
    client.longestMs = Math.max(client.longestMs, waited)
    ends[(clock.ms + serviceMs) % ends.length]?.push({ client, classified })
  }
  for (let step = 0; step < steps; step++, clock.ms++) {
    const over = ends[clock.ms % ends.length] ?? []
    for (const { client, classified } of over.splice(0)) {
      client.running--
      client.served++
      fairness.finish(classified, clock.ms)
    }
    for (const client of clients) {
      while (client.waiting.length + client.running < client.width && random.fraction() < client.chance) {
        const user = users.get(client.name)
        if (!user) break
        const classified = fairness.start({ user, info, query })
        if (classified.refusal) client.refused++
        else client.waiting.push({ classified, sinceMs: clock.ms })
        if (classified.refusal) break
      }
    }
    for (const client of clients) {
      client.waiting = client.waiting.filter(({ classified, sinceMs }) => {
        if (classified.request.state === 'waiting') return true
        begin(client, classified, sinceMs)
        return false
      })
    }
    const set = fairness.levels.get('only')?.set
    ok(set && set.seatsInUse <= seats, `${set?.seatsInUse} of ${seats} seats in use`)
    ok(set.waiting === 0 || set.seatsInUse === seats, 'a request waits beside a free seat')
  }
}

const client = (name: string, width: number, chance: number): Client => ({
  name,
  width,
  chance,
  waiting: [],
  running: 0,
  served: 0,
  refused: 0,
  waitedMs: 0,
  longestMs: 0,
})

/** What a flow that asks for one seat at a time would wait, were every flow served alone with its share of the seats. */
const fairShareMs = serviceMs

describe('simulated fairness', () => {
  it('lets a mouse wait no more than twice its fair share beside elephants', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const mouse = client('mouse', 1, 0.2)
      const elephants = [client('elephant 1', 400, 1), client('elephant 2', 400, 1), client('elephant 3', 400, 1)]
      simulate(seed, 20_000, 128, [mouse, ...elephants])
      ok(mouse.served > 1000, `${mouse.served} served`)
      const mean = mouse.waitedMs / mouse.served
      ok(mean <= fairShareMs, `seed ${seed}: the mouse waited ${mean} ms on average`)
      ok(mouse.longestMs <= 2 * fairShareMs, `seed ${seed}: the mouse waited ${mouse.longestMs} ms once`)
      const served = elephants.map((each) => each.served)
      ok(Math.min(...served) > 0.8 * Math.max(...served), `elephants are served alike: ${served.join(', ')}`)
    }
  }).timeout(60_000)

  it('catches a level that has one queue for all (canary)', () => {
    const mouse = client('mouse', 1, 0.2)
    simulate(1, 20_000, 1, [mouse, client('elephant', 400, 1)])
    ok(mouse.longestMs > 10 * fairShareMs, `the mouse waited only ${mouse.longestMs} ms`)
  })

  it('starves nobody in a long time', () => {
    const steps = 200_000
    const clients = Array.from({ length: 8 }, (_, at) => client(`c${at}`, 1 + at * 5, 0.02 + at / 8))
    simulate(42, steps, 64, clients)
    for (const { name, served, longestMs, refused } of clients) {
      ok(served > steps / 100 && refused === 0, `${name}: ${served} served, ${refused} refused`)
      ok(longestMs < steps / 100, `${name} waited ${longestMs} ms`)
    }
  }).timeout(120_000)
})
