import assert from 'node:assert/strict'
import { tables } from '../../../../api/index.ts'
import { applyStrategicMergePatch } from '../../../../lib/apply/index.ts'
import type { JsonObject } from '../../../../lib/object/index.ts'
import { compileTables } from '../../../../lib/schema/index.ts'
import { threadCpuMs } from '../../../support/cputime.ts'

const schemas = compileTables(tables)

type Case = readonly [title: string, type: string, live: unknown, patch: unknown, expected: unknown]

const pod = 'core/v1.Pod'
const podSpec = (spec: unknown): unknown => ({ spec })

const applied: readonly Case[] = [
  [
    'maps merge',
    'core/v1.ConfigMap',
    { data: { a: '1', b: '2' } },
    { data: { b: '3', c: '4' } },
    { data: { a: '1', b: '3', c: '4' } },
  ],
  [
    'null removes a key',
    'core/v1.ConfigMap',
    { data: { a: '1', b: '2' } },
    { data: { a: null } },
    { data: { b: '2' } },
  ],
  ['nulls in what is new are nothing', 'core/v1.ConfigMap', {}, { data: { a: null, b: '1' } }, { data: { b: '1' } }],
  [
    '$patch replace replaces a map',
    'core/v1.ConfigMap',
    { data: { a: '1' } },
    { data: { $patch: 'replace', b: '2' } },
    { data: { b: '2' } },
  ],
  [
    '$patch delete empties a map',
    'core/v1.ConfigMap',
    { data: { a: '1' } },
    { data: { $patch: 'delete' } },
    { data: {} },
  ],
  [
    '$patch replace at the root',
    'core/v1.ConfigMap',
    { data: { a: '1' } },
    { $patch: 'replace', data: { b: '2' } },
    { data: { b: '2' } },
  ],
  [
    'a marked map that is new is taken without its marker',
    'core/v1.ConfigMap',
    {},
    { data: { $patch: 'replace', b: '2' } },
    { data: { b: '2' } },
  ],
  ['a deletion of what is not there is nothing', 'core/v1.ConfigMap', {}, { data: { $patch: 'delete' } }, {}],
  [
    'containers merge by name',
    pod,
    podSpec({
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'y' },
      ],
    }),
    podSpec({ containers: [{ name: 'b', image: 'z' }] }),
    podSpec({
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'z' },
      ],
    }),
  ],
  [
    'a new container goes to the front',
    pod,
    podSpec({ containers: [{ name: 'a' }] }),
    podSpec({ containers: [{ name: 'b' }] }),
    podSpec({ containers: [{ name: 'b' }, { name: 'a' }] }),
  ],
  [
    'a container is deleted by its name',
    pod,
    podSpec({ containers: [{ name: 'a' }, { name: 'b' }] }),
    podSpec({ containers: [{ name: 'a', $patch: 'delete' }] }),
    podSpec({ containers: [{ name: 'b' }] }),
  ],
  [
    'a list is replaced by a marker item',
    pod,
    podSpec({ containers: [{ name: 'a' }, { name: 'b' }] }),
    podSpec({ containers: [{ $patch: 'replace' }, { name: 'c' }] }),
    podSpec({ containers: [{ name: 'c' }] }),
  ],
  [
    'an item whose key is null is another one',
    'core/v1.Service',
    { spec: { ports: [{ port: 80 }] } },
    { spec: { ports: [{ name: 'a', port: null }] } },
    { spec: { ports: [{ name: 'a', port: null }, { port: 80 }] } },
  ],
  ['null removes a list', pod, podSpec({ containers: [{ name: 'a' }] }), podSpec({ containers: null }), podSpec({})],
  [
    'env merges by name, and null drops a field of an item',
    pod,
    podSpec({
      containers: [
        {
          name: 'a',
          env: [
            { name: 'X', value: '1' },
            { name: 'Y', value: '2' },
          ],
        },
      ],
    }),
    podSpec({
      containers: [{ name: 'a', env: [{ name: 'X', value: null, valueFrom: { fieldRef: { fieldPath: 'a' } } }] }],
    }),
    podSpec({
      containers: [
        {
          name: 'a',
          env: [
            { name: 'X', valueFrom: { fieldRef: { fieldPath: 'a' } } },
            { name: 'Y', value: '2' },
          ],
        },
      ],
    }),
  ],
  [
    'ports merge by containerPort',
    pod,
    podSpec({ containers: [{ name: 'a', ports: [{ containerPort: 80 }, { containerPort: 81 }] }] }),
    podSpec({ containers: [{ name: 'a', ports: [{ containerPort: 81, name: 'x' }] }] }),
    podSpec({ containers: [{ name: 'a', ports: [{ containerPort: 80 }, { containerPort: 81, name: 'x' }] }] }),
  ],
  [
    'ports of one number: the first one merges',
    pod,
    podSpec({
      containers: [
        {
          name: 'a',
          ports: [
            { containerPort: 53, protocol: 'UDP' },
            { containerPort: 53, protocol: 'TCP' },
          ],
        },
      ],
    }),
    podSpec({ containers: [{ name: 'a', ports: [{ containerPort: 53, name: 'x' }] }] }),
    podSpec({
      containers: [
        {
          name: 'a',
          ports: [
            { containerPort: 53, protocol: 'UDP', name: 'x' },
            { containerPort: 53, protocol: 'TCP' },
          ],
        },
      ],
    }),
  ],
  [
    'service ports merge by port',
    'core/v1.Service',
    podSpec({ ports: [{ port: 80, targetPort: 1 }] }),
    podSpec({ ports: [{ port: 80, targetPort: 'x' }, { port: 81 }] }),
    podSpec({ ports: [{ port: 80, targetPort: 'x' }, { port: 81 }] }),
  ],
  [
    'volumes keep only the retained keys',
    pod,
    podSpec({ volumes: [{ name: 'v', emptyDir: {} }] }),
    podSpec({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] }),
    podSpec({ volumes: [{ name: 'v', configMap: { name: 'c' } }] }),
  ],
  [
    'a deployment strategy drops what is not retained',
    'apps/v1.Deployment',
    podSpec({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }),
    podSpec({ strategy: { $retainKeys: ['type'], type: 'Recreate' } }),
    podSpec({ strategy: { type: 'Recreate' } }),
  ],
  [
    'volume mounts merge by mountPath',
    pod,
    podSpec({ containers: [{ name: 'a', volumeMounts: [{ name: 'v', mountPath: '/x' }] }] }),
    podSpec({ containers: [{ name: 'a', volumeMounts: [{ name: 'w', mountPath: '/x' }] }] }),
    podSpec({ containers: [{ name: 'a', volumeMounts: [{ name: 'w', mountPath: '/x' }] }] }),
  ],
  [
    'tolerations are replaced',
    pod,
    podSpec({ tolerations: [{ key: 'a' }] }),
    podSpec({ tolerations: [{ key: 'b' }] }),
    podSpec({ tolerations: [{ key: 'b' }] }),
  ],
  [
    'commands are replaced',
    pod,
    podSpec({ containers: [{ name: 'a', command: ['x', 'y'] }] }),
    podSpec({ containers: [{ name: 'a', command: ['z'] }] }),
    podSpec({ containers: [{ name: 'a', command: ['z'] }] }),
  ],
  [
    'finalizers are added to',
    pod,
    { metadata: { finalizers: ['a'] } },
    { metadata: { finalizers: ['b', 'a'] } },
    { metadata: { finalizers: ['b', 'a'] } },
  ],
  [
    'finalizers are deleted by the parallel list',
    pod,
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['b'] } },
  ],
  [
    'a parallel list and additions go together',
    pod,
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { finalizers: ['c'], '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['c', 'b'] } },
  ],
  [
    'what a parallel list deletes is gone, although it is added, too',
    pod,
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['a', 'c'] } },
    { metadata: { finalizers: ['c', 'b'] } },
  ],
  [
    'an order of nothing demands nothing',
    pod,
    { metadata: { finalizers: ['a'] } },
    { metadata: { '$setElementOrder/finalizers': [], finalizers: ['c', 'b'] } },
    { metadata: { finalizers: ['c', 'b', 'a'] } },
  ],
  [
    'the order of finalizers is set',
    pod,
    { metadata: { finalizers: ['a', 'b', 'x'] } },
    { metadata: { '$setElementOrder/finalizers': ['c', 'b', 'a'], finalizers: ['c'] } },
    { metadata: { finalizers: ['c', 'b', 'a', 'x'] } },
  ],
  [
    'owner references merge by uid',
    pod,
    { metadata: { ownerReferences: [{ uid: '1', name: 'a' }] } },
    { metadata: { ownerReferences: [{ uid: '1', controller: true }, { uid: '2' }] } },
    { metadata: { ownerReferences: [{ uid: '1', name: 'a', controller: true }, { uid: '2' }] } },
  ],
  [
    'conditions merge by type',
    'core/v1.Node',
    {
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'Disk', status: 'False' },
        ],
      },
    },
    { status: { conditions: [{ type: 'Ready', status: 'False' }] } },
    {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'Disk', status: 'False' },
        ],
      },
    },
  ],
  [
    'image pull secrets of a service account are replaced',
    'core/v1.ServiceAccount',
    { imagePullSecrets: [{ name: 'a' }] },
    { imagePullSecrets: [{ name: 'b' }] },
    { imagePullSecrets: [{ name: 'b' }] },
  ],
  [
    'the order of containers is set, unnamed ones keep their place',
    pod,
    podSpec({ containers: [{ name: 'a' }, { name: 'sidecar' }, { name: 'b' }] }),
    podSpec({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [{ name: 'b', image: 'y' }] }),
    podSpec({ containers: [{ name: 'sidecar' }, { name: 'b', image: 'y' }, { name: 'a' }] }),
  ],
  [
    'an order alone reorders',
    pod,
    podSpec({ containers: [{ name: 'a' }, { name: 'b' }] }),
    podSpec({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] }),
    podSpec({ containers: [{ name: 'b' }, { name: 'a' }] }),
  ],
  [
    'an order of what is not there is nothing',
    pod,
    podSpec({}),
    podSpec({ '$setElementOrder/containers': [{ name: 'b' }] }),
    podSpec({}),
  ],
  [
    'an order with a deletion',
    pod,
    podSpec({ containers: [{ name: 'a' }, { name: 'b' }] }),
    podSpec({ '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a', $patch: 'delete' }] }),
    podSpec({ containers: [{ name: 'b' }] }),
  ],
  [
    'a new list comes in its order, without directives',
    pod,
    podSpec({}),
    podSpec({
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
      containers: [
        { name: 'b', '$setElementOrder/env': [{ name: 'x' }], env: [{ name: 'x' }] },
        { name: 'a' },
        { name: 'c', $patch: 'delete' },
      ],
    }),
    podSpec({ containers: [{ name: 'b', env: [{ name: 'x' }] }, { name: 'a' }] }),
  ],
  [
    'a value of another shape is replaced',
    pod,
    podSpec({ containers: 'x' }),
    podSpec({ containers: [{ name: 'a' }] }),
    podSpec({ containers: [{ name: 'a' }] }),
  ],
  [
    'resources merge as maps',
    pod,
    podSpec({ containers: [{ name: 'a', resources: { limits: { cpu: '1', memory: '1Gi' } } }] }),
    podSpec({ containers: [{ name: 'a', resources: { limits: { cpu: '2' } } }] }),
    podSpec({ containers: [{ name: 'a', resources: { limits: { cpu: '2', memory: '1Gi' } } }] }),
  ],
  [
    'extensions merge as plain JSON',
    'apps/v1.ControllerRevision',
    { data: { a: { b: 1 }, l: [1] } },
    { data: { a: { c: 2 }, l: [2] } },
    { data: { a: { b: 1, c: 2 }, l: [2] } },
  ],
  ['an unknown field is taken', pod, {}, { unknown: { a: 1 } }, { unknown: { a: 1 } }],
]

const refused: readonly [title: string, type: string, live: unknown, patch: unknown, code: number, message: string][] =
  [
    [
      'an unknown directive',
      'core/v1.ConfigMap',
      {},
      { $patch: 'foo' },
      500,
      'unknown patch type: foo in map: map[$patch:foo]',
    ],
    [
      'an unknown directive of an item',
      pod,
      podSpec({ containers: [{ name: 'a' }] }),
      podSpec({ containers: [{ name: 'a', $patch: 'x' }] }),
      500,
      'unknown patch type: x in map: map[$patch:x name:a]',
    ],
    [
      'merge as a directive of an item',
      pod,
      podSpec({ containers: [{ name: 'a' }] }),
      podSpec({ containers: [{ name: 'a', $patch: 'merge' }] }),
      500,
      'merging lists cannot yet be specified in the patch',
    ],
    [
      'an item without its merge key',
      pod,
      podSpec({ containers: [{ name: 'a' }] }),
      podSpec({ containers: [{ image: 'x' }] }),
      500,
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      'items of several types',
      pod,
      podSpec({ containers: [{ name: 'a' }] }),
      podSpec({ containers: ['x'] }),
      500,
      'list element types are not identical: [[map[name:a]] [x]]',
    ],
    [
      'a list of lists',
      pod,
      { metadata: { finalizers: [] } },
      { metadata: { finalizers: [[]] } },
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      'retained keys that are no list',
      pod,
      podSpec({ volumes: [{ name: 'v' }] }),
      podSpec({ volumes: [{ name: 'v', $retainKeys: 'x' }] }),
      400,
      'invalid patch format of retainKeys',
    ],
    [
      'a change outside of the retained keys',
      pod,
      podSpec({ volumes: [{ name: 'v' }] }),
      podSpec({ volumes: [{ name: 'v', $retainKeys: ['name'], emptyDir: {} }] }),
      400,
      'invalid patch format of retainKeys',
    ],
    [
      'an order without a field',
      pod,
      podSpec({}),
      podSpec({ $setElementOrder: [] }),
      400,
      'invalid patch format of setElementOrder list',
    ],
    [
      'an order that is no list',
      pod,
      podSpec({}),
      podSpec({ '$setElementOrder/containers': {} }),
      500,
      'expected a []interface {}, but received a map[string]interface {}',
    ],
    [
      'a deletion list without a field',
      pod,
      podSpec({}),
      podSpec({ $deleteFromPrimitiveList: [] }),
      400,
      'invalid patch format of primitive list',
    ],
    [
      'an order that contradicts the items',
      pod,
      { metadata: { finalizers: ['a'] } },
      { metadata: { '$setElementOrder/finalizers': ['a'], finalizers: ['b'] } },
      500,
      "The order in patch list:\n[b]\n doesn't match $setElementOrder list:\n[a]\n",
    ],
    [
      'an unknown field that both have',
      pod,
      { unknown: {} },
      { unknown: {} },
      500,
      'unable to find api field in struct Pod for the json field "unknown"',
    ],
    [
      'what is no object',
      pod,
      {},
      [],
      400,
      'json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
  ]

describe('strategic merge patch', () => {
  for (const [title, type, live, patch, expected] of applied) {
    it(title, () => {
      const before = structuredClone(patch)
      const result = applyStrategicMergePatch(structuredClone(live) as JsonObject, patch, schemas.struct(type))
      assert.deepEqual(result, expected)
      assert.deepEqual(patch, before)
    })
  }
  for (const [title, type, live, patch, code, message] of refused) {
    it(`refuses ${title}`, () => {
      assert.throws(() => applyStrategicMergePatch(live as JsonObject, patch, schemas.struct(type)), { code, message })
    })
  }
  it('null changes nothing', () => {
    assert.deepEqual(applyStrategicMergePatch({ data: { a: '1' } }, null, schemas.struct('core/v1.ConfigMap')), {
      data: { a: '1' },
    })
  })
  it('a key named __proto__ is plain data', () => {
    const patch = JSON.parse('{"data":{"__proto__":"x"}}')
    const result = applyStrategicMergePatch({ data: { a: '1' } }, patch, schemas.struct('core/v1.ConfigMap'))
    assert.equal(JSON.stringify(result), '{"data":{"a":"1","__proto__":"x"}}')
  })
  it('a patch with long lists takes time in proportion', () => {
    const items = (count: number): unknown => ({
      spec: { containers: Array.from({ length: count }, (_, index) => ({ name: `c${index}`, image: 'x' })) },
    })
    const start = threadCpuMs()
    applyStrategicMergePatch(items(100_000) as JsonObject, items(100_000), schemas.struct(pod))
    assert.ok(threadCpuMs() - start < 30_000)
  })
})
