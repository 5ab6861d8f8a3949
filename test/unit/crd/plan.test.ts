import assert from 'node:assert/strict'
import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { violationsMax } from '../../../lib/crd/conditions/structural.ts'
import { asDefinition, type Definition } from '../../../lib/crd/definition/definition.ts'
import { planStatus } from '../../../lib/crd/plan.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { definitionOf } from '../../support/crdkit.ts'

const now = '2026-01-01T00:00:00Z'
type Planned = Partial<v1.CustomResourceDefinitionStatus>

const withStatus = (definition: Definition, status: Planned): Definition =>
  ({ ...definition, status: { ...definition.status, ...status } }) as Definition

/** The status that all steps together lead to. */
function settled(definition: Definition): Definition {
  let current = definition
  for (let step = 0; step < 5; step++) {
    const status = planStatus(current, [], now)
    if (!status) return current
    current = withStatus(current, status)
  }
  throw new Error('the plan does not end')
}

function condition(definition: Definition, type: string): string | undefined {
  const found = definition.status?.conditions?.find((one) => one.type === type)
  return found && `${found.status} ${found.reason}: ${found.message}`
}

const typed = { type: 'object' }

describe('the status of a definition', () => {
  const nonStructural: readonly [title: string, schema: object, spec: object, message: string | undefined][] = [
    ['a structural schema', typed, {}, undefined],
    [
      'a root without a type',
      { properties: {} },
      {},
      'True Violations: spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root',
    ],
    [
      'unknown fields that are kept',
      typed,
      { preserveUnknownFields: true },
      'True Violations: spec.preserveUnknownFields: Invalid value: true: must be false',
    ],
    [
      'several violations',
      { type: 'object', properties: { a: {}, b: { type: 'array' } } },
      {},
      'True Violations: [spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields, spec.versions[0].schema.openAPIV3Schema.properties[b].items: Required value: must be specified]',
    ],
  ]
  for (const [title, schema, spec, message] of nonStructural)
    it(`${message ? 'reports' : 'has no'} NonStructuralSchema for ${title}`, () => {
      const definition = settled(asDefinition(definitionOf({ schema, spec })))
      assert.equal(condition(definition, 'NonStructuralSchema'), message)
      assert.match(condition(definition, 'Established') ?? '', /^True /, 'it is served all the same')
    })

  it('reports a hundred violations, and the number of the others', () => {
    const properties = Object.fromEntries(Array.from({ length: violationsMax + 7 }, (_, index) => [`f${index}`, {}]))
    const definition = settled(asDefinition(definitionOf({ schema: { type: 'object', properties } })))
    assert.match(condition(definition, 'NonStructuralSchema') ?? '', /object fields, and 7 more\]$/)
  })

  it('has no NonStructuralSchema once the schema is corrected', () => {
    const { status } = settled(asDefinition(definitionOf({ schema: {} })))
    const mended = settled(withStatus(asDefinition(definitionOf({ schema: typed })), status ?? {}))
    assert.equal(condition(mended, 'NonStructuralSchema'), undefined)
  })

  const { certificate } = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'ca' })
  const bundles: readonly [title: string, bundle: string, established: RegExp][] = [
    ['none', '', /^True InitialNamesAccepted/],
    ['a certificate', certificate, /^True InitialNamesAccepted/],
    ['no PEM', 'certificate', /^False InvalidCABundle: The conversion webhook CABundle is invalid$/],
    [
      'a certificate and a broken one',
      `${certificate}\n${certificate.replace('MII', 'AAA')}`,
      /^False InvalidCABundle/,
    ],
  ]
  const convertedBy = (bundle: string): Definition => {
    const clientConfig = { url: 'https://example.com/', caBundle: Buffer.from(bundle).toString('base64') }
    const webhook = { conversionReviewVersions: ['v1'], clientConfig }
    return asDefinition(definitionOf({ spec: { conversion: { strategy: 'Webhook', webhook } } }))
  }
  for (const [title, bundle, established] of bundles)
    it(`reports Established with a conversion webhook whose caBundle has ${title}`, () => {
      assert.match(condition(settled(convertedBy(bundle)), 'Established') ?? '', established)
    })

  it('is established once the caBundle is corrected, and stays so', () => {
    const { status } = settled(convertedBy('broken'))
    const mended = settled(withStatus(convertedBy(certificate), status ?? {}))
    assert.match(condition(mended, 'Established') ?? '', /^True InitialNamesAccepted/)
    const broken = settled(withStatus(convertedBy('broken'), mended.status ?? {}))
    assert.match(condition(broken, 'Established') ?? '', /^True InitialNamesAccepted/)
  })
})
