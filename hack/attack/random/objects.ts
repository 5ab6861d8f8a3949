import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from '../../../api/index.ts'
import { groupOrder } from '../../../lib/controlplane/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import { type ApiObject, copyObject, parseGroupVersion } from '../../../lib/object/index.ts'
import type { Field, StructType, Type } from '../../../lib/schema/index.ts'
import { createScheme, type ResourceDefinition, type Scheme } from '../../../lib/scheme/index.ts'
import type { Dice } from './dice.ts'
import { anyValue, names, namespaces, textOf, valueOf } from './values.ts'

type Loose = Record<string, unknown>

/** Every resource, and objects to send to it. */
export interface Surface {
  readonly scheme: Scheme
  readonly resources: readonly ResourceDefinition[]
  /** An object of the resource, or of its subresource's kind. */
  body(resource: ResourceDefinition, subresource: string, target: Target, dice: Dice): Loose
}

interface Target {
  readonly namespace: string
  readonly name: string
}

export async function createSurface(): Promise<Surface> {
  const scheme = createScheme({ tables, order: groupOrder, kinds: createKindSet(builtInKinds).get, gate: () => true })
  const valid = await validObjects()
  return {
    scheme,
    resources: scheme.resources,
    body: (resource, subresource, target, dice) => bodyOf(scheme, valid, resource, subresource, target, dice),
  }
}

/** By group and kind. */
async function validObjects(): Promise<ReadonlyMap<string, ApiObject>> {
  const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'support', 'valid')
  const found = new Map<string, ApiObject>()
  for (const name of readdirSync(folder).sort()) {
    const { valid } = (await import(join(folder, name))) as { valid: ApiObject }
    found.set(`${parseGroupVersion(valid.apiVersion)?.group}/${valid.kind}`, valid)
  }
  return found
}

function bodyOf(
  scheme: Scheme,
  valid: ReadonlyMap<string, ApiObject>,
  resource: ResourceDefinition,
  subresource: string,
  target: Target,
  dice: Dice,
): Loose {
  const { group, version, kind } = kindOf(resource, subresource)
  const struct = scheme.kind({ group, version, kind })?.struct
  const model = valid.get(`${group}/${kind}`)
  const object: Loose = model && !dice.once(8) ? (copyObject(model) as Loose) : {}
  if (struct && Object.keys(object).length === 0) Object.assign(object, valueOf(struct, dice))
  object['apiVersion'] = group === '' ? version : `${group}/${version}`
  object['kind'] = kind
  object['metadata'] = metadataOf(target, dice)
  if (struct) for (let count = dice.pick([0, 0, 1, 1, 2, 4]); count > 0; count--) change(object, struct, dice)
  return object
}

function kindOf({ gvk, subresources }: ResourceDefinition, subresource: string): ResourceDefinition['gvk'] {
  const table = subresources[subresource]
  if (table === undefined) return gvk
  const { group, version } = (table.groupVersion === undefined ? undefined : parseGroupVersion(table.groupVersion)) ?? gvk // biome-ignore format: one line
  return { group, version, kind: table.kind }
}

function metadataOf({ namespace, name }: Target, dice: Dice): Loose {
  const metadata: Loose = dice.once(20) ? { generateName: 'g-' } : { name }
  if (namespace !== '' && dice.once(2)) metadata['namespace'] = dice.once(10) ? dice.pick(namespaces) : namespace
  const more: Readonly<Record<string, () => unknown>> = {
    labels: () => ({ app: dice.pick(['a', 'b']), [textOf(dice)]: textOf(dice) }),
    annotations: () => ({ [textOf(dice)]: textOf(dice), 'kubernetes.io/service-account.name': 'default' }),
    finalizers: () => [dice.pick(['attack.example.com/x', 'foregroundDeletion', 'orphan', 'kubernetes', textOf(dice)])],
    ownerReferences: () => [owner(dice)],
    resourceVersion: () => dice.pick(['', '0', '1', '99999999999', 'x']),
    uid: () => dice.pick(['', 'x', '00000000-0000-4000-8000-000000000000']),
    deletionTimestamp: () => '2020-01-01T00:00:00Z',
    deletionGracePeriodSeconds: () => dice.pick([0, -1, '@9223372036854775807@']),
    creationTimestamp: () => '2020-01-01T00:00:00Z',
    generation: () => '@9223372036854775807@',
    managedFields: () => [managed(dice)],
    selfLink: () => '/x',
  }
  for (const [field, make] of Object.entries(more)) if (dice.once(25)) metadata[field] = make()
  return metadata
}

function owner(dice: Dice): Loose {
  return {
    apiVersion: dice.pick(['v1', 'apps/v1', 'batch/v1', textOf(dice)]),
    kind: dice.pick(['ConfigMap', 'ReplicaSet', 'StatefulSet', 'Job', 'CronJob', 'Node', textOf(dice)]),
    name: dice.pick(names),
    uid: dice.pick(['x', '00000000-0000-4000-8000-000000000000']),
    controller: dice.once(2),
    blockOwnerDeletion: dice.once(2),
  }
}

function managed(dice: Dice): Loose {
  const fieldsV1 = dice.pick([{ 'f:data': { '.': {}, 'f:a': {} } }, { 'k:{"name":"a"}': {} }, { 'f:__proto__': {} }, anyValue(dice)]) // biome-ignore format: one line
  return {
    manager: textOf(dice),
    operation: dice.pick(['Apply', 'Update', 'X']),
    apiVersion: dice.pick(['v1', 'apps/v1', textOf(dice)]),
    fieldsType: dice.pick(['FieldsV1', 'X']),
    fieldsV1,
  }
}

/** Changes the value at one place of the object, removes it, or adds an unknown field. */
function change(object: Loose, struct: StructType, dice: Dice): void {
  let holder: Loose | unknown[] = object
  let type: Type = struct
  for (let level = 0; ; level++) {
    const place = step(holder, type, dice)
    if (place === undefined) return
    const inner: unknown = (holder as Loose)[place.key]
    const goesOn = typeof inner === 'object' && inner !== null && level < 12 && !dice.once(4)
    if (!goesOn) return set(holder as Loose, place, dice)
    holder = inner as Loose | unknown[]
    type = place.type
  }
}

interface Place {
  readonly key: string
  readonly type: Type
  readonly field?: Field
}

function step(holder: Loose | unknown[], type: Type, dice: Dice): Place | undefined {
  const present = Object.keys(holder)
  if (type.is === 'struct') {
    const fields = type.fields.filter(({ name }) => !['metadata', 'apiVersion', 'kind'].includes(name))
    const known = fields.filter(({ name }) => present.includes(name))
    const field = dice.pickAny(known.length > 0 && !dice.once(3) ? known : fields)
    return field && { key: field.name, type: field.type, field }
  }
  const key = dice.pickAny(present)
  if (key === undefined) return undefined
  if (type.is === 'list' || type.is === 'map') return { key, type: type.element }
  return { key, type }
}

function set(holder: Loose, { key, type, field }: Place, dice: Dice): void {
  const choice = dice.below(12)
  if (choice === 0 && !Array.isArray(holder)) delete holder[key]
  else if (choice === 1) holder[key] = anyValue(dice)
  else if (choice === 2) holder[key] = null
  else if (choice === 3 && !Array.isArray(holder)) holder[textOf(dice)] = anyValue(dice)
  else if (choice === 4 && Array.isArray(holder)) holder.push(holder[Number(key)])
  else holder[key] = valueOf(type, dice, field, 2)
}
