import { globalForm, type Library, type Overload } from '../check/function.ts'
import { exactly, scaled } from '../check/range.ts'
import { types } from '../check/types.ts'
import { costs, sizeOf, traversal } from '../run/cost.ts'
import type { Value } from '../run/values.ts'

/** jsonpatch.escapeKey: a key as a step of a JSON pointer. */
export function jsonPatchLibrary(): Library {
  const estimate: Overload['estimate'] = ([text]) => {
    const size = text?.size ?? exactly(1)
    return { cost: scaled(size, costs.traversal), resultSize: size }
  }
  const escapeKey = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1')
  return {
    name: 'jsonpatch',
    functions: [
      {
        name: 'jsonpatch.escapeKey',
        overloads: [
          globalForm('string_jsonpatch_escapeKey_string', [types.string], types.string, escapeKey, {
            cost: (text: Value) => traversal(sizeOf(text)),
            estimate,
          }),
        ],
      },
    ],
  }
}
