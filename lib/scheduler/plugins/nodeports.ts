import type { Plugin, Refusal } from '../contract.ts'

const refusal: Refusal = { reason: "node(s) didn't have free ports for the requested pod ports", isFinal: false }

/** Ports of the host that pods take. */
export const nodePorts: Plugin = {
  name: 'NodePorts',
  points: ['preFilter', 'filter'],
  filter: () => ({
    name: 'NodePorts',
    prepare({ ports }) {
      return ports.length === 0 ? undefined : (node) => (node.conflictsWith(ports) ? refusal : undefined)
    },
  }),
}
