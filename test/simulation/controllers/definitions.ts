import type { ControllerDefinition } from '../../../lib/controller/index.ts'
import { controllers } from '../../../lib/controllers/index.ts'
import type { Canary } from './canaries.ts'

/** The controllers that take part: those that act on what the user makes. */
const names = [
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'root-ca-certificate-publisher-controller',
  'namespace-controller',
  'garbage-collector-controller',
  'resourcequota-controller',
  'pod-garbage-collector-controller',
  'ttl-after-finished-controller',
  'node-lifecycle-controller',
  'taint-eviction-controller',
  'deployment-controller',
  'replicaset-controller',
  'replicationcontroller-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'cronjob-controller',
  'disruption-controller',
  'horizontal-pod-autoscaler-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'persistentvolume-binder-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
]

/** Those controllers, one of them as the canary changes it. */
export function definitionsFor(canary: Canary | undefined): ControllerDefinition[] {
  return controllers
    .filter(({ name }) => names.includes(name))
    .map((each) => (each.account === canary?.account ? (canary.change?.(each) ?? each) : each))
}
