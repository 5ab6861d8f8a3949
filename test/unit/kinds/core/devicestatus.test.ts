import assert from 'node:assert/strict'
import { checkExtendedResourceClaim, checkResourceHealth } from '../../../../lib/kinds/core/pod/devicestatus.ts'
import { type FieldError, FieldPath } from '../../../../lib/object/index.ts'

type Claim = Parameters<typeof checkExtendedResourceClaim>[1]
type Statuses = NonNullable<Parameters<typeof checkResourceHealth>[1]>

const shown = (errors: readonly FieldError[]): string[] => errors.map(({ field, message }) => `${field}: ${message}`)
const containers = [
  {
    name: 'c',
    resources: { requests: { 'a.io/gpu': '1' }, claims: [{ name: 'one' }, { name: 'two', request: 'r' }] },
  },
]

describe('a pod’s claim for extended resources', () => {
  function findings(change: Partial<Claim>): string[] {
    const errors: FieldError[] = []
    const mapping = { containerName: 'c', resourceName: 'a.io/gpu', requestName: 'r0' }
    const claim = { resourceClaimName: 'x', requestMappings: [mapping], ...change }
    checkExtendedResourceClaim(
      errors,
      claim,
      { containers, initContainers: [{ name: 'i', resources: {} }] },
      FieldPath.root('s'),
    )
    return shown(errors)
  }
  const mapping = (containerName: string, resourceName = 'a.io/gpu', requestName = 'r0') => ({
    requestMappings: [{ containerName, resourceName, requestName }],
  })
  const at = 's.requestMappings[0]'
  const lists = 'spec.initContainers.resources.requests or spec.containers.resources.requests'
  const cases: [string, Partial<Claim>, string[]][] = [
    ['a container’s request', {}, []],
    [
      'no request',
      { requestMappings: [] },
      ['s.requestMappings: Required value: at least one request mapping is required'],
    ],
    [
      'another container',
      mapping('other'),
      [
        `${at}.containerName: Invalid value: "other": must match the name of an entry in spec.initContainers.name or spec.containers.name`,
      ],
    ],
    [
      'another resource',
      mapping('i'),
      [`${at}.resourceName: Invalid value: "a.io/gpu": must match the extended resource name of an entry in ${lists}`],
    ],
    [
      'one request twice',
      { requestMappings: [...mapping('c').requestMappings, ...mapping('c').requestMappings] },
      [
        's.requestMappings[1].containerName: Duplicate value: "c"',
        's.requestMappings[1].resourceName: Duplicate value: "a.io/gpu"',
        's.requestMappings[1].requestName: Duplicate value: "r0"',
      ],
    ],
    ['no claim', { resourceClaimName: '' }, ['s.resourceClaimName: Required value']],
  ]
  for (const [title, change, expected] of cases)
    it(`with ${title} is ${expected.length === 0 ? 'valid' : 'refused'}`, () => {
      assert.deepEqual(findings(change), expected)
    })

  it('names requests and itself in the form of names', () => {
    assert.match(
      findings(mapping('c', 'a.io/gpu', 'R')).join(),
      /^s\.requestName: Invalid value: "R": a lowercase RFC 1123 label/,
    )
    assert.match(findings({ resourceClaimName: 'X' }).join(), /^s\.resourceClaimName: Invalid value: "X": a lowercase/)
  })
})

describe('the health of a container’s devices', () => {
  function findings(name: string, resources: object[] = [], container = 'c'): string[] {
    const errors: FieldError[] = []
    const statuses = [{ name: container, allocatedResourcesStatus: [{ name, resources }] }] as unknown as Statuses
    checkResourceHealth(errors, statuses, containers, FieldPath.root('s'))
    return shown(errors)
  }
  const at = 's[0].allocatedResourcesStatus[0]'
  const forms = "'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
  const healthy = { resourceID: 'd', health: 'Healthy' }
  const cases: [string, string, object[], string[]][] = [
    ['a requested resource', 'a.io/gpu', [healthy], []],
    ['a claim', 'claim:one', [healthy, { ...healthy, resourceID: 'e' }], []],
    ['a request of a claim', 'claim:two/r', [{ ...healthy, message: 'hot' }], []],
    [
      'another resource',
      'a.io/other',
      [],
      [`${at}.name: Invalid value: "a.io/other": must match one of the container's resource requests`],
    ],
    [
      'a claim without its request',
      'claim:two',
      [],
      [
        `${at}.name: Invalid value: "claim:two": must match one of the container's resource claims in a format ${forms}`,
      ],
    ],
    [
      'another health',
      'a.io/gpu',
      [{ resourceID: 'd', health: 'Fine' }],
      [`${at}.resources[0].health: Unsupported value: "Fine": supported values: "Healthy", "Unhealthy", "Unknown"`],
    ],
    ['a device twice', 'a.io/gpu', [healthy, healthy], [`${at}.resources[1].resourceID: Duplicate value: "d"`]],
    [
      'an empty message',
      'a.io/gpu',
      [{ ...healthy, message: '' }],
      [`${at}.resources[0].message: Required value: must be non-empty if specified`],
    ],
    [
      'a long message',
      'a.io/gpu',
      [{ ...healthy, message: 'x'.repeat(1025) }],
      [`${at}.resources[0].message: Too long: may not be more than 1024 bytes`],
    ],
  ]
  for (const [title, name, resources, expected] of cases)
    it(`of ${title} is ${expected.length === 0 ? 'valid' : 'refused'}`, () => {
      assert.deepEqual(findings(name, resources), expected)
    })

  it('of a container that the pod lacks is passed over', () => {
    assert.deepEqual(findings('a.io/other', [], 'gone'), [])
  })
})
