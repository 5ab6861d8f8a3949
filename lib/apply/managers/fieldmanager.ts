import { createShapes } from '../typed/shape.ts'
import { applyConfiguration } from './apply.ts'
import { createNewFields } from './newfields.ts'
import type { ApplyRequest, ApplyResult, Engine, UpdateRequest } from './request.ts'
import { updateOwners } from './update.ts'

/** The engine of managed fields. Keeps compiled shapes and recent field sets. */
interface FieldManager {
  /**
   * Records the manager of each field that is changed by a create, update or patch: sets
   * `object.metadata.managedFields`. A field belongs to the manager that changes its value, and is taken from all
   * others; unchanged entries are those of `live` (or of the object, where it has some), by reference. Never fails:
   * values that do not match their type keep their owners.
   */
  updateObject(request: UpdateRequest): void
  /**
   * Merges a configuration into `live`, records its owners and removes the fields that the manager has given up and no
   * other manager owns. Throws StatusError: 409 with all conflicts, unless forced; 400 for another kind or version and
   * for configurations with managedFields; 500 (`failed to create typed patch object …`) for a configuration that does
   * not match the type.
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
