import type { Obstacle, Step } from './state/drainplan.ts'

/** Sentences of draining a node, which are loaded with it. */
export const drainTexts = {
  title: (node: string) => `Drain ${node}`,
  hint: 'The node is cordoned, and its pods are evicted: they end, and their controllers make them again on other nodes. Where a PodDisruptionBudget refuses, it is tried again.',
  start: 'Drain',
  again: 'Drain again',
  stop: 'Stop',
  hide: 'Go on in the background',
  pods: 'Pods on the node',
  none: 'No pod is on the node.',
  consent: {
    unmanaged: 'Evict pods that no controller makes again',
    emptyDir: 'Evict pods that lose what they wrote to an emptyDir',
  },
  obstacles: {
    daemonSet: 'of a DaemonSet, stays',
    mirror: 'of the kubelet itself, stays',
    unmanaged: 'no controller makes it again',
    emptyDir: 'loses what it wrote to an emptyDir',
  } satisfies Record<Obstacle, string>,
  willGo: 'will be evicted',
  steps: {
    left: 'stays',
    waits: 'waits',
    ends: 'ends',
    gone: 'gone',
    refused: 'refused, tried again',
    failed: 'failed',
  } satisfies Record<Step['step'], string>,
  tries: (count: number) => `${count} ${count === 1 ? 'try' : 'tries'}`,
  phases: {
    runs: (gone: number, of: number) => `Draining: ${gone} of ${of} pods are gone.`,
    done: (gone: number, left: number) =>
      `Drained: ${gone} ${gone === 1 ? 'pod is' : 'pods are'} gone${left === 0 ? '.' : `, ${left} stayed.`}`,
    stopped: 'Stopped. The node stays cordoned; pods that were evicted already go.',
    failed: 'The drain has ended:',
  },
} as const
