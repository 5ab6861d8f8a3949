import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from '../../../api/index.ts'
import {
  createFakeClock,
  createSeededRandom,
  type Logger,
  silentLogger,
  silentMetrics,
  unlimitedWork,
} from '../../../lib/base/index.ts'
import { createDefinitionKind } from '../../../lib/crd/index.ts'
import { createFeatureGates } from '../../../lib/features/index.ts'
import {
  builtInKinds,
  chooseFamilies,
  createDeclarativeCheck,
  createDeclarativeValidation,
  createKindSet,
  type KindContext,
  serviceSpec,
  validateMetadata,
  validateMetadataUpdate,
} from '../../../lib/kinds/index.ts'
import { type ApiObject, type FieldError, parseGroupVersion, StatusError } from '../../../lib/object/index.ts'
import { anonymousUser } from '../../../lib/request/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { mutate, parseMutation } from '../../support/mutation.ts'
import { mutationsOf } from '../../support/mutations.ts'
import { assertRecorded } from '../../support/recorded.ts'

/**
 * Replays what a stock server (1.36) said of mutations of valid objects, where its answers lie beside the repository.
 * Of each kind at least this part must be answered alike, in percent.
 */
const floors: Readonly<Record<string, number>> = {
  CustomResourceDefinition: 96,
  Service: 98,
}
const floorOfOthers = 100

/** Kinds whose updates the stock server checks twice, so that of its first four causes some are repetitions. */
const checkedTwice = new Set(['DaemonSet', 'Job', 'PersistentVolume', 'Pod'])

/** Where the stock server's texts differ: field, its text, ours. */
const otherTexts: readonly (readonly [field: RegExp, text: RegExp, ours: string])[] = [
  // Its declared rules count bytes.
  [/^metadata\.name$/, /no more than 253 bytes$/, 'no more than 253 characters'],
]

interface Observation {
  readonly kind: string
  readonly gv: string
  readonly op: 'create' | 'update'
  readonly variant?: string
  readonly mutation: string
  readonly causes?: readonly Cause[]
  readonly code?: number
  readonly message?: string
}
type Cause = readonly [type: string, field: string, message: string]

const facts = join(import.meta.dirname, '../../../../shared/facts/observed_validation.jsonl')
const folder = join(import.meta.dirname, '../../support/valid')
const gates = createFeatureGates()
const isDefinitions = ({ kind }: { readonly kind: string }): boolean => kind === 'CustomResourceDefinition'
/** As a server puts them together: the schemas of definitions are judged by the engine that serves them. */
const kinds = createKindSet(builtInKinds.map((each) => (isDefinitions(each) ? createDefinitionKind(each) : each)))
const scheme = createScheme({ tables, kinds: kinds.get, gate: gates.gate })
const context: KindContext = {
  clock: createFakeClock(Date.parse('2025-05-01T00:00:00Z')),
  random: createSeededRandom(1),
  user: anonymousUser,
  namespace: 'facts',
  gate: gates.gate,
  warn: () => undefined,
  work: unlimitedWork,
  settings: { allowPrivileged: false },
}

const uid = 'c5771b1a-ea5c-4cae-b1c3-0123456789ab'

/** Kinds whose misses are printed: `OBSERVED=Pod,Job npm test`. */
const watched = (process.env['OBSERVED'] ?? '').split(',')

/**
 * Where declared rules (1.36) and the kinds' own differ in what they call a fault: an empty type is unsupported to the
 * one, missing to the other.
 */
const differences: readonly string[] = [
  'flowcontrol.apiserver.k8s.io/v1.PriorityLevelConfiguration spec.limited.limitResponse.type FieldValueRequired',
  'flowcontrol.apiserver.k8s.io/v1.PriorityLevelConfiguration spec.type FieldValueRequired',
]
const mismatches = new Set<string>()
const log: Logger = {
  ...silentLogger,
  warn: (_message, { type, field, reason } = {}) => void mismatches.add(`${type} ${field} ${reason}`),
}
const compare = createDeclarativeCheck(gates.gate, { metrics: silentMetrics, log })

type Answer = { readonly causes: readonly Cause[] } | { readonly message: string }

/** What a server does with objects of a version and kind before it stores them. */
function endpoint({ apiVersion, kind: name }: ApiObject) {
  const expected = { ...parseGroupVersion(apiVersion)!, kind: name }
  const definition = scheme.resourceOfKind(expected)!
  const hub = { group: definition.table.storageGroup ?? expected.group, version: definition.hubVersion }
  const kind = kinds.get(expected.group, name)!
  const strategy = kind.strategy ?? {}
  const read = (value: ApiObject): ApiObject => {
    const body = Buffer.from(JSON.stringify(value))
    return scheme.objects.convert(
      scheme.objects.decodeObject(body, { mediaType: 'application/json', expected }).object,
      hub,
    )
  }
  const create = (value: ApiObject) => {
    const object = read(value)
    object.metadata.uid = uid
    object.metadata.creationTimestamp = '2025-05-01T00:00:00Z'
    strategy.prepareForCreate?.(object, context)
    const refused = settle(object, undefined)
    if (refused.length > 0) return { object, errors: refused }
    const name = (written: string, prefix: boolean) => kind.nameRule(written, prefix, context.gate)
    const errors = validateMetadata(object.metadata, { namespaced: definition.namespaced, name })
    errors.push(...(strategy.validateCreate?.(object, context) ?? []))
    compare(definition.struct, object, undefined, errors, kind.isDeclared === true)
    return { object, errors }
  }
  /** What is decided about a service before it is validated, in a cluster of one address family. */
  const settle = (object: ApiObject, old: ApiObject | undefined): FieldError[] =>
    name === 'Service' ? chooseFamilies(serviceSpec(object), old && serviceSpec(old), ['IPv4']) : []
  return { strategy, read, create, settle, expected, struct: definition.struct }
}

/** A valid object as it is read after its creation: with defaults, and with what controllers have said since. */
function stored(valid: ApiObject): ApiObject {
  const { create, read, expected } = endpoint(valid)
  const { object, errors } = create(valid)
  assert.deepEqual(errors, [], 'the valid object is not valid')
  if (valid['status']) object['status'] = read(valid)['status']
  object.metadata.resourceVersion = '1'
  const body = scheme.objects.encodeObject(scheme.objects.convert(object, expected), { mediaType: 'application/json' })
  return JSON.parse(Buffer.from(body).toString()) as ApiObject
}

/** What the kind says to creating the object, or to making it of `old`. */
function answer(given: ApiObject, old: ApiObject | undefined): Answer {
  const { strategy, read, create, settle, struct } = endpoint(given)
  try {
    if (!old) return { causes: create(given).errors.map(causeOf) }
    const [object, before] = [read(given), read(old)]
    strategy.prepareForUpdate?.(object, before, context)
    const refused = settle(object, before)
    if (refused.length > 0) return { causes: refused.map(causeOf) }
    const errors = validateMetadataUpdate(object.metadata, before.metadata)
    errors.push(...(strategy.validateUpdate?.(object, before, context) ?? []))
    compare(struct, object, before, errors, false)
    return { causes: errors.map(causeOf) }
  } catch (error) {
    if (error instanceof StatusError) return { message: error.message }
    throw error
  }
}

/** Accepted: nothing. Messages are those that clients see, without what only this process made. */
function recordOf(given: Answer): unknown {
  if ('message' in given) return comparable(given.message)
  return given.causes.map(([type, field, message]) => [type, field, comparable(message)])
}

function causeOf({ reason, field, message }: { reason: string; field: string; message: string }) {
  return [reason.replace('FieldValue', ''), field, message] as const
}

/**
 * The observations name at most four causes, each once, and cut long texts. Structs as values, and the differences
 * between two of them, are not compared: the stock server prints its own types.
 */
function agrees(seen: Observation, given: Answer): boolean {
  if (!seen.causes) return 'message' in given && comparable(given.message) === comparable(seen.message ?? '')
  if (!('causes' in given)) return false
  const own = withoutRepetitions(given.causes)
  const isWhole = seen.causes.length < (seen.op === 'update' && checkedTwice.has(seen.kind) ? 2 : 4)
  if (isWhole && own.length !== seen.causes.length) return false
  return seen.causes.every((cause, index) => {
    const [type, field, message = ''] = (own[index] ?? []).map(comparable)
    const wanted = inOurWords(cause)
    const fits = wanted.endsWith('…') ? message.startsWith(wanted.slice(0, -1)) : message === wanted
    return type === cause[0] && field === cause[1] && fits
  })
}

function withoutRepetitions(causes: readonly Cause[]): readonly Cause[] {
  return [...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values()]
}

function inOurWords([, field, message]: Cause): string {
  const change = otherTexts.find(([at, text]) => at.test(field) && text.test(message))
  return comparable(change ? message.replace(change[1], change[2]) : message)
}

/** An empty list is none to us; a `uid` is whatever the server made. */
function comparable(text: string): string {
  return text
    .replace(/a{60,}/g, '<300a>')
    .replaceAll(uid, '<uid>')
    .replace(/at input byte \d+$/, 'at input byte 0')
    .replace(/\n[-+@][^]*$/, '')
    .replace(/^(Invalid value: )\[\](?=: )/, '$1null')
    .replace(/^((?:Invalid|Unsupported|Duplicate) value: )(?:\{[^]*\}|null)(?=: |$)/, '$1{}')
    .replace(/^((?:Invalid|Unsupported|Duplicate) value: )\{[^]*…$/, '$1{}…')
}

/** What other rooms say, and what is no answer at all. */
function isElsewhere({ message = '' }: Observation): boolean {
  return message.includes(' is forbidden: ') || message.includes('handler panic')
}

async function readValid(): Promise<Map<string, ApiObject>> {
  const valid = new Map<string, ApiObject>()
  for (const file of readdirSync(folder)) {
    const module = (await import(join(folder, file))) as Record<string, ApiObject>
    for (const [name, given] of Object.entries(module)) {
      // Where the observations were made.
      const object = JSON.parse(JSON.stringify(given).replaceAll('"namespace":"default"', '"namespace":"facts"'))
      valid.set(`${object.apiVersion} ${object.kind} ${name.startsWith('valid') ? '' : name}`.trim(), object)
    }
  }
  return valid
}

describe('observed validation', function () {
  this.timeout(120_000)
  beforeEach(() => mismatches.clear())

  it('every valid object is valid', async () => {
    for (const [name, object] of await readValid()) assert.deepEqual(answer(object, undefined), { causes: [] }, name)
  })

  it('valid objects cause no errors of declared rules', async () => {
    const { validate } = createDeclarativeValidation(gates.gate)
    for (const [name, object] of await readValid()) {
      const gvk = { ...parseGroupVersion(object.apiVersion)!, kind: object.kind }
      const body = Buffer.from(JSON.stringify(object))
      const decoded = scheme.objects.decodeObject(body, { mediaType: 'application/json', expected: gvk }).object
      assert.deepEqual(validate(scheme.kind(gvk)!.struct, decoded, undefined), [], name)
    }
  })

  it('mutations of valid objects are answered as they are recorded @recorded', async () => {
    const entries: [string, unknown][] = []
    for (const [name, valid] of await readValid())
      for (const base of [valid, stored(valid)])
        for (const text of mutationsOf(base)) {
          const mutation = parseMutation(text)
          const mutated = mutation && mutate(base, mutation)
          const given = mutated && answer(mutated, base === valid ? undefined : base)
          if (given) entries.push([`${name} ${base === valid ? 'create' : 'update'} ${text}`, recordOf(given)])
        }
    entries.push(['where declared rules and the kinds’ own differ', [...mismatches].toSorted()])
    assertRecorded('validation', entries)
  })

  it('mutations of valid objects are answered as the stock server answers them @recorded', async function () {
    // Its answers are beside some checkouts only; the record above is of the same code.
    if (!existsSync(facts)) return
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
      if (isElsewhere(seen)) {
        tally.skipped++
        continue
      }
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
    assert.deepEqual([...mismatches].toSorted(), differences, 'declared rules and the kinds’ own find the same')
  })
})
