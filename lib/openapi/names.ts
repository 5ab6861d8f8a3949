import type { GroupVersion } from '../object/index.ts'

/** `k8s.io.api.core.v1` and `Pod` → `io.k8s.api.core.v1.Pod`: a definition's name for clients. */
export function definitionName(protoPackage: string, type: string): string {
  const parts = protoPackage.replaceAll('_', '-').split('.')
  // The package starts with a domain in reading order (`k8s.io`): definitions start with it reversed.
  return [parts[1], parts[0], ...parts.slice(2), type].join('.')
}

/** Definitions of the scalars that have their own. */
export const scalarDefinitions = {
  Time: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  MicroTime: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  Duration: 'io.k8s.apimachinery.pkg.apis.meta.v1.Duration',
  Quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  IntOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  RawExtension: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  FieldsV1: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  JSON: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
} as const

/** `CoreV1`, `AppsV1`, `RbacAuthorizationV1`: the middle of operation ids. */
export function operationScope({ group, version }: GroupVersion): string {
  return groupTitle(group) + title(version)
}

/** `core_v1`, `rbacAuthorization_v1`: tags of operations. */
export function operationTag({ group, version }: GroupVersion): string {
  const name = groupTitle(group)
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}_${version}`
}

function groupTitle(group: string): string {
  if (group === '') return 'Core'
  return group
    .replace(/\.k8s\.io$/, '')
    .split('.')
    .map(title)
    .join('')
}

function title(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
