import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: 'vv7-x' },
  spec: {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 5,
      lendablePercent: 10,
      borrowingLimitPercent: 10,
      limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 10 } },
    },
  },
}
