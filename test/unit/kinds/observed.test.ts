import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from '../../../api/index.ts'
import { createFakeClock, createSeededRandom } from '../../../lib/base/index.ts'
import { createFeatureGates } from '../../../lib/features/index.ts'
import {
  builtInKinds,
  createDeclarativeValidation,
  createKindSet,
  type KindContext,
  validateMetadata,
  validateMetadataUpdate,
} from '../../../lib/kinds/index.ts'
import { type ApiObject, parseGroupVersion, StatusError } from '../../../lib/object/index.ts'
import { anonymousUser } from '../../../lib/request/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { mutate, parseMutation } from '../../support/mutation.ts'

/**
 * Replays what a stock server (1.36) said of mutations of valid objects, where its answers lie beside the repository.
 * Of each kind at least this part must be answered alike, in percent; what is missing is mostly newer than 1.33.
 */
const floors: Readonly<Record<string, number>> = {
  ControllerRevision: 85, CSIDriver: 70, DaemonSet: 79, Job: 71, PersistentVolumeClaim: 65, Service: 77,
  ServiceCIDR: 87, StorageClass: 60,
} // biome-ignore format: a list of numbers
const floorOfOthers = 90

interface Observation {
  readonly kind: string
  readonly gv: string
  readonly op: 'create' | 'update'
  readonly variant?: string
  readonly mutation: string
  readonly causes?: readonly (readonly [type: string, field: string, message: string])[]
  readonly code?: number
  readonly message?: string
}

const facts = join(import.meta.dirname, '../../../../shared/facts/observed_validation.jsonl')
const folder = join(import.meta.dirname, '../../support/valid')
const gates = createFeatureGates()
const kinds = createKindSet(builtInKinds)
const scheme = createScheme({ tables, kinds: kinds.get, gate: gates.gate })
const context: KindContext = {
  clock: createFakeClock(Date.parse('2025-05-01T00:00:00Z')),
  random: createSeededRandom(1),
  user: anonymousUser,
  namespace: 'default',
  gate: gates.gate,
  warn: () => undefined,
  settings: { allowPrivileged: true },
}

/** Kinds whose misses are printed: `OBSERVED=Pod,Job npm test`. */
const watched = (process.env['OBSERVED'] ?? '').split(',')

type Answer = { readonly causes: readonly (readonly [string, string, string])[] } | { readonly message: string }

/** What a server does with objects of a version and kind before it stores them. */
function endpoint({ apiVersion, kind: name }: ApiObject) {
  const expected = { ...parseGroupVersion(apiVersion)!, kind: name }
  const definition = scheme.resourceOfKind(expected)!
  const hub = { group: definition.table.storageGroup ?? expected.group, version: definition.hubVersion }
  const kind = kinds.get(expected.group, name)!
  const strategy = kind.strategy ?? {}
  const read = (value: ApiObject): ApiObject => {
    const body = Buffer.from(JSON.stringify(value))
    return scheme.convert(scheme.decodeObject(body, { mediaType: 'application/json', expected }).object, hub)
  }
  const create = (value: ApiObject) => {
    const object = read(value)
    object.metadata.uid = 'c5771b1a-ea5c-4cae-b1c3-0123456789ab'
    object.metadata.creationTimestamp = '2025-05-01T00:00:00Z'
    strategy.prepareForCreate?.(object, context)
    const errors = validateMetadata(object.metadata, { namespaced: definition.namespaced, name: kind.nameRule })
    errors.push(...(strategy.validateCreate?.(object, context) ?? []))
    return { object, errors }
  }
  return { strategy, read, create, expected }
}

/** A valid object as it is read after its creation: with defaults, and with what controllers have said since. */
function stored(valid: ApiObject): ApiObject {
  const { create, read, expected } = endpoint(valid)
  const { object, errors } = create(valid)
  assert.deepEqual(errors, [], 'the valid object is not valid')
  if (valid['status']) object['status'] = read(valid)['status']
  object.metadata.resourceVersion = '1'
  const body = scheme.encodeObject(scheme.convert(object, expected), { mediaType: 'application/json' })
  return JSON.parse(Buffer.from(body).toString()) as ApiObject
}

/** What the kind says to creating the object, or to making it of `old`. */
function answer(given: ApiObject, old: ApiObject | undefined): Answer {
  const { strategy, read, create } = endpoint(given)
  try {
    if (!old) return { causes: create(given).errors.map(causeOf) }
    const [object, before] = [read(given), read(old)]
    strategy.prepareForUpdate?.(object, before, context)
    const errors = validateMetadataUpdate(object.metadata, before.metadata)
    errors.push(...(strategy.validateUpdate?.(object, before, context) ?? []))
    return { causes: errors.map(causeOf) }
  } catch (error) {
    if (error instanceof StatusError) return { message: error.message }
    throw error
  }
}

function causeOf({ reason, field, message }: { reason: string; field: string; message: string }) {
  return [reason.replace('FieldValue', ''), field, message] as const
}

/**
 * The observations name at most four causes, and cut long texts. Structs as values, and the differences between two of
 * them, are not compared: the stock server prints its own types.
 */
function agrees(seen: Observation, given: Answer): boolean {
  if (!seen.causes) return 'message' in given && given.message === seen.message
  if (!('causes' in given)) return false
  if (seen.causes.length < 4 && given.causes.length !== seen.causes.length) return false
  return seen.causes.every((cause, index) => {
    const own = given.causes[index]
    if (!own) return false
    const [type, field, message] = own.map(comparable)
    const wanted = comparable(cause[2])
    const fits = wanted.endsWith('…') ? message?.startsWith(wanted.slice(0, -1)) : message === wanted
    return type === cause[0] && field === cause[1] && fits
  })
}

function comparable(text: string): string {
  return text
    .replace(/a{60,}/g, '<300a>')
    .replace(/\n[-+@][^]*$/, '')
    .replace(/^((?:Invalid|Unsupported|Duplicate) value: )(?:\{[^]*\}|null)(?=: )/, '$1{}')
    .replace(/^((?:Invalid|Unsupported|Duplicate) value: )\{[^]*…$/, '$1{}…')
}

async function readValid(): Promise<Map<string, ApiObject>> {
  const valid = new Map<string, ApiObject>()
  for (const file of readdirSync(folder)) {
    const module = (await import(join(folder, file))) as Record<string, ApiObject>
    for (const [name, object] of Object.entries(module))
      valid.set(`${object.apiVersion} ${object.kind} ${name.startsWith('valid') ? '' : name}`.trim(), object)
  }
  return valid
}

describe('observed validation', function () {
  this.timeout(20_000)

  it('every valid object is valid', async () => {
    for (const [name, object] of await readValid()) assert.deepEqual(answer(object, undefined), { causes: [] }, name)
  })

  it('declared rules find nothing in valid objects', async () => {
    const validate = createDeclarativeValidation(gates.gate)
    for (const [name, object] of await readValid()) {
      const gvk = { ...parseGroupVersion(object.apiVersion)!, kind: object.kind }
      const body = Buffer.from(JSON.stringify(object))
      const decoded = scheme.decodeObject(body, { mediaType: 'application/json', expected: gvk }).object
      assert.deepEqual(validate(scheme.kind(gvk)!.struct, decoded, undefined), [], name)
    }
  })

  it('mutations of valid objects are answered as the stock server answers them', async function () {
    if (!existsSync(facts)) return this.skip()
    const valid = await readValid()
    const updatable = new Map([...valid].map(([name, object]) => [name, stored(object)]))
    const tallies = new Map<string, { agreed: number; total: number; skipped: number }>()
    const misses: string[] = []
    for (const line of readFileSync(facts, 'utf8').split('\n')) {
      if (line === '') continue
      const seen = JSON.parse(line) as Observation
      const name = `${seen.gv} ${seen.kind} ${seen.variant ?? ''}`.trim()
      const base = (seen.op === 'create' ? valid : updatable).get(name)
      const tally = tallies.get(seen.kind) ?? { agreed: 0, total: 0, skipped: 0 }
      tallies.set(seen.kind, tally)
      const mutation = parseMutation(seen.mutation)
      const mutated = base && mutation && mutate(base, mutation)
      if (!base || !mutated) {
        tally.skipped++
        if (watched.includes(seen.kind)) misses.push(`${seen.kind} ${seen.op} ${seen.mutation}: not there`)
        continue
      }
      tally.total++
      const given = answer(mutated, seen.op === 'update' ? base : undefined)
      if (agrees(seen, given)) tally.agreed++
      else if (watched.includes(seen.kind))
        misses.push(
          `${seen.kind} ${seen.op} ${seen.mutation}\n  stock ${JSON.stringify(seen.causes ?? seen.message)}\n  ours  ${JSON.stringify(given)}`,
        )
    }
    for (const miss of misses) process.stdout.write(`${miss}\n`)
    const below: string[] = []
    for (const [kind, { agreed, total, skipped }] of [...tallies].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const percent = total === 0 ? 0 : Math.floor((agreed / total) * 100)
      process.stdout.write(`      ${kind}: ${agreed} of ${total} (${percent} %), ${skipped} not applicable\n`)
      if (percent < (floors[kind] ?? floorOfOthers)) below.push(`${kind}: ${percent} %`)
    }
    assert.deepEqual(below, [])
  })
})
