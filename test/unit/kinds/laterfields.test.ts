import assert from 'node:assert/strict'
import { type ApiObject, copyObject } from '../../../lib/object/index.ts'
import type { Loose } from '../../support/kindcases.ts'
import { created, updated } from '../../support/kindrun.ts'
import { valid as driver } from '../../support/valid/CSIDriver.ts'
import { valid as node } from '../../support/valid/Node.ts'
import { valid as slice } from '../../support/valid/ResourceSlice.ts'

function findings(valid: ApiObject, change: (object: Loose) => void): readonly string[] {
  const given = copyObject(valid)
  change(given)
  return created(given).findings
}

describe('fields that came after 1.33', () => {
  const device = 'spec.devices[0]'
  const binding =
    (bindingConditions: string[], bindingFailureConditions: string[]) =>
    (o: Loose): void =>
      void Object.assign(o.spec.devices[0], { bindingConditions, bindingFailureConditions })
  const cases: readonly (readonly [title: string, change: (object: Loose) => void, findings: readonly string[]])[] = [
    ['are of success and of failure', binding(['a', 'b'], ['c']), []],
    [
      'are different',
      binding(['a', 'a'], ['a']),
      [
        `${device}.bindingConditions[1]: Duplicate value: "a"`,
        `${device}.bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions`,
      ],
    ],
    [
      'are at most four',
      binding(['a', 'b', 'c', 'd', 'e'], ['f']),
      [`${device}.bindingConditions: Too many: 5: must have at most 4 items`],
    ],
    [
      'of success need some of failure',
      binding(['a'], []),
      [
        `${device}.bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions`,
      ],
    ],
    [
      'of failure need some of success',
      binding([], ['a']),
      [
        `${device}.bindingConditions: Invalid value: null: bindingConditions are required to use bindingFailureConditions`,
      ],
    ],
  ]
  for (const [title, change, expected] of cases)
    it(`conditions of a device for binding a pod ${title}`, () =>
      assert.deepEqual(
        findings(slice, change).map((text) => text.replace(/value: \[\]/, 'value: null')),
        expected,
      ))

  it('tokens of a driver are in secrets only where it asks for tokens', () => {
    const inSecrets =
      (tokenRequests: object[]) =>
      (o: Loose): void =>
        void Object.assign(o.spec, { serviceAccountTokenInSecrets: true, tokenRequests })
    assert.deepEqual(findings(driver, inSecrets([{ audience: 'a' }])), [])
    assert.deepEqual(findings(driver, inSecrets([])), [
      'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    ])
  })

  it('features that a node declares are sorted, and each is there once', () => {
    const declared = (...declaredFeatures: string[]): readonly string[] =>
      updated(created(node).object, (o: Loose) => void (o.status = { ...o.status, declaredFeatures }), {
        subresource: 'status',
      }).findings
    assert.deepEqual(declared('A', 'B', 'Bb9/c'), [])
    const form =
      "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"
    for (const name of ['a', 'A_b', 'A/', 'A/1'])
      assert.deepEqual(declared(name), [
        `status.declaredFeatures[0]: Invalid value: "${name}": invalid feature name "${name}": ${form}`,
      ])
    const long = 'A'.repeat(254)
    assert.deepEqual(declared(long), [
      `status.declaredFeatures[0]: Invalid value: "${long}": invalid feature name "${long}": must be no more than 253 characters`,
    ])
    assert.deepEqual(declared('B', 'A', 'A'), [
      'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
      'status.declaredFeatures[2]: Duplicate value: "A"',
    ])
  })
})
