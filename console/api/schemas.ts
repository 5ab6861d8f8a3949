import type { KindSchema, Schema } from '../../lib/console/tryout/openapischema.ts'
import type { Kind } from './kinds.ts'
import { readLimited } from './lines.ts'
import { isRecord, readJson, request } from './session.ts'

/** Characters of a group's document. */
const charactersMax = 32 * 1024 * 1024
/** Documents that are kept. */
const documentsMax = 8

type Schemas = Readonly<Record<string, Schema>>

/** By address, which changes with the contents. */
const known = new Map<string, Promise<Schemas>>()

/** The schema of a kind, from the OpenAPI v3 document of its group. Undefined where that has none. Throws ApiError. */
export async function readSchema({ group, version, kind }: Kind): Promise<KindSchema | undefined> {
  const path = group === '' ? `api/${version}` : `apis/${group}/${version}`
  const { paths } = await readJson('/openapi/v3')
  const entry = isRecord(paths) ? paths[path] : undefined
  const address = isRecord(entry) ? String(entry['serverRelativeURL'] ?? '') : ''
  if (!address.startsWith('/openapi/v3/')) return undefined
  let reading = known.get(address)
  if (!reading) {
    if (known.size >= documentsMax) known.clear()
    reading = readSchemas(address)
    known.set(address, reading)
    reading.catch(() => known.delete(address))
  }
  const named = await reading
  const root = Object.values(named).find((schema) => describes(schema, group, version, kind))
  return root && { root, named }
}

async function readSchemas(address: string): Promise<Schemas> {
  const document: unknown = JSON.parse(await readLimited(await request(address), charactersMax))
  const components = isRecord(document) ? document['components'] : undefined
  const schemas = isRecord(components) ? components['schemas'] : undefined
  return isRecord(schemas) ? (schemas as Schemas) : {}
}

function describes(schema: unknown, group: string, version: string, kind: string): boolean {
  const kinds = isRecord(schema) ? schema['x-kubernetes-group-version-kind'] : undefined
  return (
    Array.isArray(kinds) &&
    kinds.some(
      (each) => isRecord(each) && each['group'] === group && each['version'] === version && each['kind'] === kind,
    )
  )
}
