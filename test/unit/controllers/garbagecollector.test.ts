import assert from 'node:assert/strict'
import { createGraph, type Graph } from '../../../lib/controllers/garbagecollector/graph.ts'
import { type Dependents, type OwnerState, plan } from '../../../lib/controllers/garbagecollector/plan.ts'
import { type ObjectMeta, type OwnerReference, resourceType } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'
import { threadCpuMs } from '../../support/cputime.ts'

runScripts('garbagecollector', ({ input }) => {
  const metadata = input['metadata'] as ObjectMeta
  const none: Dependents = { count: 0, blocking: [], blockedByDeleting: false, deleting: false }
  const dependents = { ...none, ...(input['dependents'] as Partial<Dependents> | undefined) }
  const states = (input['states'] ?? {}) as Readonly<Record<string, OwnerState>>
  return plan({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, dependents, ({ uid }) => {
    const state = states[uid]
    assert.ok(state, `${uid} has a state`)
    return state
  })
})

describe('graph of owners', () => {
  const maps = resourceType('', 'v1', 'configmaps', 'ConfigMap', true)
  const reference = (uid: string, name = uid): OwnerReference => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid })
  let checked: string[]
  let orphaned: string[]
  let graph: Graph
  beforeEach(() => {
    checked = []
    orphaned = []
    graph = createGraph({
      check: (uid) => void checked.push(uid),
      orphan: (uid) => void orphaned.push(uid),
      invalidNamespace() {},
    })
  })
  const put = (uid: string, owners: OwnerReference[] = [], more: Partial<ObjectMeta> = {}): void =>
    graph.put(
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'default', name: uid, uid, ownerReferences: owners, ...more },
      },
      maps,
    )

  it('an owner that was never seen is looked up once, and dropped with its last dependent', () => {
    put('b', [reference('a')])
    put('c', [reference('a')])
    assert.deepEqual(checked, ['a'])
    assert.equal(graph.size, 3)
    graph.remove('b')
    graph.remove('c')
    assert.equal(graph.size, 0)
  })

  it('dependents are checked when their owner is deleted', () => {
    put('a')
    put('b', [reference('a')])
    graph.remove('a')
    assert.deepEqual(checked, ['b'])
  })

  it('a reference by a wrong name has the dependent checked, whichever comes first', () => {
    put('a')
    put('b', [reference('a', 'other')])
    put('d', [reference('c', 'other')])
    put('c')
    assert.deepEqual(checked, ['b', 'c', 'd'])
  })

  it('an owner on which dependents disagree is looked up at each place before it counts as deleted', () => {
    put('b', [reference('a', 'one')])
    put('c', [reference('a', 'two')])
    const node = graph.get('a')
    assert.ok(node)
    graph.absent(node, graph.newest)
    assert.deepEqual(checked, ['a', 'b', 'a'])
    assert.equal(node.identity.name, 'two')
    graph.absent(node, graph.newest)
    assert.equal(graph.get('a'), undefined)
  })

  it('an owner that was deleted counts as absent, but not for dependents that were written later', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a', uid: 'a' }
    const dependent = (resourceVersion: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'b', uid: 'b', resourceVersion },
    })
    put('a', [], { resourceVersion: '5' })
    put('b', [reference('a')], { resourceVersion: '6' })
    graph.remove('a')
    assert.equal(graph.isAbsent(owner, dependent('6')), true)
    assert.equal(graph.isAbsent(owner, dependent('7')), false)
    graph.noteAbsent(owner, 7)
    assert.equal(graph.isAbsent(owner, dependent('7')), true)
  })

  it('a deletion that orphans is reported once', () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z'
    put('a', [], { deletionTimestamp, finalizers: ['orphan'] })
    put('a', [], { deletionTimestamp, finalizers: ['orphan'] })
    assert.deepEqual(orphaned, ['a'])
  })

  it('uids that are names of prototypes are uids', () => {
    put('__proto__', [reference('constructor')])
    assert.deepEqual(checked, ['constructor'])
    assert.equal(graph.size, 2)
  })

  it('a hundred thousand dependents of one owner are linked and released in less than two seconds', () => {
    put('a')
    for (let index = 0; index < 100_000; index++) put(`b${index}`, [reference('a')])
    const since = threadCpuMs()
    graph.remove('a')
    assert.ok(threadCpuMs() - since < 2000)
    assert.equal(checked.length, 100_000)
  })
})
