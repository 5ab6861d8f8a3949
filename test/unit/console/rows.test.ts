import assert from 'node:assert/strict'
import { pluralOf } from '../../../console/state/pluralname.ts'
import { clearMarks, marked, markedMax, toggleAll, toggleMark } from '../../../console/state/selection.ts'
import { toneOf } from '../../../console/state/tone.ts'

describe('console: rows', () => {
  it('a kind has its plural in its own case, whatever its ending', () => {
    const plurals = [
      ['Pod', 'pods', 'Pods'],
      ['ConfigMap', 'configmaps', 'ConfigMaps'],
      ['NetworkPolicy', 'networkpolicies', 'NetworkPolicies'],
      ['Ingress', 'ingresses', 'Ingresses'],
      ['Endpoints', 'endpoints', 'Endpoints'],
      ['APIService', 'apiservices', 'APIServices'],
      ['Person', 'people', 'people'],
      ['Ox', 'oxen', 'Oxen'],
      ['', 'things', 'things'],
    ] as const
    for (const [kind, resource, plural] of plurals) assert.equal(pluralOf({ kind, resource }), plural)
  })

  it('words about a state have a tone in columns of a state only', () => {
    const tones = [
      ['Status', 'Running', 'good'],
      ['Status', 'Pending', 'waits'],
      ['Status', 'CrashLoopBackOff', 'bad'],
      ['Status', 'Init:0/1', 'waits'],
      ['Status', 'Ready', 'good'],
      ['Status', 'NotReady', 'bad'],
      ['Status', 'Ready,SchedulingDisabled', 'waits'],
      ['Available', 'False', 'bad'],
      ['Ready', '1/2', 'waits'],
      ['Ready', '2/2', undefined],
      ['Ready', '', undefined],
      ['Status', null, undefined],
      ['Reason', 'Failed', undefined],
      ['Status', 'Whatever', undefined],
    ] as const
    for (const [column, cell, tone] of tones) assert.equal(toneOf(column, cell), tone, `${column} ${cell}`)
  })

  it('as many rows are marked as a dialog can show, and all are unmarked together', () => {
    const uids = Array.from({ length: markedMax + 10 }, (_, at) => `u${at}`)
    toggleAll(uids)
    assert.equal(marked.value.size, markedMax)
    toggleMark('another')
    assert.equal(marked.value.has('another'), false)
    toggleMark('u0')
    toggleMark('another')
    assert.deepEqual([marked.value.has('u0'), marked.value.has('another'), marked.value.size], [false, true, markedMax])
    toggleAll(uids)
    assert.equal(marked.value.has('another'), false)
    toggleAll(uids)
    assert.equal(marked.value.size, 0)
    clearMarks()
  })
})
