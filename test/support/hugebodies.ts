import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiObject, copyObject, parseGroupVersion } from '../../lib/object/index.ts'
import type { Type } from '../../lib/schema/index.ts'
import type { ResourceDefinition, Scheme } from '../../lib/scheme/index.ts'

/** A valid object with one of its lists or maps filled up to a size. */
export interface HugeBody {
  /** `Pod spec.containers[].env distinct`. */
  readonly title: string
  readonly definition: ResourceDefinition
  readonly valid: ApiObject
  readonly huge: ApiObject
}

/** empty: `{}` as often as it fits; same: one item repeated; distinct: items that differ in every text. */
const fillings = ['empty', 'same', 'distinct'] as const
type Filling = (typeof fillings)[number]

/** Types met again within themselves or in many kinds are filled where they occur first. */
const onceOnly = new Set(['core/v1.PodSpec', 'core/v1.PersistentVolumeClaimSpec', 'meta.k8s.io/v1.ObjectMeta'])

/** Every list and map of every kind that a valid object is known of, one after the other. */
export async function* hugeBodies(scheme: Scheme, bytes: number): AsyncGenerator<HugeBody> {
  const folder = join(import.meta.dirname, 'valid')
  const seen = new Set<string>()
  // Pods first: lists that are filled only once are filled there.
  const names = readdirSync(folder).sort((a, b) => Number(b === 'Pod.ts') - Number(a === 'Pod.ts'))
  for (const name of names) {
    const { valid } = (await import(join(folder, name))) as { valid: ApiObject }
    const groupVersion = parseGroupVersion(valid.apiVersion)
    const definition = scheme.resources.find(
      ({ gvk }) => gvk.kind === valid.kind && gvk.group === groupVersion?.group && gvk.version === groupVersion.version,
    )
    if (!definition) continue
    for (const place of placesOf(definition.struct, [], seen, [])) {
      for (const filling of fillings) {
        const huge = copyObject(valid)
        if (!fill(huge, place, filling, bytes)) continue
        const path = place.map(({ step }) => step).join('.')
        yield { title: `${valid.kind} ${path} ${filling}`, definition, valid, huge }
      }
    }
  }
}

interface Step {
  readonly step: string
  /** The type of the value at the step. */
  readonly type: Type
}

/** Paths to every list and map; through the first item of each list. */
function* placesOf(
  type: Type,
  path: readonly Step[],
  seen: Set<string>,
  within: readonly string[],
): Generator<readonly Step[]> {
  if (type.is === 'list' || type.is === 'map') {
    yield path
    yield* placesOf(
      type.element,
      [...path, { step: type.is === 'list' ? '0' : 'key', type: type.element }],
      seen,
      within,
    )
  }
  if (type.is !== 'struct' || within.includes(type.name) || path.length > 12) return
  if (onceOnly.has(type.name)) {
    if (seen.has(type.name)) return
    seen.add(type.name)
  }
  for (const field of type.fields)
    yield* placesOf(field.type, [...path, { step: field.name, type: field.type }], seen, [...within, type.name])
}

type Container = Record<string, unknown>

/** False when the place can't hold what is asked for. */
function fill(object: ApiObject, place: readonly Step[], filling: Filling, bytes: number): boolean {
  let container = object as Container
  for (const { step, type } of place.slice(0, -1)) {
    const next = container[step]
    if (typeof next !== 'object' || next === null) container[step] = type.is === 'list' ? [] : {}
    container = container[step] as Container
  }
  const last = place.at(-1)
  if (last?.type.is !== 'list' && last?.type.is !== 'map') return false
  const { element } = last.type
  if (filling === 'empty' && (element.is !== 'struct' || last.type.is === 'map')) return false
  if (filling === 'same' && last.type.is === 'map') return false
  const model = firstOf(container[last.step])
  const item = (index: number): unknown =>
    filling === 'empty' ? {} : itemOf(element, filling === 'same' ? 1 : index, model)
  const room = bytes - JSON.stringify(object).length
  const items: unknown[] = []
  for (let used = 0; ; ) {
    const next = item(items.length)
    used += JSON.stringify(next).length + (last.type.is === 'map' ? 12 : 1)
    if (used > room) break
    items.push(next)
  }
  container[last.step] =
    last.type.is === 'list' ? items : Object.fromEntries(items.map((value, index) => [`k${index}`, value]))
  return items.length > 1
}

function firstOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined
}

/** A small value of the type, after the model's fields as far as it has them. */
function itemOf(type: Type, index: number, model: unknown): unknown {
  switch (type.is) {
    case 'any':
      return { a: index }
    case 'list':
      return [itemOf(type.element, index, firstOf(model))]
    case 'map':
      return { [`k${index}`]: itemOf(type.element, index, firstOf(model)) }
    case 'scalar':
      return scalarOf(type.scalar, index, model)
    case 'struct': {
      if (type.wrapper) return {}
      const known = (model ?? {}) as Container
      const fields = type.fields.filter(({ name, required }) =>
        model === undefined ? required || name === 'name' || name === 'key' : Object.hasOwn(known, name),
      )
      return Object.fromEntries(fields.map(({ name, type: own }) => [name, itemOf(own, index, known[name])]))
    }
  }
}

function scalarOf(scalar: string, index: number, model: unknown): unknown {
  if (typeof model === 'number') return model + (index % 30_000)
  // Words of a fixed set (TCP, In, Always) stay as they are.
  if (typeof model === 'string')
    return scalar === 'string' && !/^[A-Z]/.test(model) ? `${model}${index.toString(36)}` : model
  if (typeof model === 'boolean') return model
  if (scalar === 'bool') return true
  if (scalar === 'int32' || scalar === 'int64' || scalar === 'double' || scalar === 'IntOrString') return index % 60_000
  if (scalar === 'Time') return '2020-01-01T00:00:00Z'
  if (scalar === 'MicroTime') return '2020-01-01T00:00:00.000000Z'
  if (scalar === 'Duration') return '1s'
  if (scalar === 'Quantity') return `${index}`
  return scalar === 'bytes' ? '' : `a${index.toString(36)}`
}
