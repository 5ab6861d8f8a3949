import type { FieldTable } from './table.ts'
import type { Field, Type } from './type.ts'

const none: readonly string[] = []

/** Compiles a field from its line in a table. */
export function compileField(
  name: string,
  table: FieldTable,
  { type, pointer }: { type: Type; pointer: boolean },
): Field {
  return {
    name,
    number: table.n ?? 0,
    type,
    pointer,
    omit: table.omit ?? 'empty',
    emptyDiffers: table.emptyDiffers ?? false,
    required: table.required ?? false,
    default: table.default,
    doc: table.doc ?? '',
    patchStrategy: table.patch ?? '',
    patchMergeKey: table.patchKey ?? '',
    alias: table.alias ?? '',
    enum: table.enum,
    itemEnum: table.itemEnum,
    format: table.format ?? '',
    itemFormat: table.itemFormat ?? '',
    minimum: table.minimum,
    maximum: table.maximum,
    maxItems: table.maxItems,
    maxLength: table.maxLength,
    maxBytes: table.maxBytes,
    gates: table.gate ?? none,
    rules: table.rules ?? none,
    deprecated: table.deprecated ?? false,
    ...(type.is === 'struct' && table.map ? { structSemantics: table.map } : {}),
  }
}
