import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import { type ApiObject, copyObject, formatGroupVersion, parseGroupVersion } from '../../../lib/object/index.ts'
import type { ResourceDefinition } from '../../../lib/scheme/index.ts'
import { scheme } from '../../support/kindrun.ts'
import { objectsOf } from '../codec/generate.ts'

const kinds = createKindSet(builtInKinds)
const runsEach = 60
const seed = 20250501

/** Fields that another version of their kind has no place for, each with its reason. */
const without: Readonly<Record<string, readonly string[]>> = {
  // Of releases before 1.35, and gone with them.
  DeviceTaintRule: ['deviceClassName', 'selectors'],
}

/** Kinds whose conversions lose nothing, whatever is in the object. */
const converted = new Set(['StorageVersionMigration'])

/** Versions of resources whose objects are worked on in another version. */
const pairs = scheme.resources.flatMap((definition) => {
  const hub = scheme.resources.find(
    ({ gvr, gvk }) =>
      gvk.kind === definition.gvk.kind && gvr.group === groupOf(definition) && gvr.version === definition.hubVersion,
  )
  return hub && hub !== definition ? [{ definition, hub }] : []
})

/** Through the text of the other version, as if a client of that version had read and written it. */
function throughVersion(object: ApiObject, { gvk }: ResourceDefinition): ApiObject {
  const there = scheme.objects.convert(copyObject(object), gvk)
  const text = scheme.objects.encodeObject(there, { mediaType: 'application/json' })
  const options = { mediaType: 'application/json', expected: gvk, fieldValidation: 'Strict', defaults: false } as const
  return scheme.objects.convert(
    scheme.objects.decodeObject(text, options).object,
    parseGroupVersion(object.apiVersion)!,
  )
}

function decoded(value: object, { gvk }: ResourceDefinition, defaults: boolean): ApiObject {
  const given = { ...value, kind: gvk.kind, apiVersion: formatGroupVersion(gvk) }
  const body = Buffer.from(JSON.stringify(given))
  return scheme.objects.decodeObject(body, { mediaType: 'application/json', expected: gvk, defaults }).object
}

function text(object: ApiObject): unknown {
  return JSON.parse(Buffer.from(scheme.objects.encodeObject(object, { mediaType: 'application/json' })).toString())
}

function strip(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item, names))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !names.includes(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, strip(inner, names)]))
}

function groupOf({ gvr, table }: ResourceDefinition): string {
  return table.storageGroup ?? gvr.group
}

/** Version 1 of the autoscaler keeps the CPU apart: among the metrics of version 2 its place is the last. */
function ordered(object: unknown): unknown {
  const { spec } = object as { spec?: { metrics?: unknown[] } }
  spec?.metrics?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return object
}

async function validObjects(): Promise<ApiObject[]> {
  const folder = join(import.meta.dirname, '../../support/valid')
  const objects: ApiObject[] = []
  for (const file of readdirSync(folder))
    objects.push(...Object.values((await import(join(folder, file))) as Record<string, ApiObject>))
  return objects
}

describe('versions of a kind', () => {
  it('are known', () => assert.ok(pairs.length > 15, `only ${pairs.length}`))

  for (const { definition, hub } of pairs) {
    const [own, other] = [formatGroupVersion(definition.gvk), formatGroupVersion(hub.gvk)]
    const { kind } = definition.gvk
    const names = without[kind] ?? []
    const convert = kinds.get(hub.gvk.group, kind)?.convert
    const isSame = !convert?.[definition.gvr.version] && !convert?.[own]

    if (isSame || names.length > 0 || converted.has(kind))
      it(`${kind}: every value of ${own} survives ${other}, and the other way round`, () => {
        const check = (from: ResourceDefinition, to: ResourceDefinition): void =>
          fc.assert(
            fc.property(objectsOf(from.struct, 4), (generated) => {
              const object = decoded(strip(generated, names) as object, from, false)
              assert.deepEqual(text(throughVersion(object, to)), text(object))
            }),
            { numRuns: runsEach, seed },
          )
        check(definition, hub)
        check(hub, definition)
      })

    it(`${kind}: valid objects survive ${own} and ${other} unchanged`, async () => {
      let seen = 0
      for (const valid of await validObjects()) {
        const given = scheme.resourceOfKind({ ...parseGroupVersion(valid.apiVersion)!, kind: valid.kind })
        if (valid.kind !== kind || given === undefined || groupOf(given) !== groupOf(hub)) continue
        seen++
        for (const [from, to] of [
          [definition, hub],
          [hub, definition],
        ] as const)
          for (const defaults of [false, true]) {
            const object = scheme.objects.convert(decoded(valid, given, defaults), from.gvr)
            assert.deepEqual(ordered(text(throughVersion(object, to))), ordered(text(object)))
          }
      }
      assert.ok(seen > 0, 'there is no valid object')
    })
  }
})
