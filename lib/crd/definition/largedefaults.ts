import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { largeCharactersMin, largeValuesMin } from '../schema/defaults.ts'

/**
 * Whether the defaults of a schema, each filled in once, make any object a large one. Lists and maps are
 * skipped: only the object shows how many items they have.
 */
export function hasLargeDefaults(schema: v1.JSONSchemaProps | undefined): boolean {
  const room: Room = { characters: largeCharactersMin, values: largeValuesMin }
  if (schema) spendDefaults(schema, room)
  return isUsedUp(room)
}

/** The number of characters and values that defaults may have before they are large. */
interface Room {
  characters: number
  values: number
}

function isUsedUp({ characters, values }: Room): boolean {
  return characters <= 0 || values <= 0
}

function spendDefaults(schema: v1.JSONSchemaProps, room: Room): void {
  // The defaults below one are part of it, or fill in what it omits.
  if (schema.default !== undefined) spend(schema.default, room)
  for (const property of Object.values(schema.properties ?? {})) {
    if (isUsedUp(room)) return
    spendDefaults(property, room)
  }
}

function spend(value: unknown, room: Room): void {
  room.values--
  if (typeof value === 'string') room.characters -= value.length
  if (typeof value !== 'object' || value === null) return
  for (const key in value) {
    if (isUsedUp(room)) return
    room.characters -= key.length
    spend((value as Record<string, unknown>)[key], room)
  }
}
