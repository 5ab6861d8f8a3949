import type * as v1 from '../../../api/gen/resource.k8s.io/v1.ts'
import {
  type CelType,
  compile,
  createEnvironment,
  deviceLibraries,
  type ObjectField,
  ObjectType,
  types,
} from '../../cel/index.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'
import { byRelease } from '../admissionregistration/expressions.ts'
import type { KindContext } from '../definition.ts'

const selectorsMax = 32
const expressionBytesMax = 10 * 1024

/** Checks expressions about one device. `known`: stored ones, which are not checked again. */
export function checkSelectors(
  errors: FieldError[],
  selectors: readonly v1.DeviceSelector[] | undefined,
  path: FieldPath,
  { settings }: Pick<KindContext, 'settings'>,
  known: ReadonlySet<string> = new Set(),
): void {
  if (!selectors) return
  if (selectors.length > selectorsMax) errors.push(fieldErrors.tooMany(path, selectors.length, selectorsMax))
  selectors.forEach(({ cel }, index) => {
    const at = path.index(index).child('cel')
    if (!cel) {
      errors.push(fieldErrors.required(at))
      return
    }
    const expression = at.child('expression')
    if (Buffer.byteLength(cel.expression) > expressionBytesMax) {
      errors.push(fieldErrors.tooLong(expression, expressionBytesMax))
      return
    }
    if (known.has(cel.expression)) return
    const result = compile(deviceEnvironment(settings?.newExpressionsMinor), cel.expression, {
      expectedType: types.bool,
    })
    if (!result.ok) errors.push(fieldErrors.invalid(expression, cel.expression, result.message))
  })
}

/**
 * Expressions about one device, with the libraries of a release (33 for 1.33); absent: all. Created for the first
 * selector: few clusters have any.
 */
export const deviceEnvironment = byRelease((minor) =>
  createEnvironment({ libraries: deviceLibraries(minor), variables: { device: deviceType() } }),
)

/** Attributes and capacity by domain, then by name. */
function deviceType(): CelType {
  const byDomain = types.map(types.string, types.map(types.string, types.dyn))
  const fields: Readonly<Record<string, CelType>> = {
    driver: types.string,
    attributes: byDomain,
    capacity: byDomain,
    allowMultipleAllocations: types.bool,
  }
  const known = new Map<string, ObjectField>(Object.entries(fields).map(([name, type]) => [name, { name, type }]))
  return new ObjectType('kubernetes.DRADevice', () => known)
}
