import { createShapes } from '../typed/shape.ts'
import { applyConfiguration } from './apply.ts'
import { createNewFields } from './newfields.ts'
import type { ApplyRequest, ApplyResult, Engine, UpdateRequest } from './request.ts'
import { updateOwners } from './update.ts'

/** The engine of managed fields. Keeps what it has compiled of types, and some field sets of late. */
interface FieldManager {
  /**
   * Records the manager of each field that is changed by a create, update or patch: sets
   * `object.metadata.managedFields`. A field goes to the manager that changes its value, and is taken from all others;
   * entries that nothing happens to are the very ones of `live` (or of the object, where it names some). Never fails:
   * values that do not fit their type keep their owners.
   */
  updateObject(request: UpdateRequest): void
  /**
   * Merges a configuration into `live`, records its owners and removes the fields that the manager has given up and no
   * other manager owns. Throws StatusError: 409 with all conflicts, unless forced; 400 for another kind or version and
   * for configurations with managedFields; 500 (`failed to create typed patch object …`) for a configuration that does
   * not fit the type.
   */
  applyObject(request: ApplyRequest): ApplyResult
}

export function createEngine(): Engine {
  return { shapeOf: createShapes(), newFields: createNewFields() }
}

export function createFieldManager(): FieldManager {
  const engine = createEngine()
  return {
    updateObject: (request) => updateOwners(request, engine),
    applyObject: (request) => applyConfiguration(request, engine),
  }
}
