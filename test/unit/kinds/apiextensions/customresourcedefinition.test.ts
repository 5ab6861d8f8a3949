import assert from 'node:assert/strict'
import type { ApiObject } from '../../../../lib/object/index.ts'
import { threadCpuMs } from '../../../support/cputime.ts'
import { created, decoded, scheme, updated } from '../../../support/kindrun.ts'
import { valid } from '../../../support/valid/CustomResourceDefinition.ts'

const resource = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
type Version = Record<string, unknown> & { name: string }
const versionsOf = (object: ApiObject): Version[] => (object['spec'] as { versions: Version[] }).versions

/** With another root schema's properties. */
function withSchema(schema: object, version: object = {}): ApiObject {
  const object = structuredClone(valid)
  const [only] = versionsOf(object)
  const openAPIV3Schema = { type: 'object', properties: { spec: schema } }
  object['spec'] = {
    ...(object['spec'] as object),
    versions: [{ name: only?.name, served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
  }
  return object
}

describe('a definition of a custom resource', () => {
  it('is stored as v1beta1, with shared values of all versions once, and read back as it was', () => {
    const object = decoded(valid)
    const stored = scheme.objects.encodeForStorage(object)
    const { apiVersion, spec } = JSON.parse(Buffer.from(stored).toString())
    assert.equal(apiVersion, 'apiextensions.k8s.io/v1beta1')
    assert.deepEqual(spec.versions, [{ name: 'v1', served: true, storage: true }])
    assert.equal(spec.version, 'v1')
    assert.equal(spec.additionalPrinterColumns[0].JSONPath, '.spec.r')
    assert.equal(spec.preserveUnknownFields, false)
    const back = scheme.codec(resource).decodeFromStorage(stored, '5')
    delete back.metadata.resourceVersion
    assert.deepEqual(back, object)
  })

  it('keeps schemas with their versions where they differ', () => {
    const object = decoded(valid)
    const [first] = versionsOf(object)
    const other = { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } }
    object['spec'] = { ...(object['spec'] as object), versions: [first, other] }
    const stored = scheme.objects.encodeForStorage(object)
    const { spec } = JSON.parse(Buffer.from(stored).toString())
    assert.equal(spec.validation, undefined)
    assert.equal(spec.versions[1].schema.openAPIV3Schema.type, 'object')
    assert.deepEqual(versionsOf(scheme.codec(resource).decodeFromStorage(stored, '5')), versionsOf(object))
  })

  it('a definition of 10,000 versions is refused in a time that grows with their number only', () => {
    const object = structuredClone(valid)
    object['spec'] = { ...(object['spec'] as object), versions: Array.from({ length: 10_000 }, () => ({})) }
    const began = threadCpuMs()
    assert.ok(created(object).findings.some((finding) => finding.includes('must contain unique version names')))
    // All versions compared for each of them take half a minute.
    const ms = threadCpuMs() - began
    assert.ok(ms < 5000, `${ms} ms`)
  })

  it('has no accepted names when it is new, and its storage version counts as stored', () => {
    const { object } = created({ ...valid, status: { conditions: [{ type: 'Established', status: 'True' }] } })
    const { conditions, storedVersions } = object['status'] as Record<string, unknown>
    assert.deepEqual({ conditions, storedVersions }, { conditions: undefined, storedVersions: ['v1'] })
    assert.equal(object.metadata.generation, 1)
  })

  it('keeps every version in which objects may be stored', () => {
    const { object: old } = created(valid)
    const { object, findings } = updated(old, (changed) => {
      const [first] = versionsOf(changed)
      const next = { ...first, name: 'v2', storage: true }
      changed['spec'] = { ...(changed['spec'] as object), versions: [{ ...first, storage: false }, next] }
    })
    assert.deepEqual(findings, [])
    assert.deepEqual((object['status'] as { storedVersions: string[] }).storedVersions, ['v1', 'v2'])
    assert.equal(object.metadata.generation, 2)
  })

  const at = 'spec.validation.openAPIV3Schema.properties[spec]'
  const cases: readonly (readonly [string, object, readonly string[]])[] = [
    ['a number or text without a type', { 'x-kubernetes-int-or-string': true }, []],
    ['what is not structural', { type: 'object', patternProperties: { a: { type: 'string' } } }, [`${at}.patternProperties: Forbidden: patternProperties is not supported`]],
    ['types within junctors', { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ properties: { a: { type: 'string' } } }] }, [`${at}.anyOf[0].properties[a].type: Forbidden: must be empty to be structural`]],
    ['a boolean beside an integer or string', { type: 'object', properties: { a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'boolean' }] } } }, [`${at}.properties[a].anyOf[0].type: Forbidden: must be empty to be structural`, `${at}.properties[a].anyOf[1].type: Forbidden: must be empty to be structural`]],
    ['rules and list types within junctors', { type: 'object', not: { 'x-kubernetes-validations': [{ rule: 'true' }], 'x-kubernetes-list-map-keys': ['a'] } }, [`${at}.not.x-kubernetes-list-map-keys: Forbidden: must be empty to be structural`, `${at}.not.x-kubernetes-validations: Forbidden: must be empty to be structural`, `${at}.not.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`]],
    ['what only junctors know', { type: 'object', anyOf: [{ properties: { a: { properties: { b: {} } } } }] }, [`${at}.properties[a]: Required value: because it is defined in ${at}.anyOf[0].properties[a]`]],
    ['fields beside a map of anything', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }, []],
    ['fields without others', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }, [`${at}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`]],
    ['metadata within junctors', { type: 'object', properties: { metadata: { type: 'object' } }, oneOf: [{ properties: { metadata: {} } }] }, [`${at}.oneOf[0].properties[metadata]: Forbidden: must not be specified in a nested context`]],
    ['an integer or string that keeps fields', { type: 'object', properties: { a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true } } }, [`${at}.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`]],
    ['a dialect of its own', { type: 'object', $schema: 'x' }, [`spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`]],
    ['a map of lists without keys', { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } }, [`${at}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`]],
    ['a key that may be missing', { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: { type: 'object', properties: { k: { type: 'string' } } } }, [`${at}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`]],
    ['unique items', { type: 'array', uniqueItems: true, items: { type: 'string' } }, [`${at}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`]],
  ] // biome-ignore format: a table
  for (const [title, schema, expected] of cases)
    it(`${title}: ${expected.length === 0 ? 'valid' : 'refused'}`, () => {
      const findings = created(withSchema(schema)).findings
      assert.deepEqual(
        findings.filter((finding) => !finding.includes('cost total')),
        expected,
      )
    })

  it('a definition of a protected group names its approval', () => {
    const object = structuredClone(valid)
    object.metadata.name = 'foos.x.k8s.io'
    object['spec'] = { ...(object['spec'] as object), group: 'x.k8s.io' }
    assert.match(
      created(object).findings.join(),
      /metadata\.annotations\[api-approved\.kubernetes\.io\]: Required value/,
    )
    object.metadata.annotations = { 'api-approved.kubernetes.io': 'unapproved, an experiment' }
    assert.deepEqual(created(object).findings, [])
  })
})
