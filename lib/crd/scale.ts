import type * as v1 from '../../api/gen/apiextensions.k8s.io/v1.ts'
import { isRecord } from '../base/index.ts'
import type { ScaleAccess } from '../kinds/index.ts'
import { type ApiObject, type FieldError, fieldErrors, jsonText } from '../object/index.ts'

const int32Max = 2 ** 31 - 1

/** Reads and writes the scale of a version's objects, by the paths of its definition. */
export function scaleAccessOf(scale: v1.CustomResourceSubresourceScale): ScaleAccess {
  const specPath = namesOf(scale.specReplicasPath)
  const statusPath = namesOf(scale.statusReplicasPath)
  const selectorPath = scale.labelSelectorPath ? namesOf(scale.labelSelectorPath) : []
  return {
    replicas(object) {
      const value = at(object, specPath)
      return typeof value === 'number' ? value : undefined
    },
    replicasPath: scale.specReplicasPath,
    actualReplicas: (object) => numberAt(object, statusPath),
    selector(object) {
      const value = selectorPath.length > 0 ? at(object, selectorPath) : ''
      return typeof value === 'string' ? value : ''
    },
    withReplicas: (object, replicas) => withValue(object, specPath, replicas) as ApiObject,
  }
}

/** Checks that the numbers at the scale's paths are counts. `status`: checks the status alone. */
export function validateScale(
  scale: v1.CustomResourceSubresourceScale,
  object: ApiObject,
  { status = false } = {},
): FieldError[] {
  const paths = status ? [scale.statusReplicasPath] : [scale.specReplicasPath, scale.statusReplicasPath]
  return paths.flatMap((path) => {
    const names = namesOf(path)
    const unreadable = accessorError(object, names)
    // The stock server shows 0 for an unreadable count.
    if (unreadable !== undefined) return [fieldErrors.invalid(path, 0, unreadable)]
    const value = at(object, names)
    if (value === undefined) return []
    const count = Number(value)
    if (count < 0) return [fieldErrors.invalid(path, value, 'should be a non-negative integer')]
    return count > int32Max ? [fieldErrors.invalid(path, value, `should be less than or equal to ${int32Max}`)] : []
  })
}

/** Why the path has no readable count: a value on the way is no object, or the last one is no integer. */
function accessorError(object: unknown, names: readonly string[]): string | undefined {
  const differs = (depth: number, value: unknown, wanted: string): string =>
    `.${names.slice(0, depth).join('.')} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${wanted}`
  let value = object
  for (const [index, name] of names.entries()) {
    if (value === undefined || value === null) return undefined
    if (!isRecord(value)) return differs(index + 1, value, 'map[string]interface{}')
    value = Object.hasOwn(value, name) ? value[name] : undefined
  }
  const isCount = value === undefined || value === null || typeof value === 'bigint' || Number.isInteger(value)
  return isCount ? undefined : differs(names.length, value, 'int64')
}

/** Go's print of a scalar; a nested value is shown as JSON, whose length is limited by that of the request. */
function goText(value: unknown): string {
  return typeof value === 'object' ? jsonText(value) : String(value)
}

function goType(value: unknown): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'bigint') return 'int64'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** `.spec.replicas` → spec, replicas. */
function namesOf(path: string): readonly string[] {
  return path.split('.').filter((name) => name !== '')
}

function at(object: unknown, names: readonly string[]): unknown {
  let value = object
  for (const name of names) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value ?? undefined
}

function numberAt(object: unknown, names: readonly string[]): number {
  const value = at(object, names)
  return typeof value === 'number' ? value : 0
}

function withValue(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const fields = isRecord(object) ? object : {}
  return { ...fields, [name]: withValue(Object.hasOwn(fields, name) ? fields[name] : undefined, rest, value) }
}
