import type { Pod } from '../../../api/gen/core/v1.ts'
import type { Index } from '../../controller/index.ts'

/** Scheduled pods by their node. */
export const podsByNode: Index<Pod> = {
  values: ({ spec }) => (spec.nodeName === undefined || spec.nodeName === '' ? [] : [spec.nodeName]),
}
