import type { KindDefinition } from './definition.ts'

/** Kinds by group and name. */
export interface KindSet {
  get(group: string, kind: string): KindDefinition | undefined
  readonly all: readonly KindDefinition[]
}

export function createKindSet(definitions: readonly KindDefinition[]): KindSet {
  const byName = new Map(definitions.map((definition) => [`${definition.kind}.${definition.group}`, definition]))
  return { all: definitions, get: (group, kind) => byName.get(`${kind}.${group}`) }
}
