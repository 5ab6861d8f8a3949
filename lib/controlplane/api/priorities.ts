import type { GroupPriorities } from '../../aggregation/index.ts'

const ga = { v1: 15, v1beta2: 12, v1beta1: 9, v1alpha3: 2, v1alpha1: 1 }

/** The priorities of APIServices of built-in groups, by which clients find the preferred version of each kind. */
export const groupPriorities: ReadonlyMap<string, GroupPriorities> = new Map<string, GroupPriorities>([
  ['', { group: 18_000, versions: { v1: 1 } }],
  // The aggregator's own group is before all others, whatever its APIService says.
  ['apiregistration.k8s.io', { group: 18_000, versions: { v1: 18 } }],
  ['apps', { group: 17_800, versions: ga }],
  ['events.k8s.io', { group: 17_750, versions: { v1: 15, v1beta1: 5 } }],
  ['authentication.k8s.io', { group: 17_700, versions: ga }],
  ['authorization.k8s.io', { group: 17_600, versions: ga }],
  ['autoscaling', { group: 17_500, versions: { v2: 30, v1: 15, v2beta1: 9, v2beta2: 1 } }],
  ['batch', { group: 17_400, versions: ga }],
  ['certificates.k8s.io', { group: 17_300, versions: ga }],
  ['networking.k8s.io', { group: 17_200, versions: ga }],
  ['policy', { group: 17_100, versions: ga }],
  ['rbac.authorization.k8s.io', { group: 17_000, versions: ga }],
  ['storage.k8s.io', { group: 16_800, versions: ga }],
  ['admissionregistration.k8s.io', { group: 16_700, versions: { v1: 15, v1beta1: 12, v1alpha1: 9 } }],
  ['apiextensions.k8s.io', { group: 16_700, versions: { v1: 15 } }],
  ['scheduling.k8s.io', { group: 16_600, versions: ga }],
  ['coordination.k8s.io', { group: 16_500, versions: { v1: 15, v1beta1: 13, v1alpha2: 12 } }],
  ['node.k8s.io', { group: 16_300, versions: ga }],
  ['discovery.k8s.io', { group: 16_200, versions: ga }],
  ['flowcontrol.apiserver.k8s.io', { group: 16_100, versions: { v1: 21, v1beta3: 18 } }],
  ['internal.apiserver.k8s.io', { group: 16_000, versions: { v1alpha1: 9 } }],
  ['resource.k8s.io', { group: 15_900, versions: ga }],
  ['storagemigration.k8s.io', { group: 15_800, versions: ga }],
])
