import type { Field, MessageField, StructType, Type } from './type.ts'

/**
 * The struct with only the fields on the given paths: a decoder for it skips the rest of a message. Paths are JSON
 * names with dots; they pass through lists and maps (`spec.containers.env`), and the last field of a path is kept
 * whole. `leavesOutEmpty`: lists on a path have only the elements with a field of it.
 */
export function narrowedTo(struct: StructType, paths: readonly string[], leavesOutEmpty = false): StructType {
  const below = new Map<string, string[]>()
  for (const path of paths) {
    const dot = path.indexOf('.')
    const name = dot < 0 ? path : path.slice(0, dot)
    if (!struct.byName.has(name)) throw new Error(`${struct.name} has no field ${name}`)
    const rest = below.get(name) ?? []
    below.set(name, rest)
    rest.push(dot < 0 ? '' : path.slice(dot + 1))
  }
  return narrowed(struct, below, leavesOutEmpty)
}

/** `below`: the rest of the paths by the names of the remaining fields; '' keeps the whole field. */
function narrowed(
  struct: StructType,
  below: ReadonlyMap<string, readonly string[]>,
  isLeftOutEmpty: boolean,
): StructType {
  const narrow = (field: Field): Field => ({
    ...field,
    type: narrowedType(field.type, below.get(field.name) ?? [], isLeftOutEmpty),
  })
  const fields = struct.fields.filter(({ name }) => below.has(name)).map(narrow)
  const byName = new Map(fields.map((field) => [field.name, field]))
  const message = struct.message.flatMap((member): MessageField[] => {
    if (!member.field) return [{ number: member.number, inlined: narrowed(member.inlined, below, isLeftOutEmpty) }]
    const field = byName.get(member.field.name)
    return field ? [{ number: member.number, field }] : []
  })
  const { name, semantics, preserveUnknown, doc, rules, unions, wrapper } = struct
  const same = { is: 'struct', name, semantics, preserveUnknown, doc, rules, unions, wrapper } as const
  return { ...same, fields, byName, message, isLeftOutEmpty }
}

function narrowedType(type: Type, paths: readonly string[], leavesOutEmpty: boolean): Type {
  if (paths.includes('')) return type
  if (type.is === 'struct') return narrowedTo(type, paths, leavesOutEmpty)
  if (type.is === 'list' || type.is === 'map')
    return { ...type, element: narrowedType(type.element, paths, leavesOutEmpty) }
  throw new Error(`nothing is below ${type.is}: ${paths.join(', ')}`)
}
