import type { Plugin, Refusal } from '../contract.ts'
import { claimsOf } from '../volumes.ts'

const refusal: Refusal = { reason: 'node(s) had no available volume zone', isFinal: true }
const labels = [
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]
/** Separates several zones in the label of a volume. */
const separator = '__'

/** Volumes whose labels name their zones. */
export const volumeZone: Plugin = {
  name: 'VolumeZone',
  points: ['preFilter', 'filter'],
  filter: () => ({
    name: 'VolumeZone',
    prepare({ pod }, { volumes }) {
      const claims = claimsOf(pod, volumes)
      if (claims === undefined || typeof claims === 'string') return undefined
      const wanted = claims.bound.flatMap(({ volume }) =>
        labels.flatMap((label) => {
          const value = volume.metadata.labels?.[label]
          return value === undefined ? [] : [{ label, values: new Set(value.split(separator)) }]
        }),
      )
      if (wanted.length === 0) return undefined
      return ({ node }) => {
        const own = node.metadata.labels ?? {}
        // Clusters of one zone have no labels.
        if (labels.every((label) => own[label] === undefined)) return undefined
        return wanted.every(({ label, values }) => values.has(own[label] ?? '')) ? undefined : refusal
      }
    },
  }),
}
