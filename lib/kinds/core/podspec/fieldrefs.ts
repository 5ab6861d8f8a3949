import type * as core from '../../../../api/gen/core/v1.ts'
import {
  canonicalQuantity,
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkPresent } from '../../check.ts'

/** Checks a reference to a pod's field. `supported`: allowed paths without a subscript, in the order of messages. */
export function checkFieldRef(
  errors: FieldError[],
  reference: core.ObjectFieldSelector,
  supported: readonly string[],
  path: FieldPath,
): void {
  const fieldPath = path.child('fieldPath')
  if (!checkPresent(errors, reference.apiVersion, path.child('apiVersion'))) return
  if (!checkPresent(errors, reference.fieldPath, fieldPath)) return
  if (reference.apiVersion !== 'v1') {
    const why = `error converting fieldPath: unsupported pod version: ${reference.apiVersion}`
    errors.push(fieldErrors.invalid(fieldPath, reference.fieldPath, why))
    return
  }
  const subscripted = /^(.*)\['(.*)'\]$/.exec(reference.fieldPath)
  if (!subscripted) {
    const converted = fieldAliases[reference.fieldPath] ?? reference.fieldPath
    if (!podFields.has(converted)) {
      const why = `error converting fieldPath: field label not supported: ${reference.fieldPath}`
      errors.push(fieldErrors.invalid(fieldPath, reference.fieldPath, why))
    } else if (!supported.includes(converted))
      errors.push(fieldErrors.notSupported(fieldPath, reference.fieldPath, [...supported].sort()))
    return
  }
  const [, base = '', key = ''] = subscripted
  if (base === 'metadata.annotations') {
    for (const finding of validateQualifiedName(key.toLowerCase())) errors.push(fieldErrors.invalid(path, key, finding))
  } else if (base === 'metadata.labels') {
    for (const finding of validateQualifiedName(key)) errors.push(fieldErrors.invalid(path, key, finding))
  } else errors.push(fieldErrors.invalid(path, base, 'does not support subscript'))
}

/** Older names that are still accepted. */
const fieldAliases: Readonly<Record<string, string>> = { 'spec.host': 'spec.nodeName' }

const podFields = new Set([
  'metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName',
  'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'spec.hostNetwork', 'status.phase',
  'status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs', 'status.nominatedNodeName',
]) // biome-ignore format: a list of names

export const environmentFields = [
  'metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName', 'status.hostIP',
  'status.hostIPs', 'status.podIP', 'status.podIPs',
] // biome-ignore format: a list of names

const containerResources = [
  'limits.cpu', 'limits.ephemeral-storage', 'limits.memory', 'requests.cpu', 'requests.ephemeral-storage', 'requests.memory',
] // biome-ignore format: a list of names

const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

/** Checks a reference to a container's resource. `volume`: in a file of a volume, which must name the container. */
export function checkResourceFieldRef(
  errors: FieldError[],
  reference: core.ResourceFieldSelector,
  path: FieldPath,
  volume: boolean,
): void {
  if (volume && !checkPresent(errors, reference.containerName, path.child('containerName'))) return
  const resource = path.child('resource')
  if (!checkPresent(errors, reference.resource, resource)) return
  const isHugePages = /^(limits|requests)\.hugepages-/.test(reference.resource)
  if (!isHugePages && !containerResources.includes(reference.resource)) {
    errors.push(fieldErrors.notSupported(resource, reference.resource, containerResources))
    return
  }
  checkDivisor(errors, reference.resource, reference.divisor, path)
}

function checkDivisor(errors: FieldError[], resource: string, divisor: string | undefined, path: FieldPath): void {
  if (divisor === undefined || canonicalQuantity(divisor) === '0') return
  const kind = resource.slice(resource.indexOf('.') + 1)
  const supported = kind === 'cpu' ? ['1m', '1'] : byteDivisors
  if (supported.includes(canonicalQuantity(divisor))) return
  const what =
    kind === 'ephemeral-storage' ? 'local ephemeral storage' : kind.startsWith('hugepages-') ? 'hugepages' : kind
  const list = kind === 'cpu' ? '1m and 1' : byteDivisors.join(', ')
  errors.push(
    fieldErrors.invalid(
      path.child('divisor'),
      divisor,
      `only divisor's values ${list} are supported with the ${what} resource`,
    ),
  )
}
