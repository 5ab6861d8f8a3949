import type { Taint } from '../../../api/gen/core/v1.ts'
import { tolerates } from '../../kinds/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { Plugin, Refusal } from '../contract.ts'

const unschedulableTaint: Frozen<Taint> = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }
const refusal: Refusal = { reason: 'node(s) were unschedulable', isFinal: true }

/** Nodes that `kubectl cordon` has closed. */
export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  points: ['filter'],
  filter: () => ({
    name: 'NodeUnschedulable',
    prepare({ pod }) {
      if (tolerates(pod.spec.tolerations ?? [], unschedulableTaint)) return undefined
      return ({ node }) => (node.spec.unschedulable === true ? refusal : undefined)
    },
  }),
}
