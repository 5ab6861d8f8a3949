import type * as storage from '../../../../api/gen/storage.k8s.io/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkNonNegative, checkPresent } from '../../check.ts'
import { checkDriverName } from '../../core/podspec/volumesources.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, countColumn, nameColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'

const path = FieldPath.root('spec').child('drivers')
const nodeIdBytesMax = 256
const driversOf = (object: ApiObject): readonly storage.CSINodeDriver[] =>
  (object['spec'] as storage.CSINodeSpec).drivers ?? []

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const names = new Set<string>()
  driversOf(object).forEach((driver, index) => {
    const at = path.index(index)
    checkDriverName(errors, driver.name, at.child('name'))
    const id = at.child('nodeID')
    if (checkPresent(errors, driver.nodeID, id) && Buffer.byteLength(driver.nodeID) > nodeIdBytesMax)
      errors.push(fieldErrors.invalid(id, driver.nodeID, `must be ${nodeIdBytesMax} characters or less`))
    checkNonNegative(errors, driver.allocatable?.count, at.child('allocatable').child('count'))
    checkTopologyKeys(errors, driver.topologyKeys, at)
    if (names.has(driver.name)) errors.push(fieldErrors.duplicate(at.child('name'), driver.name))
    names.add(driver.name)
  })
  return errors
}

/** Reported at the driver, as clients know it. */
function checkTopologyKeys(errors: FieldError[], keys: readonly string[] | undefined, at: FieldPath): void {
  const seen = new Set<string>()
  for (const key of keys ?? []) {
    if (seen.has(key)) errors.push(fieldErrors.duplicate(at, key))
    seen.add(key)
    if (key === '') errors.push(fieldErrors.required(at))
    for (const finding of validateQualifiedName(key)) errors.push(fieldErrors.invalid(at, key, finding))
  }
}

/** An existing driver can't change; it can only be removed. */
function validateUpdate(object: ApiObject, old: ApiObject, context: { gate(name: string): boolean }): FieldError[] {
  const errors: FieldError[] = []
  const mutableCount = context.gate('MutableCSINodeAllocatableCount')
  const compared = ({ allocatable, ...rest }: storage.CSINodeDriver): unknown =>
    mutableCount ? rest : { ...rest, allocatable }
  const drivers = Map.groupBy(driversOf(old), ({ name }) => name)
  for (const driver of driversOf(object)) {
    const before = drivers.get(driver.name)?.[0]
    if (!before || deepEqual(compared(driver), compared(before))) continue
    const { name, nodeID, topologyKeys = null, allocatable } = driver
    const shown = {
      Name: name,
      NodeID: nodeID,
      TopologyKeys: topologyKeys,
      Allocatable: allocatable ? { Count: allocatable.count } : null,
    }
    errors.push(fieldErrors.immutable(path, shown))
  }
  return errors
}

export const csiNode: KindDefinition = {
  group: 'storage.k8s.io',
  kind: 'CSINode',
  nameRule: nameRules.subdomain,
  strategy: specStrategy({ hasStatus: false, validate, validateUpdate }),
  columns: [
    nameColumn,
    countColumn('Drivers', 'Drivers on the node.', (object) => driversOf(object).length),
    ageColumn,
  ],
}
