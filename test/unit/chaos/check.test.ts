import assert from 'node:assert/strict'
import { createSeededRandom, type Random } from '../../../lib/base/index.ts'
import { checkHistory } from '../../chaos/check.ts'
import type { History, ListRead, Operation, Rule, SeenEvent, WatchedSpan } from '../../chaos/history.ts'

/** A store that does one thing after the other, and clients whose requests overlap: what they see is right. */
function simulate(random: Random, steps: number): History {
  const state = new Map<string, { value: string; revision: number }>()
  const events: SeenEvent[] = []
  const operations: Operation[] = []
  const lists: ListRead[] = []
  let revision = 10
  let nowMs = 0
  for (let step = 0; step < steps; step++) {
    nowMs += random.fraction() * 4
    // Every request takes effect now; it was asked for before and is answered after.
    const invokedMs = nowMs - random.fraction() * 20
    const isLost = random.fraction() < 0.1
    const answeredMs = isLost ? Infinity : nowMs + random.fraction() * 20
    const key = `k${Math.floor(random.fraction() * 3)}`
    const known = state.get(key)
    const value = `v${step}`
    const note = (
      one: Omit<Operation, 'key' | 'invokedMs' | 'answeredMs' | 'outcome'>,
      outcome: Operation['outcome'],
    ): void => void operations.push({ key, invokedMs, answeredMs, ...one, outcome: isLost ? 'unknown' : outcome })
    const store = (type: SeenEvent['type'], text: string): void => {
      revision += 1 + Math.floor(random.fraction() * 3)
      events.push({ type, key, value: text, revision, atMs: nowMs + random.fraction() * 30 })
    }
    const choice = random.fraction()
    // A request may also be lost before it takes effect.
    const takesEffect = !isLost || random.fraction() < 0.5
    if (choice < 0.1) {
      if (!isLost) lists.push({ invokedMs, answeredMs, revision, items: new Map(state) })
    } else if (choice < 0.35) {
      if (!isLost) note({ action: 'get', ...known }, known ? 'done' : 'absent')
    } else if (choice < 0.6) {
      if (takesEffect && !known) {
        store('ADDED', value)
        state.set(key, { value, revision })
        note({ action: 'create', value, ...(isLost ? {} : { revision }) }, 'done')
      } else note({ action: 'create', value }, 'exists')
    } else {
      const isStale = random.fraction() < 0.3
      const action = choice < 0.85 ? 'update' : 'delete'
      const expected = isStale ? 3 : (known?.revision ?? 3)
      const written = action === 'update' ? { value } : {}
      if (!takesEffect || !known || isStale) note({ action, expected, ...written }, known ? 'conflict' : 'absent')
      else if (action === 'update') {
        store('MODIFIED', value)
        state.set(key, { value, revision })
        note({ action, expected, value, ...(isLost ? {} : { revision }) }, 'done')
      } else {
        store('DELETED', known.value)
        state.delete(key)
        note({ action, expected }, 'done')
      }
    }
  }
  const spans = [0, 1, 2].map((index): WatchedSpan => {
    const from = index === 0 ? 0 : (events[Math.floor(random.fraction() * events.length)]?.revision ?? 0)
    return { name: `watcher ${index}`, from, events: events.filter((event) => event.revision > from), upTo: revision }
  })
  return { operations, lists, spans }
}

const rulesOf = (history: History): Rule[] => [...new Set(checkHistory(history).map(({ rule }) => rule))]

function withSpan(history: History, change: (events: readonly SeenEvent[]) => readonly SeenEvent[]): History {
  const [first, ...rest] = history.spans
  return first ? { ...history, spans: [{ ...first, events: change(first.events) }, ...rest] } : history
}

/** Changes the one operation that fits, with what it becomes. */
function withOperation(
  history: History,
  fits: (one: Operation) => boolean,
  change: (one: Operation) => Operation | undefined,
): History {
  const index = history.operations.findLastIndex(fits)
  const one = history.operations[index]
  assert.ok(one, 'there is such an operation')
  const changed = change(one)
  return { ...history, operations: history.operations.toSpliced(index, 1, ...(changed ? [changed] : [])) }
}

describe('the check of what clients saw', () => {
  it('finds nothing in the history of one store, however requests overlap and answers are lost', () => {
    for (let seed = 1; seed <= 200; seed++)
      assert.deepEqual(checkHistory(simulate(createSeededRandom(seed), 150)), [], `seed ${seed}`)
  })

  const history = simulate(createSeededRandom(5), 400)
  const middle = (events: readonly SeenEvent[]): number => Math.floor(events.length / 2)
  const isAcknowledged = ({ outcome, action }: Operation): boolean => outcome === 'done' && action === 'update'
  const damages: readonly (readonly [title: string, rule: Rule, damaged: () => History])[] = [
    ['an event that one watcher is not told of', 'skipped event', () => withSpan(history, (events) => events.toSpliced(middle(events), 1))],
    ['an event that one watcher is told of twice', 'repeated event', () => withSpan(history, (events) => events.flatMap((event, index) => (index === middle(events) ? [event, event] : [event])))],
    ['two events that change places', 'order of events', () => withSpan(history, (events) => events.toSpliced(middle(events), 2, ...events.slice(middle(events), middle(events) + 2).reverse()))],
    ['an event from before the beginning', 'repeated event', () => ({ ...history, spans: history.spans.map((span) => ({ ...span, from: span.from + 15 })) })],
    ['an event of another type', 'wrong event', () => withSpan(history, (events) => events.map((event) => (event.type === 'MODIFIED' ? { ...event, type: 'ADDED' } : event)))],
    ['an event of another value', 'two contents', () => withSpan(history, (events) => events.map((event, index) => (event.type === 'ADDED' && index > middle(events) ? { ...event, value: 'other' } : event)))],
    ['an event that nothing caused', 'ghost', () => ({ ...history, spans: history.spans.map((span) => ({ ...span, events: [...span.events, { type: 'ADDED', key: 'k9', value: 'x', revision: span.upTo + 1, atMs: 1e6 }], upTo: span.upTo + 1 })) })],
    ['a write that is acknowledged and nowhere', 'lost write', () => ({ ...history, operations: [...history.operations, { key: 'k0', action: 'create', value: 'lost', outcome: 'done', invokedMs: 1e6, answeredMs: 1e6 + 1 }] })],
    ['a write that was refused and is there', 'ghost', () => withOperation(history, isAcknowledged, ({ revision: _, ...one }) => ({ ...one, outcome: 'conflict' }))],
    ['a write that nobody asked for', 'ghost', () => withOperation(history, isAcknowledged, () => undefined)],
    ['a write that is answered with another revision', 'ghost', () => withOperation(history, isAcknowledged, (one) => ({ ...one, revision: (one.revision ?? 0) - 400 }))],
    ['a write that found another state than it asked for', 'precondition', () => withOperation(history, isAcknowledged, (one) => ({ ...one, expected: 3 }))],
    ['a write that was asked for after a later one was seen', 'real time', () => withOperation(history, ({ action, outcome }) => action === 'create' && outcome === 'done', (one) => ({ ...one, invokedMs: 1e6, answeredMs: 1e6 + 1 }))],
    ['a read of a state that was over', 'stale read', () => withOperation(history, ({ action, outcome, revision }) => action === 'get' && outcome === 'done' && revision !== undefined && revision < 300, (one) => ({ ...one, invokedMs: 1e6, answeredMs: 1e6 + 1 }))],
    ['a read of nothing where something was', 'read of nothing', () => {
      const present = history.lists.at(-1)?.items.keys().next().value ?? ''
      return { operations: [...history.operations.filter(({ key, invokedMs }) => key !== present || invokedMs < (history.lists.at(-1)?.invokedMs ?? 0)), { key: present, action: 'get', outcome: 'absent', invokedMs: history.lists.at(-1)?.answeredMs ?? 0, answeredMs: history.lists.at(-1)?.answeredMs ?? 0 }], lists: history.lists, spans: [] }
    }],
    ['a refusal because something is there that is not', 'wrong refusal', () => ({ ...history, operations: [...history.operations, { key: 'k9', action: 'create', value: 'x', outcome: 'exists', invokedMs: 1, answeredMs: 2 }] })],
    ['a list that lacks an object', 'wrong list', () => ({ ...history, lists: history.lists.map((list) => ({ ...list, items: new Map([...list.items].slice(1)) })) })],
    ['a list that is older than what was known', 'stale read', () => ({ ...history, lists: history.lists.map((list, index) => (index === 0 ? { ...list, invokedMs: 1e6, answeredMs: 1e6 } : list)) })],
  ] // biome-ignore format: one line a case
  for (const [title, rule, damaged] of damages)
    it(`finds ${title}`, () => {
      const rules = rulesOf(damaged())
      assert.ok(rules.includes(rule), `${rules.join()}`)
    })

  it('takes a second for a long run', () => {
    const long = simulate(createSeededRandom(1), 40_000)
    const { user } = process.threadCpuUsage()
    assert.deepEqual(checkHistory(long), [])
    assert.ok(process.threadCpuUsage().user - user < 5_000_000)
  })
})
