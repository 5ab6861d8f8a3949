import type { ApiObject, FieldError } from '../../object/index.ts'
import { FieldPath } from '../../object/index.ts'
import { checkPresent, checkUnique } from '../check.ts'

const path = FieldPath.root('status').child('conditions')

/** The rules of conditions of both kinds of this group: each type once. */
export function validateConditions(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { conditions = [] } = (object['status'] ?? {}) as { conditions?: readonly { type?: string }[] }
  const seen = new Set<string>()
  conditions.forEach(({ type = '' }, index) => {
    const at = path.index(index).child('type')
    checkUnique(errors, seen, type, at)
    checkPresent(errors, type, at)
  })
  return errors
}
