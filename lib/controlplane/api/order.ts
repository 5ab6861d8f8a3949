import type { GroupDefinition } from '../../scheme/index.ts'

/** Groups in the order of discovery, each with its versions in the order of preference. */
export const groupOrder: readonly GroupDefinition[] = [
  { group: '', versions: ['v1'] },
  { group: 'apiregistration.k8s.io', versions: ['v1'] },
  { group: 'apps', versions: ['v1'] },
  { group: 'events.k8s.io', versions: ['v1'] },
  { group: 'authentication.k8s.io', versions: ['v1', 'v1beta1', 'v1alpha1'] },
  { group: 'authorization.k8s.io', versions: ['v1'] },
  { group: 'autoscaling', versions: ['v2', 'v1'] },
  { group: 'batch', versions: ['v1'] },
  { group: 'certificates.k8s.io', versions: ['v1', 'v1beta1', 'v1alpha1'] },
  { group: 'networking.k8s.io', versions: ['v1', 'v1beta1'] },
  { group: 'policy', versions: ['v1'] },
  { group: 'rbac.authorization.k8s.io', versions: ['v1'] },
  { group: 'storage.k8s.io', versions: ['v1', 'v1beta1', 'v1alpha1'] },
  { group: 'admissionregistration.k8s.io', versions: ['v1', 'v1beta1', 'v1alpha1'] },
  { group: 'apiextensions.k8s.io', versions: ['v1'] },
  { group: 'scheduling.k8s.io', versions: ['v1'] },
  { group: 'coordination.k8s.io', versions: ['v1', 'v1beta1', 'v1alpha2'] },
  { group: 'node.k8s.io', versions: ['v1'] },
  { group: 'discovery.k8s.io', versions: ['v1'] },
  { group: 'resource.k8s.io', versions: ['v1', 'v1beta2', 'v1beta1', 'v1alpha3'] },
  { group: 'flowcontrol.apiserver.k8s.io', versions: ['v1'] },
  { group: 'internal.apiserver.k8s.io', versions: ['v1alpha1'] },
  { group: 'storagemigration.k8s.io', versions: ['v1beta1', 'v1alpha1'] },
]
