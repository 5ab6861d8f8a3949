import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { quote } from '../../object/index.ts'
import { isKnownFormat } from '../schema/formats.ts'
import type { Definition } from './definition.ts'

type Schema = v1.JSONSchemaProps

/** Warnings about formats that restrict nothing; for an update, only about new ones. */
export function formatWarnings(definition: Definition, old?: Definition): string[] {
  const found = unknownFormats(definition)
  if (found.size === 0) return []
  const before = old ? unknownFormats(old) : new Set<string>()
  return Array.from(found)
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${quote(format)}`)
}

function unknownFormats({ spec }: Definition): Set<string> {
  const found = new Set<string>()
  const left: (Schema | undefined)[] = (spec.versions ?? []).map(({ schema }) => schema?.openAPIV3Schema).reverse()
  while (left.length > 0) {
    const schema = left.pop()
    if (!schema) continue
    const { format = '', type = '' } = schema
    if (format !== '' && !isKnownFormat(type, format)) found.add(format)
    for (const inner of innerSchemas(schema).reverse()) left.push(inner)
  }
  return found
}

function innerSchemas({ items, allOf, anyOf, oneOf, not, properties, additionalProperties }: Schema): Schema[] {
  return [
    ...[items ?? []].flat(),
    ...(allOf ?? []),
    ...(anyOf ?? []),
    ...(oneOf ?? []),
    ...(not ? [not] : []),
    ...Object.values(properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
}
