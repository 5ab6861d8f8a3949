import assert from 'node:assert/strict'
import { isLeft, toDrainedPod } from '../../../console/state/drainplan.ts'

describe('console: the plan of a drain', () => {
  const pod = (controller: string | undefined, more: Record<string, unknown> = {}, annotations = {}) => ({
    metadata: {
      uid: 'u',
      namespace: 'ns',
      name: 'p',
      annotations,
      ownerReferences: [
        { kind: 'Other', name: 'o' },
        ...(controller === undefined ? [] : [{ kind: controller, name: 'c', controller: true }]),
      ],
    },
    ...more,
  })
  const scratch = {
    spec: {
      volumes: [
        { name: 'a', secret: {} },
        { name: 'b', emptyDir: {} },
      ],
    },
  }
  const cases = [
    ['of a ReplicaSet goes', pod('ReplicaSet'), undefined],
    ['of a DaemonSet stays', pod('DaemonSet', scratch), 'daemonSet'],
    ['of the kubelet itself stays', pod('Node', {}, { 'kubernetes.io/config.mirror': 'x' }), 'mirror'],
    ['without a controller needs a consent', pod(undefined, scratch), 'unmanaged'],
    ['with an emptyDir needs a consent', pod('ReplicaSet', scratch), 'emptyDir'],
    [
      'that has finished goes, whatever it was',
      pod(undefined, { ...scratch, status: { phase: 'Succeeded' } }),
      undefined,
    ],
  ] as const
  for (const [title, object, obstacle] of cases)
    it(`a pod ${title}`, () => {
      assert.equal(toDrainedPod(object).obstacle, obstacle)
    })

  it('a consent lets those pods go, and no others', () => {
    const left = cases.filter(([, object]) => isLeft(toDrainedPod(object), new Set(['emptyDir', 'unmanaged'])))
    assert.deepEqual(
      left.map(([, , obstacle]) => obstacle),
      ['daemonSet', 'mirror'],
    )
  })
})
