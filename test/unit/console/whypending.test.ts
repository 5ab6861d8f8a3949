import assert from 'node:assert/strict'
import { forwardCommand } from '../../../console/state/forwardcommand.ts'
import { quantity, readable } from '../../../console/state/quantity.ts'
import { whyIncomplete, whyPending } from '../../../console/state/whypending.ts'

const node = (taints: object[], labels: object = {}, allocatable: object = { cpu: '4', memory: '8Gi' }) => ({
  metadata: { name: 'n', labels },
  spec: { taints },
  status: { allocatable },
})
const noExecute = { key: 'gone', effect: 'NoExecute' }
const preferred = { key: 'later', effect: 'PreferNoSchedule' }

describe('why a pod of the console waits', () => {
  const none = { nodes: [node([])], claims: new Map() }
  const sentences = (pod: object, around: Parameters<typeof whyPending>[1] = none): string =>
    whyPending({ status: { phase: 'Pending' }, ...pod }, around).join('\n')

  it('one that runs or has ended waits for nothing', () => {
    assert.equal(sentences({ spec: { nodeName: 'n' }, status: { phase: 'Running' } }), '')
    assert.equal(sentences({ spec: {}, status: { phase: 'Succeeded' } }), '')
  })

  it('gates come before the scheduler; without its verdict it is asked for by name', () => {
    assert.match(sentences({ spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } }), /gates are removed: a, b\.$/)
    assert.match(sentences({ spec: { schedulerName: 'mine' } }), /one with the name mine running/)
    assert.match(sentences({ spec: {} }, { nodes: [], claims: new Map() }), /There is no node/)
  })

  for (const [what, tolerations, repelled] of [
    ['nothing', [], 1],
    ['the key and effect', [{ key: 'gone', operator: 'Exists', effect: 'NoExecute' }], 0],
    ['the key, for another effect', [{ key: 'gone', operator: 'Exists', effect: 'NoSchedule' }], 1],
    ['an equal value, which is empty', [{ key: 'gone' }], 0],
    ['another value', [{ key: 'gone', value: 'x' }], 1],
    ['everything', [{ operator: 'Exists' }], 0],
    ['every key by Equal, which is not valid', [{ operator: 'Equal' }], 1],
  ] as const)
    it(`a pod that tolerates ${what} is repelled by ${repelled} of 2 nodes`, () => {
      const nodes = [node([noExecute]), node([preferred])]
      const said = sentences({ spec: { tolerations } }, { nodes, claims: new Map() })
      assert.equal(
        said.includes('1 of 2 nodes repel it by a taint that it does not tolerate: gone:NoExecute.'),
        repelled === 1,
      )
      assert.doesNotMatch(said, /later/)
    })

  it('requests are compared with the largest node, whatever their units', () => {
    const asks = (cpu: string, memory: string) => ({
      spec: {
        containers: [{ resources: { requests: { cpu, memory } } }, { resources: { requests: { cpu: '1500m' } } }],
      },
    })
    assert.doesNotMatch(sentences(asks('2.5', '8Gi')), /asks for/)
    assert.match(sentences(asks('2501m', '8Gi')), /more cpu than any node has: 4\.001; the largest has 4\./)
    assert.match(sentences(asks('1', '9000M')), /more memory than any node has: 8\.4 Gi; the largest has 8 Gi\./)
  })

  it('containers say what keeps them, claims what they lack', () => {
    const waiting = { reason: 'ImagePullBackOff', message: 'no such image' }
    const status = { phase: 'Pending', containerStatuses: [{ name: 'web', state: { waiting } }] }
    const claims = new Map([
      ['a', undefined],
      ['b', { status: { phase: 'Bound' } }],
      ['c', { status: { phase: 'Lost' } }],
    ])
    assert.deepEqual(whyPending({ spec: { nodeName: 'n' }, status }, { nodes: [], claims }), [
      'Its volume needs the claim a, which does not exist.',
      'Its volume needs the claim c, which is Lost.',
      'The container web waits: ImagePullBackOff, no such image',
    ])
  })

  it('a workload gives the conditions that report a failure', () => {
    const conditions = [
      { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' },
      { type: 'Available', status: 'False', reason: 'Minimum', message: 'none' },
    ]
    assert.deepEqual(whyIncomplete({ status: { conditions } }), ['FailedCreate: exceeded quota'])
  })

  it('quantities are numbers, and readable again', () => {
    const read = ['100m', '1.5', '2e3', '1Ki', '3Gi', '5k', 'x', '', undefined].map(quantity)
    assert.deepEqual(read, [0.1, 1.5, 2000, 1024, 3 * 2 ** 30, 5000, Number.NaN, Number.NaN, Number.NaN])
    assert.deepEqual(
      [readable('cpu', 0.25), readable('memory', 1536 * 2 ** 20), readable('memory', 0)],
      ['0.25', '1.5 Gi', '0'],
    )
  })

  it('a privileged port is forwarded to one that needs no rights', () => {
    assert.equal(forwardCommand('shop', 'pod/web', 80), 'kubectl port-forward --namespace=shop pod/web 8080:80')
    assert.equal(
      forwardCommand('shop', 'service/db', 5432),
      'kubectl port-forward --namespace=shop service/db 5432:5432',
    )
  })
})
