import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { tables } from '../../../api/index.ts'
import { formatPath } from '../../../lib/apply/fieldset/element.ts'
import { type FieldSet, paths } from '../../../lib/apply/fieldset/fieldset.ts'
import {
  applyMergePatch,
  createFieldOwnership,
  type EndpointChange,
  type FieldOwnership,
} from '../../../lib/apply/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import {
  type ApiObject,
  copyObject,
  formatTime,
  type GroupVersionKind,
  type JsonObject,
  type ManagedFieldsEntry,
  parseGroupVersion,
  StatusError,
} from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { convertThing, createThingOwnership, thingGvk, thingStruct } from '../../support/applytypes.ts'

/**
 * A case is a kind and steps. A step's first key says who does what, and its value is what is sent:
 *   apply m1: {spec: …}                 `apply m1 force`, `apply m1 on status`, `apply m1 at test.io/v2`
 *   update u1: {spec: …}                a PUT of the whole object
 *   patch u1: {spec: {a: null}}         a JSON merge patch
 *   schema: atomic                      the schema changes (kind Thing)
 * and then what must come of it:
 *   owners: {Apply m1: [.spec.text], Update u1 on status: […]}   all of them; `at V` where it is another version
 *   order: [Apply m1, Update u1]        the order of the entries
 *   object: {spec: {a: null}}           is part of the object; null is absent
 *   conflict: [m1 .spec.text]           the step fails with these conflicts; the object stays as it was
 *   error: text                         the step fails with this message
 *   unchanged: true                     the object and its owners stay as they were
 *   times: {Apply m1: 2}                the step in which an owner's entry was changed last
 */
interface Case {
  readonly title: string
  readonly kind: string
  readonly steps: readonly Record<string, unknown>[]
}

const kinds = createKindSet(builtInKinds)
const scheme = createScheme({ tables, kinds: kinds.get })
const metaV1 = tables.find(({ group, version }) => group === 'meta.k8s.io' && version === 'v1')
assert(metaV1)
const structs = new Map(['granular', 'atomic', 'v2'].map((variant) => [variant, thingStruct(variant, metaV1)] as const))
const ownerships: Readonly<Record<'thing' | 'built-in', FieldOwnership>> = {
  thing: createThingOwnership(metaV1),
  'built-in': createFieldOwnership(scheme.objects),
}
const startMs = Date.UTC(2024, 0, 1)

function gvkOf(kind: string): GroupVersionKind {
  if (kind === 'Thing') return thingGvk
  const found = scheme.resources.find(({ gvk, hubVersion }) => gvk.kind === kind && gvk.version === hubVersion)
  assert(found, kind)
  return found.gvk
}

class Script {
  readonly #gvk: GroupVersionKind
  readonly #ownership: FieldOwnership
  #schema = 'granular'
  #live: ApiObject | undefined
  #step = 0

  constructor(kind: string) {
    this.#gvk = gvkOf(kind)
    this.#ownership = ownerships[kind === 'Thing' ? 'thing' : 'built-in']
  }

  run(step: Record<string, unknown>): void {
    this.#step++
    const [what, sent] = Object.entries(step)[0] ?? []
    assert(what)
    if (what === 'schema') {
      this.#schema = String(sent)
      return
    }
    const before = this.#live
    try {
      this.#live = this.#perform(what, sent as JsonObject)
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      this.#expectFailure(step, error)
      return
    }
    assert.equal(step['error'] ?? step['conflict'], undefined, 'the step succeeds')
    this.#expect(step, before)
  }

  #perform(what: string, sent: JsonObject): ApiObject {
    const [verb = '', manager = '', ...words] = what.split(' ')
    const after = (word: string): string => (words.includes(word) ? (words[words.indexOf(word) + 1] ?? '') : '')
    const version = parseGroupVersion(after('at')) ?? this.#gvk
    const gvk = { ...this.#gvk, ...version, kind: this.#gvk.kind }
    const change = this.#change(manager, after('on'), gvk)
    const live = this.#live && this.#convert(this.#live, gvk)
    const object = this.#complete(
      verb === 'patch' ? (applyMergePatch(structuredClone(live) as never, sent) as JsonObject) : sent,
      gvk,
    )
    let result: ApiObject
    if (verb === 'apply') {
      const applied = this.#ownership.onApply(live, object, { ...change, force: words.includes('force') })
      result = this.#typed(applied.object, gvk)
    } else if (live) {
      const typed = this.#typed(object, gvk)
      typed.metadata.uid = 'u'
      result = this.#ownership.onUpdate(live, typed, change)
    } else result = this.#ownership.onCreate(this.#typed(object, gvk), change)
    result.metadata.uid = 'u'
    return this.#convert(result, this.#gvk)
  }

  #change(manager: string, subresource: string, gvk: GroupVersionKind): EndpointChange {
    const table = scheme.resourceOfKind(gvk)?.table
    const reset = gvk.group === 'test.io' ? { '': ['status'], status: ['spec'] } : table?.resetFields
    return {
      manager,
      subresource,
      gvk,
      struct: this.#structOf(gvk),
      resetFields: (reset as Readonly<Record<string, readonly string[]>> | undefined)?.[subresource] ?? [],
      onlyFields: table?.onlyFields?.[subresource] ?? [],
      nowMs: startMs + this.#step * 1000,
    }
  }

  #structOf(gvk: GroupVersionKind): EndpointChange['struct'] {
    const struct =
      gvk.group === 'test.io' ? structs.get(gvk.version === 'v2' ? 'v2' : this.#schema) : scheme.kind(gvk)?.struct
    assert(struct)
    return struct
  }

  #complete(sent: JsonObject, gvk: GroupVersionKind): ApiObject {
    const apiVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
    const { metadata, ...rest } = sent
    return { apiVersion, kind: gvk.kind, ...rest, metadata: { name: 'x', ...(metadata as object) } } as ApiObject
  }

  #typed(object: ApiObject, gvk: GroupVersionKind): ApiObject {
    if (gvk.group === 'test.io') return copyObject(object)
    const body = Buffer.from(JSON.stringify(object))
    return scheme.objects.decodeObject(body, { mediaType: 'application/json', expected: gvk }).object
  }

  #convert(object: ApiObject, gvk: GroupVersionKind): ApiObject {
    return gvk.group === 'test.io' ? convertThing(object, gvk.version) : scheme.objects.convert(object, gvk)
  }

  #expectFailure(step: Record<string, unknown>, error: StatusError): void {
    if (step['conflict']) {
      const causes = (error.details?.causes ?? []).map(
        ({ message = '', field = '' }) => `${/"(.*?)"/.exec(message)?.[1] ?? message} ${field}`,
      )
      assert.deepEqual([error.code, causes], [409, step['conflict']], error.message)
    } else assert.equal(error.message, step['error'])
  }

  #expect(step: Record<string, unknown>, before: ApiObject | undefined): void {
    const live = this.#live
    assert(live)
    const entries = live.metadata.managedFields ?? []
    if (step['owners'] !== undefined) {
      const expected = step['owners'] as Record<string, string[]>
      const sorted = Object.entries(expected).map(([owner, owned]) => [owner, [...owned].sort()])
      assert.deepEqual(this.#owners(entries), Object.fromEntries(sorted))
    }
    if (step['order'] !== undefined)
      assert.deepEqual(
        entries.map((entry) => this.#nameOf(entry)),
        step['order'],
      )
    for (const [owner, index] of Object.entries((step['times'] ?? {}) as Record<string, number | null>)) {
      const entry = entries.find((each) => this.#nameOf(each) === owner)
      assert.equal(entry?.time, index === null ? undefined : formatTime(startMs + index * 1000), owner)
    }
    if (step['object'] !== undefined) expectPart(live, step['object'], '')
    if (step['unchanged']) assert.deepEqual(live, before)
  }

  #owners(entries: readonly ManagedFieldsEntry[]): Record<string, string[]> {
    return Object.fromEntries(
      entries.map((entry) => [
        this.#nameOf(entry),
        [...paths((entry.fieldsV1 ?? {}) as FieldSet)].map(formatPath).sort(),
      ]),
    )
  }

  #nameOf({ operation, manager, subresource, apiVersion }: ManagedFieldsEntry): string {
    const { group, version } = this.#gvk
    const own = group === '' ? version : `${group}/${version}`
    return `${operation} ${manager}${subresource ? ` on ${subresource}` : ''}${apiVersion === own ? '' : ` at ${apiVersion}`}`
  }
}

function expectPart(actual: unknown, expected: unknown, path: string): void {
  if (expected === null) return assert.equal(actual, undefined, `${path} is absent`)
  if (typeof expected !== 'object') return assert.deepEqual(actual, expected, path)
  if (Array.isArray(expected)) {
    assert(Array.isArray(actual), `${path} is a list`)
    assert.equal(actual.length, expected.length, `${path} has as many items: ${JSON.stringify(actual)}`)
    for (const [index, item] of expected.entries()) expectPart(actual[index], item, `${path}[${index}]`)
    return
  }
  assert(typeof actual === 'object' && actual !== null, `${path} is there`)
  for (const [key, value] of Object.entries(expected as object))
    expectPart((actual as Record<string, unknown>)[key], value, `${path}.${key}`)
}

const folder = join(import.meta.dirname, '../../golden/apply')
for (const file of readdirSync(folder).sort()) {
  const cases = parse(readFileSync(join(folder, file), 'utf8')) as Case[]
  describe(`apply scripts: ${file.replace('.yaml', '')}`, () => {
    for (const { title, kind, steps } of cases)
      it(title, () => {
        const script = new Script(kind)
        for (const [index, step] of steps.entries()) {
          try {
            script.run(step)
          } catch (error) {
            if (error instanceof Error) error.message = `step ${index + 1}: ${error.message}`
            throw error
          }
        }
      })
  })
}
