import assert from 'node:assert/strict'
import { tables } from '../../api/index.ts'
import { createSeededRandom, systemClock, unlimitedWork } from '../../lib/base/index.ts'
import { builtInKinds, createKindSet, type KindContext } from '../../lib/kinds/index.ts'
import { type ApiObject, copyObject, parseGroupVersion } from '../../lib/object/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'

/** An object that a case may change as it likes. */
// biome-ignore lint/suspicious/noExplicitAny: cases write what no type allows
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any

/** A change to a valid object, and `field: message` of every cause; a text ending in … is a beginning. */
export type KindCase = readonly [title: string, change: (object: Loose) => void, causes: readonly string[]]

const gate = (): boolean => false
const kinds = createKindSet(builtInKinds)
const scheme = createScheme({ tables, kinds: kinds.get, gate })
const context: KindContext = {
  clock: systemClock,
  random: createSeededRandom(1),
  user: { name: 'u', uid: '', groups: [], extra: {} },
  namespace: 'default',
  gate,
  warn() {},
  work: unlimitedWork,
}

/** As it is read from a request, with defaults. */
function prepared(valid: ApiObject, change: (object: Loose) => void): ApiObject {
  const object = copyObject(valid)
  change(object)
  const expected = { ...parseGroupVersion(valid.apiVersion)!, kind: valid.kind }
  return scheme.objects.decodeObject(Buffer.from(JSON.stringify(object)), { mediaType: 'application/json', expected })
    .object
}

function strategyOf(valid: ApiObject, subresource: string) {
  const [group = '', version] = valid.apiVersion.includes('/') ? valid.apiVersion.split('/') : ['', valid.apiVersion]
  const kind = kinds.get(group, valid.kind)
  assert.ok(kind && version, valid.kind)
  return (subresource === '' ? kind.strategy : kind.subresources?.[subresource]) ?? {}
}

/** One test a case: creating the changed object. */
export function refusesToCreate(valid: ApiObject, cases: readonly KindCase[]): void {
  const strategy = strategyOf(valid, '')
  for (const [title, change, causes] of cases)
    it(`create: ${title}`, () => {
      const object = prepared(valid, change)
      strategy.prepareForCreate?.(object, context)
      compare(strategy.validateCreate?.(object, context) ?? [], causes)
    })
}

/** One test a case: the changed object in place of the valid one. */
export function refusesToUpdate(valid: ApiObject, cases: readonly KindCase[], subresource = ''): void {
  const strategy = strategyOf(valid, subresource)
  for (const [title, change, causes] of cases)
    it(`update: ${title}`, () => {
      const old = prepared(valid, () => {})
      const object = prepared(valid, change)
      old.metadata.resourceVersion = object.metadata.resourceVersion = '1'
      strategy.prepareForUpdate?.(object, old, context)
      compare(strategy.validateUpdate?.(object, old, context) ?? [], causes)
    })
}

function compare(errors: readonly { field: string; message: string }[], causes: readonly string[]): void {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`)
  const shown = texts.map((text, index) => {
    const expected = causes[index] ?? ''
    return expected.endsWith('…') && text.startsWith(expected.slice(0, -1)) ? expected : text
  })
  assert.deepEqual(shown, causes)
}
