import assert from 'node:assert/strict'
import type {
  Device,
  DeviceClaim,
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '../../../api/gen/resource.k8s.io/v1.ts'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { type Lister, listerOf } from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen } from '../../../lib/object/index.ts'
import type { Snapshot } from '../../../lib/scheduler/contract.ts'
import { allocateDevices } from '../../../lib/scheduler/dra/allocate.ts'
import type { DeviceSnapshot } from '../../../lib/scheduler/dra/contract.ts'
import { DeviceIndex } from '../../../lib/scheduler/dra/deviceindex.ts'
import { classesByResource, extendedClaimOf } from '../../../lib/scheduler/dra/extended.ts'
import { requestsOf } from '../../../lib/scheduler/dra/requests.ts'
import { allocationOf } from '../../../lib/scheduler/dra/result.ts'
import { SearchBudget } from '../../../lib/scheduler/dra/searchbudget.ts'
import { DeviceSelectors } from '../../../lib/scheduler/dra/selectors.ts'
import { usageOf } from '../../../lib/scheduler/dra/usage.ts'
import { unschedulableMessage } from '../../../lib/scheduler/message.ts'
import { chooseNode } from '../../../lib/scheduler/plan.ts'
import { podInfo } from '../../../lib/scheduler/podinfo.ts'
import { defaultProfile } from '../../../lib/scheduler/profile.ts'
import { ClusterState } from '../../../lib/scheduler/state.ts'
import { givenObject } from '../../support/controllerscript.ts'

const driver = 'gpu.example.org'
const v1 = 'resource.k8s.io/v1'

/** A pool of a driver on one node, in one slice. */
function slice(node: string, devices: readonly Device[], more: object = {}): Frozen<ResourceSlice> {
  return givenObject({
    apiVersion: v1,
    kind: 'ResourceSlice',
    metadata: { name: `${node}-${driver}` },
    spec: { driver, pool: { name: node, generation: 1, resourceSliceCount: 1 }, nodeName: node, devices, ...more },
  }) as Frozen<ResourceSlice>
}

function gpu(name: string, model = 'small', more: Partial<Device> = {}): Device {
  return {
    name,
    attributes: {
      model: { string: model },
      version: { version: '1.2.3' },
      index: { int: Number(/\d+/.exec(name) ?? 0) },
    },
    capacity: { memory: { value: model === 'large' ? '80Gi' : '40Gi' } },
    ...more,
  }
}

function claim(name: string, devices: object, status: object = {}): Frozen<ResourceClaim> {
  return givenObject({
    apiVersion: v1,
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '1' },
    spec: { devices },
    status,
  }) as Frozen<ResourceClaim>
}

const exactly = (more: object = {}): DeviceClaim =>
  ({ requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', ...more } }] }) as DeviceClaim
const cel = (expression: string): object => ({ selectors: [{ cel: { expression } }] })
const allocated = (...devices: readonly string[]): object => ({
  allocation: { devices: { results: devices.map((device) => ({ request: 'r', driver, pool: 'a', device })) } },
})

const gpuClass = givenObject({
  apiVersion: v1,
  kind: 'DeviceClass',
  metadata: { name: 'gpu' },
  spec: {
    selectors: [{ cel: { expression: `device.driver == "${driver}"` } }],
    config: [{ opaque: { driver, parameters: { from: 'class' } } }],
  },
}) as Frozen<DeviceClass>

function devicesOf(
  slices: readonly Frozen<ResourceSlice>[],
  claims: readonly Frozen<ResourceClaim>[],
): DeviceSnapshot & { claims: Lister<ResourceClaim> } {
  const index = new DeviceIndex(slices)
  return {
    // The types of frozen JSON are too deep to be inferred.
    claims: listerOf<ResourceClaim>(claims as never),
    classes: listerOf<DeviceClass>([gpuClass] as never),
    pending: new Map(),
    selectors: new DeviceSelectors(),
    index: () => index,
    extendedClasses: () => new Map(),
  }
}

const nothing: Lister<never> = listerOf<never>([])

/** The node of a pod with these claims, or the message about it. */
function placed(
  slices: readonly Frozen<ResourceSlice>[],
  claims: readonly Frozen<ResourceClaim>[],
  options: {
    readonly nodes?: readonly string[]
    readonly names?: readonly string[]
    readonly spec?: object
    readonly status?: object
  } = {},
): string {
  const { nodes = ['a', 'b'], names = ['c'] } = options
  const state = new ClusterState()
  for (const name of nodes)
    state.setNode(
      givenObject({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { zone: name === 'a' ? '1' : '2' } },
        status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } },
      }) as never,
    )
  const pod = givenObject({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', uid: 'p' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      resourceClaims: names.map((name) => ({ name, resourceClaimName: name })),
      ...options.spec,
    },
    status: options.status ?? {},
  }) as Frozen<ApiObject>
  const snapshot: Snapshot = {
    nodes: state.nodes,
    nominated: state.nominated,
    volumes: { claims: nothing, volumes: nothing, classes: nothing, csiNodes: nothing },
    devices: devicesOf(slices, claims),
    controlledBy: () => undefined,
    namespaceLabels: () => undefined,
    defaultSelector: () => undefined,
  }
  const profile = defaultProfile('default-scheduler')
  const decision = chooseNode(podInfo(pod as never), snapshot, { profile, random: createSeededRandom(1) })
  if ('node' in decision) return decision.node
  return unschedulableMessage(snapshot.nodes.size, decision.refusals, decision.problem)
}

/** The devices that a claim gets on node a, as `request=device`, or the reason why not. */
function chosen(
  slices: readonly Frozen<ResourceSlice>[],
  wanted: Frozen<ResourceClaim>,
  others: readonly Frozen<ResourceClaim>[] = [],
  budget = new SearchBudget(),
): string {
  const found = chooseOn(slices, wanted, others, budget)
  return typeof found === 'string'
    ? found
    : found.map(({ request, info }) => `${request.name}=${info.device.name}`).join(' ')
}

function nodeA(): Parameters<typeof allocateDevices>[1] {
  const state = new ClusterState()
  state.setNode(
    givenObject({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', labels: { zone: '1' } } }) as never,
  )
  const node = state.nodes.get('a')
  assert.ok(node)
  return node
}

function chooseOn(
  slices: readonly Frozen<ResourceSlice>[],
  wanted: Frozen<ResourceClaim>,
  others: readonly Frozen<ResourceClaim>[],
  budget = new SearchBudget(),
): ReturnType<typeof allocateDevices> {
  const snapshot = devicesOf(slices, [wanted, ...others])
  const requests = requestsOf(wanted, snapshot)
  assert.ok(typeof requests !== 'string')
  return allocateDevices(requests, nodeA(), { snapshot, usage: usageOf(snapshot), budget })
}

function resultOf(slices: readonly Frozen<ResourceSlice>[], wanted: Frozen<ResourceClaim>): unknown {
  const found = chooseOn(slices, wanted, [])
  assert.ok(typeof found !== 'string', String(found))
  const { classes } = devicesOf(slices, [])
  const options = { node: nodeA(), classes, nowMs: 0, newShareId: () => 'share' }
  return allocationOf(wanted as never, found, options)
}

const two = [slice('a', [gpu('gpu-0'), gpu('gpu-1', 'large')]), slice('b', [gpu('gpu-0')])]

describe('scheduler: claims for devices', () => {
  const places: readonly (readonly [title: string, ...Parameters<typeof placed>, expected: string | RegExp])[] = [
    [
      'a claim leads to the node with a matching device',
      two,
      [claim('c', exactly(cel(`device.attributes["${driver}"].model == "large"`)))],
      {},
      'a',
    ],
    [
      'a claim for more devices than a node has left',
      two,
      [claim('c', exactly({ count: 2 })), claim('d', exactly(), allocated('gpu-0'))],
      {},
      '0/2 nodes are available: 2 cannot allocate all claims.',
    ],
    [
      'a claim that is allocated leads to its node',
      two,
      [
        claim('c', exactly(), {
          allocation: {
            devices: {},
            nodeSelector: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }],
            },
          },
        }),
      ],
      {},
      'b',
    ],
    [
      'a claim whose devices are elsewhere',
      two,
      [
        claim('c', exactly(), {
          allocation: {
            devices: {},
            nodeSelector: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['z'] }] }],
            },
          },
        }),
      ],
      {},
      '0/2 nodes are available: 2 resourceclaim not available on the node.',
    ],
    [
      'a claim that is missing is named',
      two,
      [],
      {},
      '0/2 nodes are available: resourceclaim.resource.k8s.io "c" not found.',
    ],
    [
      'a class that is missing is named',
      two,
      [claim('c', exactly({ deviceClassName: 'none' }))],
      {},
      '0/2 nodes are available: request r: device class none does not exist.',
    ],
    [
      'a claim of a template that is not made yet',
      two,
      [],
      { spec: { resourceClaims: [{ name: 'c', resourceClaimTemplateName: 't' }] } },
      '0/2 nodes are available: pod "default/p": ResourceClaim not created yet.',
    ],
    [
      'a claim of another pod',
      two,
      [claim('other', exactly())],
      {
        spec: { resourceClaims: [{ name: 'c', resourceClaimTemplateName: 't' }] },
        status: { resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'other' }] },
      },
      /was not created for pod default\/p/,
    ],
    [
      'a claim with 256 consumers',
      two,
      [
        claim('c', exactly(), {
          ...allocated('gpu-0'),
          reservedFor: Array.from({ length: 256 }, (_, index) => ({
            resource: 'pods',
            name: `p${index}`,
            uid: `u${index}`,
          })),
        }),
      ],
      {},
      '0/2 nodes are available: resourceclaim in use.',
    ],
    [
      'an expression without a value for a device',
      two,
      [claim('c', exactly(cel(`device.attributes["${driver}"].colour == "red"`)))],
      {},
      '0/2 nodes are available: 2 claim default/c: selector #0: runtime error: no such key: colour.',
    ],
    [
      'devices of other nodes by a selector',
      [
        slice('a', [gpu('gpu-0')], {
          nodeName: undefined,
          nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['2'] }] }] },
        }),
      ],
      [claim('c', exactly())],
      {},
      'b',
    ],
    [
      'devices with a node each',
      [slice('a', [gpu('gpu-0', 'small', { nodeName: 'b' })], { nodeName: undefined, perDeviceNodeSelection: true })],
      [claim('c', exactly())],
      {},
      'b',
    ],
    [
      'two claims that need the same device',
      two,
      [
        claim('c', exactly(cel(`device.attributes["${driver}"].model == "large"`))),
        claim('d', exactly(cel(`device.attributes["${driver}"].model == "large"`))),
      ],
      { names: ['c', 'd'] },
      '0/2 nodes are available: 2 cannot allocate all claims.',
    ],
  ]
  for (const [title, slices, claims, options, expected] of places)
    it(title, () => {
      const found = placed(slices, claims, options)
      if (typeof expected === 'string') assert.equal(found, expected)
      else assert.match(found, expected)
    })

  const of = (name: string, more: object = {}): object => ({ name, exactly: { deviceClassName: 'gpu', ...more } })
  const many = [slice('a', [gpu('gpu-0'), gpu('gpu-1', 'large'), gpu('gpu-2'), gpu('gpu-3', 'large')])]
  const tainted = (effect: string): readonly Frozen<ResourceSlice>[] => [
    slice('a', [gpu('gpu-0', 'small', { taints: [{ key: 'broken', value: 'yes', effect }] }), gpu('gpu-1')]),
  ]
  const counters = (memory: string) => ({
    consumesCounters: [{ counterSet: 's', counters: { memory: { value: memory } } }],
  })
  const shared = { sharedCounters: [{ name: 's', counters: { memory: { value: '80Gi' } } }] }
  const parts = [
    slice(
      'a',
      [
        gpu('whole', 'large', counters('80Gi')),
        gpu('half-0', 'small', counters('40Gi')),
        gpu('half-1', 'small', counters('40Gi')),
      ],
      shared,
    ),
  ]
  const sharable = (more: object = {}): readonly Frozen<ResourceSlice>[] => [
    slice('a', [
      gpu('gpu-0', 'small', { allowMultipleAllocations: true, capacity: { memory: { value: '40Gi', ...more } } }),
    ]),
  ]
  const memory = (amount: string): object => ({ capacity: { requests: { memory: amount } } })
  const shareOf = (amount: string): Frozen<ResourceClaim> =>
    claim('other', exactly(), {
      allocation: {
        devices: {
          results: [
            { request: 'r', driver, pool: 'a', device: 'gpu-0', shareID: 's', consumedCapacity: { memory: amount } },
          ],
        },
      },
    })
  const model = `${driver}/model`

  const choices: readonly (readonly [
    title: string,
    slices: readonly Frozen<ResourceSlice>[],
    spec: object,
    others: readonly Frozen<ResourceClaim>[],
    expected: string | RegExp,
  ])[] = [
    [
      'the first free devices are taken',
      many,
      exactly({ count: 2 }),
      [claim('o', exactly(), allocated('gpu-0'))],
      'r=gpu-1 r=gpu-2',
    ],
    [
      'the search goes back where a later request finds nothing',
      many,
      {
        requests: [
          of('any', { count: 2 }),
          of('small', { count: 2, ...cel(`device.attributes["${driver}"].model == "small"`) }),
        ],
      },
      [],
      'any=gpu-1 any=gpu-3 small=gpu-0 small=gpu-2',
    ],
    [
      'devices of one model',
      many,
      { requests: [of('r', { count: 2 })], constraints: [{ matchAttribute: model }] },
      [],
      'r=gpu-0 r=gpu-2',
    ],
    [
      'three devices of one model are not there',
      many,
      { requests: [of('r', { count: 3 })], constraints: [{ matchAttribute: model }] },
      [],
      'cannot allocate all claims',
    ],
    [
      'devices of different models',
      many,
      { requests: [of('r', { count: 2 })], constraints: [{ distinctAttribute: model }] },
      [],
      'r=gpu-0 r=gpu-1',
    ],
    [
      'three different models are not there',
      many,
      { requests: [of('r', { count: 3 })], constraints: [{ distinctAttribute: model }] },
      [],
      'cannot allocate all claims',
    ],
    [
      'a constraint about one request leaves others alone',
      many,
      { requests: [of('x'), of('y')], constraints: [{ requests: ['x'], matchAttribute: model }] },
      [],
      'x=gpu-0 y=gpu-1',
    ],
    [
      'a constraint on an attribute that devices lack',
      many,
      { requests: [of('r')], constraints: [{ matchAttribute: `${driver}/none` }] },
      [],
      'cannot allocate all claims',
    ],
    ['all devices', many, exactly({ allocationMode: 'All' }), [], 'r=gpu-0 r=gpu-1 r=gpu-2 r=gpu-3'],
    [
      'all devices of a model',
      many,
      exactly({ allocationMode: 'All', ...cel(`device.attributes["${driver}"].model == "large"`) }),
      [],
      'r=gpu-1 r=gpu-3',
    ],
    [
      'all devices, one of which is taken',
      many,
      exactly({ allocationMode: 'All' }),
      [claim('o', exactly(), allocated('gpu-2'))],
      'cannot allocate all claims',
    ],
    ['all devices where there are none', [], exactly({ allocationMode: 'All' }), [], 'cannot allocate all claims'],
    [
      'all devices of a pool that is not complete',
      [slice('a', [gpu('gpu-0')], { pool: { name: 'a', generation: 1, resourceSliceCount: 2 } })],
      exactly({ allocationMode: 'All' }),
      [],
      /asks for all devices, but resource pool gpu\.example\.org\/a is currently being updated/,
    ],
    [
      'a device of a pool that is not complete',
      [slice('a', [gpu('gpu-0')], { pool: { name: 'a', generation: 1, resourceSliceCount: 2 } })],
      exactly(),
      [],
      'r=gpu-0',
    ],
    [
      'all of more devices than a claim may have',
      [
        slice(
          'a',
          Array.from({ length: 33 }, (_, index) => gpu(`gpu-${index}`)),
        ),
      ],
      exactly({ allocationMode: 'All' }),
      [],
      /number of requested devices 33 exceeds the claim limit of 32/,
    ],
    [
      'administrative access to a device that is in use',
      many,
      exactly({ adminAccess: true }),
      [claim('o', exactly(), allocated('gpu-0'))],
      'r=gpu-0',
    ],
    [
      'administrative access to a device twice in one claim',
      [slice('a', [gpu('gpu-0')])],
      exactly({ adminAccess: true, count: 2 }),
      [],
      'cannot allocate all claims',
    ],
    [
      'the first kind that is available',
      many,
      {
        requests: [
          {
            name: 'r',
            firstAvailable: [
              { name: 'huge', deviceClassName: 'gpu', ...cel('false') },
              { name: 'large', deviceClassName: 'gpu', ...cel(`device.attributes["${driver}"].model == "large"`) },
              { name: 'any', deviceClassName: 'gpu' },
            ],
          },
        ],
      },
      [],
      'r/large=gpu-1',
    ],
    [
      'a later kind where constraints exclude the first',
      many,
      {
        requests: [
          of('s', cel(`device.attributes["${driver}"].model == "small"`)),
          {
            name: 'r',
            firstAvailable: [
              { name: 'large', deviceClassName: 'gpu', ...cel(`device.attributes["${driver}"].model == "large"`) },
              { name: 'any', deviceClassName: 'gpu' },
            ],
          },
        ],
        constraints: [{ matchAttribute: model }],
      },
      [],
      's=gpu-0 r/any=gpu-2',
    ],
    ['a tainted device is left alone', tainted('NoSchedule'), exactly(), [], 'r=gpu-1'],
    ['a taint without an effect is ignored', tainted('None'), exactly(), [], 'r=gpu-0'],
    [
      'a taint that is tolerated',
      tainted('NoExecute'),
      exactly({ tolerations: [{ key: 'broken', operator: 'Equal', value: 'yes', effect: 'NoExecute' }] }),
      [],
      'r=gpu-0',
    ],
    [
      'a toleration of another value',
      tainted('NoSchedule'),
      exactly({ tolerations: [{ key: 'broken', operator: 'Equal', value: 'no' }] }),
      [],
      'r=gpu-1',
    ],
    ['parts of a device share its counters', parts, exactly({ count: 2 }), [], 'r=half-0 r=half-1'],
    [
      'a whole device is not left where a part is taken',
      parts,
      exactly(cel(`device.attributes["${driver}"].model == "large"`)),
      [claim('o', exactly(), allocated('half-0'))],
      'cannot allocate all claims',
    ],
    [
      'a part is left where the other is taken',
      parts,
      exactly(),
      [claim('o', exactly(), allocated('half-0'))],
      'r=half-1',
    ],
    ['a shared device has room for another share', sharable(), exactly(memory('10Gi')), [shareOf('30Gi')], 'r=gpu-0'],
    ['a shared device is full', sharable(), exactly(memory('11Gi')), [shareOf('30Gi')], 'cannot allocate all claims'],
    [
      'a share without an amount takes all of it',
      sharable(),
      exactly(),
      [shareOf('1Gi')],
      'cannot allocate all claims',
    ],
    [
      'several shares of one device',
      sharable(),
      exactly({ count: 4, ...memory('10Gi') }),
      [],
      'r=gpu-0 r=gpu-0 r=gpu-0 r=gpu-0',
    ],
    ['more shares than fit', sharable(), exactly({ count: 5, ...memory('10Gi') }), [], 'cannot allocate all claims'],
    [
      'an amount is rounded up by steps',
      sharable({ requestPolicy: { default: '5Gi', validRange: { min: '5Gi', step: '5Gi' } } }),
      exactly(memory('6Gi')),
      [shareOf('31Gi')],
      'cannot allocate all claims',
    ],
    [
      'the default amount of a policy',
      sharable({ requestPolicy: { default: '5Gi', validValues: ['5Gi', '20Gi'] } }),
      exactly(),
      [shareOf('35Gi')],
      'r=gpu-0',
    ],
    [
      'an amount beyond the allowed ones',
      sharable({ requestPolicy: { default: '5Gi', validValues: ['5Gi', '20Gi'] } }),
      exactly(memory('21Gi')),
      [],
      'cannot allocate all claims',
    ],
    [
      'a capacity that devices lack',
      sharable(),
      exactly({ capacity: { requests: { cores: '1' } } }),
      [],
      'cannot allocate all claims',
    ],
    ['a device with enough of a capacity for itself', many, exactly(memory('60Gi')), [], 'r=gpu-1'],
    [
      'amounts are compared as quantities',
      many,
      exactly(cel(`device.capacity["${driver}"].memory.compareTo(quantity("50Gi")) > 0`)),
      [],
      'r=gpu-1',
    ],
    [
      'versions are compared as versions',
      many,
      exactly(cel(`device.attributes["${driver}"].version.isGreaterThan(semver("1.2.2"))`)),
      [],
      'r=gpu-0',
    ],
    [
      'a domain of another driver is empty',
      many,
      exactly(cel('"x" in device.attributes["other.example.org"]')),
      [],
      'cannot allocate all claims',
    ],
    [
      'an older generation of a pool is left out',
      [
        slice('a', [gpu('old')]),
        givenObject({
          apiVersion: v1,
          kind: 'ResourceSlice',
          metadata: { name: 'newer' },
          spec: {
            driver,
            pool: { name: 'a', generation: 2, resourceSliceCount: 1 },
            nodeName: 'a',
            devices: [gpu('new')],
          },
        }) as never,
      ],
      exactly(),
      [],
      'r=new',
    ],
    [
      'a pool with two devices of one name',
      [slice('a', [gpu('gpu-0'), gpu('gpu-0')])],
      exactly(),
      [],
      /pool gpu\.example\.org\/a is invalid: duplicate device name gpu-0/,
    ],
  ]
  for (const [title, slices, spec, others, expected] of choices)
    it(title, () => {
      const found = chosen(slices, claim('c', spec), others)
      if (typeof expected === 'string') assert.equal(found, expected)
      else assert.match(found, expected)
    })

  it('a search without a solution ends at its limit, in stock words, and holds the event loop for less than 100 ms', () => {
    // 28 equal devices: half of 2^28 choices would have to be tried.
    const slices = [
      slice(
        'a',
        Array.from({ length: 28 }, (_, index) => gpu(`gpu-${index}`, index % 2 === 0 ? 'x' : 'y')),
      ),
    ]
    const spec = { requests: [of('r', { count: 15 })], constraints: [{ matchAttribute: model }] }
    const wanted = claim('c', spec)
    assert.equal(chosen(slices, wanted, [], new SearchBudget(5000)), 'timed out trying to allocate devices')
    const since = process.threadCpuUsage()
    assert.equal(chosen(slices, wanted), 'timed out trying to allocate devices')
    const { user } = process.threadCpuUsage(since)
    assert.ok(user / 1000 < 100, `${user / 1000} ms`)
  })

  it('the allocation names devices, settings, tolerations and nodes as a stock scheduler does', () => {
    const spec = {
      requests: [of('r', { tolerations: [{ key: 'k', operator: 'Exists' }] })],
      config: [{ requests: ['r'], opaque: { driver, parameters: { from: 'claim' } } }],
    }
    assert.deepEqual(resultOf(two, claim('c', spec)), {
      devices: {
        results: [
          { request: 'r', driver, pool: 'a', device: 'gpu-0', tolerations: [{ key: 'k', operator: 'Exists' }] },
        ],
        config: [
          { source: 'FromClass', requests: ['r'], opaque: { driver, parameters: { from: 'class' } } },
          { source: 'FromClaim', requests: ['r'], opaque: { driver, parameters: { from: 'claim' } } },
        ],
      },
      nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }] },
    })
  })

  it('the allocation of a share has its id and the amounts, in the form of the capacity', () => {
    const result = resultOf(sharable(), claim('c', exactly(memory('10Gi')))) as { devices: { results: unknown[] } }
    assert.deepEqual(result.devices.results, [
      { request: 'r', driver, pool: 'a', device: 'gpu-0', shareID: 'share', consumedCapacity: { memory: '10Gi' } },
    ])
  })

  it('the allocation of devices that all nodes reach has no nodes, and one with conditions has a time', () => {
    const everywhere = [
      slice('a', [gpu('gpu-0', 'small', { bindingConditions: ['Ready'], bindingFailureConditions: ['Broken'] })], {
        nodeName: undefined,
        allNodes: true,
      }),
    ]
    const result = resultOf(everywhere, claim('c', exactly())) as Record<string, unknown>
    assert.equal(result['nodeSelector'], undefined)
    assert.equal(result['allocationTimestamp'], '1970-01-01T00:00:00Z')
    const [device] = (result['devices'] as { results: Record<string, unknown>[] }).results
    assert.deepEqual([device?.['bindingConditions'], device?.['bindingFailureConditions']], [['Ready'], ['Broken']])
  })
})

describe('extended resources by device class', () => {
  const classOf = (name: string, extendedResourceName: string, at: string): Frozen<DeviceClass> =>
    givenObject({
      apiVersion: v1,
      kind: 'DeviceClass',
      metadata: { name, creationTimestamp: `2026-01-0${at}T00:00:00Z` },
      spec: { extendedResourceName },
    }) as Frozen<DeviceClass>
  const classes = [
    classOf('old', 'x.org/gpu', '1'),
    classOf('b', 'x.org/gpu', '2'),
    classOf('a', 'x.org/gpu', '2'),
    classOf('nic', 'x.org/nic', '3'),
  ]
  const byResource = classesByResource(listerOf<DeviceClass>(classes as never))

  it('the newest class serves a resource, of several the first by name, and each class one of its own name', () => {
    assert.deepEqual(Object.fromEntries(byResource), {
      'deviceclass.resource.kubernetes.io/a': 'a',
      'deviceclass.resource.kubernetes.io/b': 'b',
      'deviceclass.resource.kubernetes.io/nic': 'nic',
      'deviceclass.resource.kubernetes.io/old': 'old',
      'x.org/gpu': 'a',
      'x.org/nic': 'nic',
    })
  })

  const container = (name: string, requests: object, more: object = {}): object => ({
    name,
    image: 'i',
    resources: { requests },
    ...more,
  })
  const claimed = (spec: object): unknown => {
    const pod = givenObject({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', uid: 'u' }, spec, status: {} })
    const found = extendedClaimOf(podInfo(pod as never), nodeA(), { extendedClasses: () => byResource })
    return (
      found && {
        requests: found.claim.spec.devices.requests?.map(
          ({ name, exactly }) => `${name}: ${exactly?.count} ${exactly?.deviceClassName}`,
        ),
        mappings: found.mappings.map((each) => `${each.containerName} ${each.resourceName} ${each.requestName}`),
      }
    )
  }

  it('containers have devices of their own, by the place of the resource among their requests', () => {
    const gpu = { 'x.org/gpu': '2', cpu: '1' }
    const containers = [container('c', gpu), container('d', { 'x.org/nic': '1', 'x.org/gpu': '1' }), container('e', {})]
    assert.deepEqual(claimed({ containers }), {
      requests: ['container-0-request-1: 2 a', 'container-1-request-0: 1 a', 'container-1-request-1: 1 nic'],
      mappings: [
        'c x.org/gpu container-0-request-1',
        'd x.org/gpu container-1-request-0',
        'd x.org/nic container-1-request-1',
      ],
    })
  })

  it('init containers that end use the devices of later ones, and share what they need more', () => {
    const gpu = (count: string): object => ({ 'x.org/gpu': count })
    const initContainers = [
      container('one', gpu('1')),
      container('most', gpu('5')),
      container('side', gpu('1'), { restartPolicy: 'Always' }),
      container('more', gpu('3')),
    ]
    assert.deepEqual(claimed({ initContainers, containers: [container('c', gpu('2'))] }), {
      requests: ['container-1-request-0: 2 a', 'container-2-request-0: 1 a', 'container-4-request-0: 2 a'],
      mappings: [
        'side x.org/gpu container-2-request-0',
        'c x.org/gpu container-4-request-0',
        'one x.org/gpu container-2-request-0',
        'most x.org/gpu container-2-request-0',
        'most x.org/gpu container-4-request-0',
        'most x.org/gpu container-1-request-0',
        'more x.org/gpu container-4-request-0',
        'more x.org/gpu container-1-request-0',
      ],
    })
  })

  it('a pod without such resources needs no claim', () => {
    assert.equal(claimed({ containers: [container('c', { cpu: '1', 'y.org/other': '1' })] }), undefined)
  })
})
