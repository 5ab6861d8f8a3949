import assert from 'node:assert/strict'
import { type Plan, plan } from '../../../lib/controllers/pvexpander/plan.ts'

describe('a claim that grows', () => {
  const wait = 'waiting for an external controller to expand this PVC'
  const migration = 'CSI migration enabled for kubernetes.io/gce-pd; waiting for external resizer to expand the pvc'
  const resizer = 'pd.csi.storage.gke.io'
  const named = { 'volume.kubernetes.io/storage-resizer': resizer }
  const cases: [title: string, claim: Claim, source: object | undefined, expected: Plan | undefined][] = [
    ['waits for its driver', {}, { csi: {} }, { type: 'Normal', message: wait }],
    ['whose volume nothing can expand is warned of', {}, { nfs: {} }, { type: 'Warning', message: wait }],
    ['is handed to the new driver', {}, { gcePersistentDisk: {} }, { type: 'Normal', message: migration, resizer }],
    [
      'is so once',
      { annotations: named },
      { gcePersistentDisk: {} },
      { type: 'Normal', message: migration, resizer: undefined },
    ],
    ['may have grown already', { capacity: '2048Mi' }, { csi: {} }, undefined],
    ['may have become more than was asked for', { capacity: '3Gi' }, { csi: {} }, undefined],
    ['must be bound', { phase: 'Pending' }, { csi: {} }, undefined],
    ['must have its volume', {}, undefined, undefined],
    ["must not be another one's", { uid: 'other' }, { csi: {} }, undefined],
  ]
  for (const [title, claim, source, expected] of cases)
    it(title, () => {
      const volume = source && { metadata: { name: 'v' }, spec: { claimRef: { uid: 'p' }, ...source }, status: {} }
      assert.deepEqual(plan(claimOf(claim), volume as never), expected)
    })

  interface Claim {
    annotations?: Record<string, string>
    capacity?: string
    phase?: string
    uid?: string
  }

  function claimOf({ annotations = {}, capacity = '1Gi', phase = 'Bound', uid = 'p' }: Claim): never {
    const spec = { volumeName: 'v', resources: { requests: { storage: '2Gi' } } }
    return { metadata: { uid, annotations }, spec, status: { phase, capacity: { storage: capacity } } } as never
  }
})
