import type * as core from '../../../api/gen/core/v1.ts'
import { quote, semanticEqual } from '../../object/index.ts'
import type { NodeWrite } from './write.ts'

/** A node may report a volume's new size, nothing else. */
export function checkClaimStatus({ node, attributes, refuse }: NodeWrite): void {
  const { operation, object, oldObject } = attributes
  if (operation !== 'UPDATE') throw refuse(`unexpected operation ${quote(operation)}`)
  const [next, old] = [object, oldObject] as [core.PersistentVolumeClaim, core.PersistentVolumeClaim]
  if (semanticEqual(restOf(next), restOf(old))) return
  throw refuse(`node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`)
}

function restOf({ metadata, spec, status }: core.PersistentVolumeClaim): object {
  const { resourceVersion: _version, managedFields: _fields, ...identity } = metadata
  const { capacity: _capacity, conditions: _conditions, ...others } = status ?? {}
  const { allocatedResources: _allocated, allocatedResourceStatuses: _statuses, ...rest } = others
  return { metadata: identity, spec, status: rest }
}
