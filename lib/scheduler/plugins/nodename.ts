import type { Plugin, Refusal } from '../contract.ts'

const refusal: Refusal = { reason: "node(s) didn't match the requested node name", isFinal: true }

/** The node that the pod names itself. */
export const nodeName: Plugin = {
  name: 'NodeName',
  points: ['filter'],
  filter: () => ({
    name: 'NodeName',
    prepare({ pod }) {
      const { nodeName: wanted } = pod.spec
      return wanted ? ({ name }) => (name === wanted ? undefined : refusal) : undefined
    },
  }),
}
