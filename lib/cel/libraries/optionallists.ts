import { globalForm, type Library, memberForm } from '../check/function.ts'
import { types } from '../check/types.ts'
import { costs, sizeOf, unseen } from '../run/cost.ts'
import { noSuchOverload } from '../run/errors.ts'
import { ArrayList, type ListValue, Optional, type Value } from '../run/values.ts'

const T = types.param('T')
const optional = types.optional(T)
const list = types.list(T)
const optionals = types.list(optional)
const visiting = { cost: (values: Value) => costs.call + unseen(sizeOf(values)) }

/** Version 2 of the optional types: first, last, optional.unwrap, unwrapOpt. */
export function optionalListsLibrary(): Library {
  return {
    name: 'optional lists',
    functions: [
      { name: 'first', overloads: [memberForm('list_first', [list], optional, (of: ListValue) => itemOf(of, 0))] },
      {
        name: 'last',
        overloads: [memberForm('list_last', [list], optional, (of: ListValue) => itemOf(of, of.size - 1))],
      },
      { name: 'optional.unwrap', overloads: [globalForm('optional_unwrap', [optionals], list, unwrap, visiting)] },
      { name: 'unwrapOpt', overloads: [memberForm('optional_unwrapOpt', [optionals], list, unwrap, visiting)] },
    ],
  }
}

function itemOf(values: ListValue, index: number): Value {
  return new Optional(values.size === 0 ? undefined : values.at(index))
}

function unwrap(values: ListValue): Value {
  const items: Value[] = []
  for (const each of values) {
    if (!(each instanceof Optional)) return noSuchOverload()
    if (each.value !== undefined) items.push(each.value)
  }
  return new ArrayList(items)
}
