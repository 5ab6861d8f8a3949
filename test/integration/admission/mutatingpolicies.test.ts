import assert from 'node:assert/strict'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { type Answer, ask } from '../../support/plane.ts'

const registration = '/apis/admissionregistration.k8s.io/v1'
const maps = '/api/v1/namespaces/default/configmaps'
const pods = '/api/v1/namespaces/default/pods'

type Fields = Readonly<Record<string, unknown>>

interface Row {
  /** Specs of policies, in the order in which they are applied; a list of mutations stands for one. */
  readonly policies: readonly (Fields | readonly object[])[]
  readonly bindings?: Fields
  readonly path?: string
  readonly object: Fields
  /** What the answer to a dry run has; a text is what a refusal says. */
  readonly becomes: Fields | string
  readonly code?: number
  readonly reason?: string
}

const apply = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
})
const patch = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } })
const denied = (why: string): string => `policy 'POLICY' with binding 'POLICY' denied request: ${why}`

const container = { name: 'main', image: 'a' }
const pod = { metadata: { name: 'x' }, spec: { containers: [container, { name: 'side', image: 'b' }] } }
const map = { metadata: { name: 'x' }, data: { a: '1' } }

const rows: Readonly<Record<string, Row>> = {
  'lay configurations over maps': {
    policies: [[apply('Object{metadata: Object.metadata{labels: {"l": object.metadata.name}}, data: {"b": "2"}}')]],
    object: map,
    becomes: { 'metadata.labels': { l: 'x' }, data: { a: '1', b: '2' } },
  },
  'merge items of lists by their keys': {
    policies: [
      [
        apply(
          'Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, imagePullPolicy: "Always"})}}',
        ),
      ],
    ],
    path: pods,
    object: pod,
    becomes: {
      'spec.containers.0.image': 'a',
      'spec.containers.0.imagePullPolicy': 'Always',
      'spec.containers.1.imagePullPolicy': 'Always',
    },
  },
  'add items to lists by their keys': {
    policies: [
      [apply('Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: "init", image: "i"}]}}')],
    ],
    path: pods,
    object: pod,
    becomes: { 'spec.initContainers.0.name': 'init', 'spec.initContainers.0.terminationMessagePolicy': 'File' },
  },
  'leave out optional fields that are empty': {
    policies: [[apply('Object{?data: object.?nothing, metadata: Object.metadata{labels: {"l": "1"}}}')]],
    object: map,
    becomes: { 'metadata.labels': { l: '1' }, data: { a: '1' } },
  },
  'refuse to replace atomic lists': {
    policies: [
      [
        apply(
          'Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", command: ["a"]}], tolerations: []}}',
        ),
      ],
    ],
    path: pods,
    object: pod,
    becomes: denied(
      'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.containers[0].command, .spec.tolerations',
    ),
    code: 403,
    reason: 'Invalid',
  },
  'refuse objects whose names are not those of their places': {
    policies: [[apply('Object{spec: Object.spec{containers: [Object.spec.wrong{name: "main"}]}}')]],
    path: pods,
    object: pod,
    becomes: denied(
      'type mismatch: unexpected type name "Object.spec.wrong", expected "Object.spec.containers", which matches field name path from root Object type',
    ),
  },
  'refuse fields that the kind does not have': {
    policies: [[apply('Object{spec: Object.spec{nothing: 1}}')]],
    path: pods,
    object: pod,
    becomes: denied(
      'error applying patch: failed to convert patch object to typed object: .spec.nothing: field not declared in schema',
    ),
  },
  'patch what configurations can not': {
    policies: [
      [
        patch(
          '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "remove", path: "/data/a"}, JSONPatch{op: "add", path: "/metadata/annotations", value: {"a/b": "3"}}, JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey("a/b"), value: "4"}]',
        ),
      ],
    ],
    object: map,
    becomes: { 'metadata.annotations': { 'a/b': '4' }, data: undefined },
  },
  'patch with objects of names': {
    policies: [
      [
        patch(
          '[JSONPatch{op: "add", path: "/spec/initContainers", value: [Object.spec.initContainers{name: "i", image: "j"}]}]',
        ),
      ],
    ],
    path: pods,
    object: pod,
    becomes: { 'spec.initContainers.0.image': 'j' },
  },
  'leave the object as it is where a test of a patch fails': {
    policies: [
      [
        patch(
          '[JSONPatch{op: "add", path: "/data/b", value: "2"}, JSONPatch{op: "test", path: "/data/a", value: "9"}]',
        ),
        apply('Object{data: {"c": "3"}}'),
      ],
    ],
    object: map,
    becomes: { data: { a: '1', c: '3' } },
  },
  'refuse patches that do not apply': {
    policies: [[patch('[JSONPatch{op: "remove", path: "/data/none"}]')]],
    object: map,
    becomes: denied('JSON Patch: remove operation does not apply: '),
  },
  'refuse patches that make unknown fields': {
    policies: [[patch('[JSONPatch{op: "add", path: "/dota", value: {"a": "1"}}]')]],
    object: map,
    becomes: denied('strict decoding error: unknown field "dota"'),
  },
  'refuse what an expression can not tell': {
    policies: [[apply('Object{data: {"b": object.data.none}}')]],
    object: map,
    becomes: denied(`expression 'Object{data: {"b": object.data.none}}' resulted in error: no such key: none`),
  },
  'pass where failures are ignored': {
    policies: [{ failurePolicy: 'Ignore', mutations: [apply('Object{data: {"b": object.data.none}}')] }],
    object: map,
    becomes: { data: { a: '1' } },
  },
  'see what the mutation and the policy before them made': {
    policies: [
      [apply('Object{data: {"b": object.data.a + "2"}}'), apply('Object{data: {"c": object.data.b + "3"}}')],
      [apply('Object{data: {"d": object.data.c + "4"}}')],
    ],
    object: map,
    becomes: { data: { a: '1', b: '12', c: '123', d: '1234' } },
  },
  'are asked again after a later one changed the object, if they want that': {
    policies: [
      {
        reinvocationPolicy: 'IfNeeded',
        mutations: [apply('Object{data: {"n": string(object.data.size())}}')],
      },
      [apply('Object{data: {"later": "1"}}')],
      { mutations: [apply('Object{data: {"m": string(object.data.size())}}')] },
    ],
    object: map,
    becomes: { data: { a: '1', later: '1', m: '3', n: '4' } },
  },
  'have variables, conditions and parameters': {
    policies: [
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        variables: [{ name: 'v', expression: 'params.data.v + "!"' }],
        matchConditions: [{ name: 'c', expression: 'object.data.a == "1"' }],
        mutations: [apply('Object{data: {"v": variables.v}}')],
      },
      {
        matchConditions: [{ name: 'c', expression: 'object.data.a == "2"' }],
        mutations: [apply('Object{data: {"no": "1"}}')],
      },
    ],
    bindings: { paramRef: { name: 'settings', namespace: 'kube-system', parameterNotFoundAction: 'Deny' } },
    object: map,
    becomes: { data: { a: '1', v: 'set!' } },
  },
  'may not touch the kind': {
    policies: [[apply('Object{kind: "Secret", data: {"b": "2"}}')]],
    object: map,
    becomes: { kind: 'ConfigMap', data: { a: '1', b: '2' } },
  },
}

describe('mutating admission policies', function () {
  this.timeout(60_000)
  const folder = scratchFolder('mutatingpolicies')
  let server: Apiserver
  before(async () => {
    server = await startComposed(folder.path, ['--disable-admission-plugins=ServiceAccount'])
    const settings = { metadata: { name: 'settings' }, data: { v: 'set' } }
    assert.equal((await call('/api/v1/namespaces/kube-system/configmaps', { body: settings })).status, 201)
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })
  const call = (path: string, options: Omit<NonNullable<Parameters<typeof ask>[2]>, 'token'> = {}): Promise<Answer> =>
    ask(server.url, path, { ...options, token: adminToken })
  let serial = 0

  async function withPolicies(
    { policies, bindings = {} }: Row,
    run: (names: string[]) => Promise<void>,
  ): Promise<void> {
    const id = `p${++serial}`
    const names: string[] = []
    const resourceRules = [
      { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'pods'] },
    ]
    for (const [index, given] of policies.entries()) {
      const name = `${id}-${index}`
      names.push(name)
      const own: Fields = 'length' in given ? { mutations: given } : given
      const spec = { reinvocationPolicy: 'Never', matchConstraints: { resourceRules }, ...own }
      const made = await call(`${registration}/mutatingadmissionpolicies`, { body: { metadata: { name }, spec } })
      assert.equal(made.status, 201, made.text)
      const binding = { metadata: { name }, spec: { policyName: name, ...('paramKind' in spec ? bindings : {}) } }
      const bound = await call(`${registration}/mutatingadmissionpolicybindings`, { body: binding })
      assert.equal(bound.status, 201, bound.text)
    }
    try {
      await run(names)
    } finally {
      for (const name of names)
        for (const plural of ['mutatingadmissionpolicybindings', 'mutatingadmissionpolicies'])
          assert.equal((await call(`${registration}/${plural}/${name}`, { method: 'DELETE' })).status, 200)
      await eventuallyEquals(
        async () => (await call(`${maps}?dryRun=All`, { body: { ...map, metadata: { name: 'gone' } } })).status,
        201,
        'they are gone',
        5000,
      )
    }
  }

  const read = (body: unknown, path: string): unknown =>
    path.split('.').reduce((at, part) => (at as Fields | undefined)?.[part], body)

  for (const [title, row] of Object.entries(rows))
    it(title, async () => {
      await withPolicies(row, async (names) => {
        const { becomes, path = maps, object } = row
        let answer: Answer | undefined
        const isAsWanted = (): boolean => {
          if (!answer) return false
          if (typeof becomes === 'string')
            return String(answer.body.message).startsWith(becomes.replaceAll('POLICY', names[0] ?? ''))
          return Object.entries(becomes).every(
            ([field, value]) => JSON.stringify(read(answer?.body, field)) === JSON.stringify(value),
          )
        }
        // They are in force within a moment.
        for (let tries = 0; tries < 50 && !isAsWanted(); tries++) {
          answer = await call(`${path}?dryRun=All`, { body: object })
          if (!isAsWanted()) await new Promise((resolve) => setTimeout(resolve, 20))
        }
        assert.ok(isAsWanted(), answer?.text ?? 'no answer')
        if (row.code !== undefined) assert.equal(answer?.status, row.code)
        if (row.reason !== undefined) assert.equal(answer?.body.reason, row.reason)
      })
    })

  it('own nothing: fields that they add to a new object have no manager', async () => {
    await withPolicies(rows['lay configurations over maps'] as Row, async () => {
      await eventuallyEquals(
        async () => (await call(`${maps}?dryRun=All`, { body: map })).body.data?.b,
        '2',
        'in force',
        5000,
      )
      const { body } = await call(maps, { body: map })
      assert.deepEqual(body.data, { a: '1', b: '2' })
      const fields = body.metadata.managedFields[0].fieldsV1
      assert.deepEqual(Object.keys(fields['f:data']).toSorted(), ['.', 'f:a'])
      assert.equal((await call(`${maps}/x`, { method: 'DELETE' })).status, 200)
    })
  })

  const invalid: readonly (readonly [string, object, string])[] = [
    ['a configuration of another type', apply('"x"'), 'must evaluate to Object but got string'],
    ['a part of an object', apply('Object.spec{}'), 'must evaluate to Object but got Object.spec'],
    ['a patch of another type', patch('["x"]'), 'must evaluate to list(JSONPatch) but got list(string)'],
    ['an operation with an unknown field', patch('[JSONPatch{oops: "x"}]'), "undefined field 'oops'"],
  ]
  for (const [title, mutation, why] of invalid)
    it(`are refused when they are written: ${title}`, async () => {
      const resourceRules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }]
      const spec = { reinvocationPolicy: 'Never', matchConstraints: { resourceRules }, mutations: [mutation] }
      const { status, body } = await call(`${registration}/mutatingadmissionpolicies`, {
        body: { metadata: { name: 'invalid' }, spec },
      })
      assert.equal(status, 422)
      assert.ok(body.message.includes(why), body.message)
    })
})
