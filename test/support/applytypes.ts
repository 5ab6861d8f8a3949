import { createFieldOwnership, type FieldOwnership } from '../../lib/apply/index.ts'
import { type ApiObject, copyObject, type GroupVersionKind } from '../../lib/object/index.ts'
import { compileTables, type GroupVersionTable, type StructType, type TypeTable } from '../../lib/schema/index.ts'

/** A kind with every type of list, map and struct. */
const thing: Readonly<Record<string, TypeTable>> = {
  Thing: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: '*ThingSpec' },
      status: { n: 3, type: '*ThingStatus' },
    },
  },
  ThingSpec: {
    fields: {
      text: { n: 1, type: '*string' },
      number: { n: 2, type: '*int64' },
      flag: { n: 3, type: '*bool' },
      setOfTexts: { n: 4, type: '[]string', list: 'set' },
      setOfNumbers: { n: 5, type: '[]int64', list: 'set' },
      atomicList: { n: 6, type: '[]string', list: 'atomic' },
      plainList: { n: 7, type: '[]Item' },
      items: { n: 8, type: '[]Item', list: 'map', keys: ['name'] },
      ports: { n: 9, type: '[]Port', list: 'map', keys: ['port', 'protocol'] },
      numbered: { n: 10, type: '[]Numbered', list: 'map', keys: ['id', 'on'] },
      granularMap: { n: 11, type: 'map[string]string' },
      atomicMap: { n: 12, type: 'map[string]string', map: 'atomic' },
      mapOfStructs: { n: 13, type: 'map[string]Inner' },
      mapOfLists: { n: 14, type: 'map[string][]string' },
      mapOfMaps: { n: 15, type: 'map[string]Labels' },
      granular: { n: 16, type: '*Inner' },
      atomic: { n: 17, type: '*AtomicInner' },
      tree: { n: 18, type: '*Tree' },
      anything: { n: 19, type: 'JSON', omit: 'zero' },
      size: { n: 20, type: '*Quantity' },
      target: { n: 21, type: '*IntOrString' },
      kept: { n: 22, type: '*Inner' },
    },
  },
  ThingStatus: {
    fields: {
      phase: { n: 1, type: '*string' },
      conditions: { n: 2, type: '[]Item', list: 'map', keys: ['name'] },
    },
  },
  Labels: { fields: { labels: { n: 1, type: 'map[string]string' } } },
  Item: {
    fields: {
      name: { n: 1, type: '*string' },
      value: { n: 2, type: '*string' },
      tags: { n: 3, type: '[]string', list: 'set' },
      inner: { n: 4, type: '*Inner' },
      items: { n: 5, type: '[]Item', list: 'map', keys: ['name'] },
    },
  },
  Port: {
    fields: {
      port: { n: 1, type: '*int32' },
      protocol: { n: 2, type: '*string', default: 'TCP' },
      name: { n: 3, type: '*string' },
    },
  },
  Numbered: {
    fields: { id: { n: 1, type: '*int32' }, on: { n: 2, type: '*bool' }, note: { n: 3, type: '*string' } },
  },
  Inner: { fields: { a: { n: 1, type: '*string' }, b: { n: 2, type: '*string' }, deep: { n: 3, type: '*Inner' } } },
  AtomicInner: { map: 'atomic', fields: { a: { n: 1, type: '*string' }, b: { n: 2, type: '*string' } } },
  Tree: {
    fields: {
      value: { n: 1, type: '*string' },
      left: { n: 2, type: '*Tree' },
      children: { n: 3, type: '[]Tree', list: 'atomic' },
    },
  },
}

/** Variants of the kind's schema, as it may change over time. */
const variants: Readonly<Record<string, Readonly<Record<string, TypeTable>>>> = {
  granular: thing,
  atomic: {
    ...thing,
    ThingSpec: {
      fields: {
        ...thing['ThingSpec']?.fields,
        items: { n: 8, type: '[]Item', list: 'atomic' },
        setOfTexts: { n: 4, type: '[]string', list: 'atomic' },
        granularMap: { n: 11, type: 'map[string]string', map: 'atomic' },
        granular: { n: 16, type: '*AtomicInner' },
      },
    },
  },
}

/** In version 2 `text` is called `title`, and `flag` does not exist. */
const second: Readonly<Record<string, TypeTable>> = {
  ...thing,
  ThingSpec: {
    fields: Object.fromEntries(
      Object.entries(thing['ThingSpec']?.fields ?? {}).flatMap(([name, field]) =>
        name === 'flag' ? [] : [[name === 'text' ? 'title' : name, field]],
      ),
    ),
  },
}

export const thingGvk: GroupVersionKind = { group: 'test.io', version: 'v1', kind: 'Thing' }

/** The struct of the kind in a variant of version 1 (`granular`, `atomic`), or in `v2`. */
export function thingStruct(variant: string, metaV1: GroupVersionTable): StructType {
  const types = variant === 'v2' ? second : variants[variant]
  if (!types) throw new Error(`no variant ${variant}`)
  const set = compileTables([metaV1, { group: 'test.io', version: 'v1', protoPackage: 'test', types }])
  return set.struct('test.io/v1.Thing')
}

/** Ownership over the kind in versions 1 and 2. */
export function createThingOwnership(metaV1: GroupVersionTable): FieldOwnership {
  const structs = new Map([
    ['v1', thingStruct('granular', metaV1)],
    ['v2', thingStruct('v2', metaV1)],
  ])
  return createFieldOwnership({
    kind({ group, version }) {
      const struct = structs.get(version)
      return group === 'test.io' && struct ? { struct } : undefined
    },
    convert: (object, { version }) => convertThing(object, version),
  })
}

/** A copy in the other version; the object itself when it is in it already. */
export function convertThing(object: ApiObject, version: string): ApiObject {
  if (object.apiVersion === `test.io/${version}`) return object
  const converted = copyObject(object) as ApiObject & { spec?: Record<string, unknown> }
  const { spec } = converted
  const [from, to] = version === 'v2' ? ['text', 'title'] : ['title', 'text']
  if (spec && Object.hasOwn(spec, from)) {
    spec[to] = spec[from]
    delete spec[from]
  }
  if (spec && version === 'v2') delete spec['flag']
  converted.apiVersion = `test.io/${version}`
  return converted
}
