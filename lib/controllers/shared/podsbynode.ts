import type { Pod } from '../../../api/gen/core/v1.ts'
import type { Index } from '../../controller/index.ts'

/** Pods by the node that they are on; pods without one are not in it. */
export const podsByNode: Index<Pod> = {
  values: ({ spec }) => (spec.nodeName === undefined || spec.nodeName === '' ? [] : [spec.nodeName]),
}
