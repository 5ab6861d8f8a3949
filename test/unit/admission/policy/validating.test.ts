import assert from 'node:assert/strict'
import type { ApiObject } from '../../../../lib/object/index.ts'
import {
  type PolicyCase,
  type PolicyOutcome,
  type PolicyRequestCase,
  passThrough,
  validatingPlugin,
} from '../../../support/policykit.ts'

const map = (name: string, data: object, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'ns', ...metadata },
  data,
})
const valid = (expression: string, more: object = {}): object => ({ validations: [{ expression, ...more }] })
const deny = (message: string): string => `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${message}`

interface Row extends Omit<PolicyCase, 'policies'> {
  /** Spec of the policy `p`. */
  readonly policy: object
  readonly request?: PolicyRequestCase
  /** What the refusal says behind `configmaps "x" is forbidden: `; undefined: the request passes. */
  readonly refused?: string
  readonly code?: number
  readonly warnings?: readonly string[]
  readonly annotations?: Readonly<Record<string, string>>
}

const params = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }
const named = (more: object = {}): Record<string, Record<string, unknown>> => ({
  b: { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny', ...more } },
})
const limits = map('limits', { max: '2' })
const object = { data: { a: '1', b: '2', c: '3' } }

const rows: Readonly<Record<string, Row>> = {
  'a rule that holds lets pass': { policy: valid('object.metadata.name == "x"') },
  'a rule that does not hold refuses with its text': {
    policy: valid(' object.metadata.name != "x" '),
    refused: deny('failed expression: object.metadata.name != "x"'),
  },
  'a message is trimmed': { policy: valid('false', { message: ' not this\t' }), refused: deny('not this') },
  'an expression makes the message': {
    policy: valid('false', { message: 'm', messageExpression: '"no " + object.metadata.name + " "' }),
    refused: deny('no x'),
  },
  'a message of several lines is none': {
    policy: valid('false', { message: 'm', messageExpression: '"a\\nb"' }),
    refused: deny('m'),
  },
  'an empty message is none': { policy: valid('false', { messageExpression: '"  "' }), refused: deny('failed expression: false') }, // biome-ignore format: one line
  'a message that fails is none': {
    policy: valid('false', { message: 'm', messageExpression: 'object.nothing' }),
    refused: deny('m'),
  },
  'a message of more than 5 KiB is none': {
    policy: valid('false', { message: 'm', messageExpression: `"${'é'.repeat(2561)}"` }),
    refused: deny('m'),
  },
  'the reason tells the code: Forbidden': { policy: valid('false', { reason: 'Forbidden' }), code: 403, refused: deny('failed expression: false') }, // biome-ignore format: one line
  'the reason tells the code: Unauthorized': { policy: valid('false', { reason: 'Unauthorized' }), code: 401, refused: deny('failed expression: false') }, // biome-ignore format: one line
  'the reason tells the code: RequestEntityTooLarge': { policy: valid('false', { reason: 'RequestEntityTooLarge' }), code: 413, refused: deny('failed expression: false') }, // biome-ignore format: one line
  'the first rule that fails is told': {
    policy: { validations: [{ expression: 'true' }, { expression: '1 == 2' }, { expression: '2 == 3' }] },
    refused: deny('failed expression: 1 == 2'),
  },
  'an error refuses': {
    policy: valid('object.spec.nosuch == 1'),
    refused: deny(`expression 'object.spec.nosuch == 1' resulted in error: no such key: spec`),
  },
  'an error passes where failures are ignored': { policy: { failurePolicy: 'Ignore', ...valid('object.no == 1') } },
  'false refuses where failures are ignored': {
    policy: { failurePolicy: 'Ignore', ...valid('false') },
    refused: deny('failed expression: false'),
  },
  'an expression that does not compile refuses': {
    policy: valid('1 +'),
    refused: deny('compilation error: compilation failed: ERROR: <input>:1:4: Syntax error: mismatched input \'<EOF>\' expecting {\'[\', \'{\', \'(\', \'.\', \'-\', \'!\', \'true\', \'false\', \'null\', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | 1 +\n | ...^'), // biome-ignore format: one line
  },
  'an expression of another type refuses': {
    policy: valid('1'),
    refused: deny('compilation error: must evaluate to bool but got int'),
  },
  'a value of no certain type is none of an annotation': {
    policy: { auditAnnotations: [{ key: 'k', valueExpression: 'object.data' }] },
    refused: deny('compilation error: must evaluate to one of [string null_type] but got dyn'),
  },
  'an expression that does not compile passes where failures are ignored': {
    policy: { failurePolicy: 'Ignore', ...valid('nonsense') },
  },
  'variables are read by rules, messages and each other': {
    policy: {
      variables: [
        { name: 'size', expression: 'object.data.size()' },
        { name: 'double', expression: 'variables.size * 2' },
      ],
      ...valid('variables.double < 6', { messageExpression: 'string(variables.size) + "!"' }),
    },
    request: { object },
    refused: deny('3!'),
  },
  'a variable that fails is told by name': {
    policy: { variables: [{ name: 'v', expression: 'object.no' }], ...valid('variables.v == 1') },
    refused: deny(`expression 'variables.v == 1' resulted in error: composited variable "v" fails to evaluate: no such key: no`), // biome-ignore format: one line
  },
  'a variable that nothing reads does no harm': {
    policy: { variables: [{ name: 'v', expression: 'object.no' }], ...valid('true || variables.v') },
  },
  'a variable that does not compile is told by name': {
    policy: { variables: [{ name: 'v', expression: 'nonsense' }], ...valid('variables.v == 1') },
    refused: deny(`expression 'variables.v == 1' resulted in error: composited variable "v" fails to compile: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nonsense' (in container '')\n | nonsense\n | ^`), // biome-ignore format: one line
  },
  'a variable that is made of itself fails': {
    policy: {
      variables: [
        { name: 'v', expression: '1' },
        { name: 'v', expression: 'variables.v + 1' },
      ],
      ...valid('variables.v == 2'),
    },
    refused: deny(`expression 'variables.v == 2' resulted in error: composited variable "v" fails to evaluate: composited variable "v" is made of itself`), // biome-ignore format: one line
  },
  'names of prototypes are no variables': {
    policy: { variables: [{ name: 'v', expression: '1' }], ...valid('variables.constructor == 1') },
    refused: deny(`compilation error: compilation failed: ERROR: <input>:1:10: undefined field 'constructor'\n | variables.constructor == 1\n | .........^`), // biome-ignore format: one line
  },
  'a create has no old object': { policy: valid('oldObject == null && object != null') },
  'a deletion has no object': {
    policy: valid('object == null && oldObject.metadata.name == "x"'),
    request: { operation: 'DELETE', oldObject: {} },
  },
  'the request is what is asked for': {
    policy: valid(
      [
        'request.operation == "UPDATE"',
        'request.userInfo.username == "jane"',
        'request.kind.kind == "ConfigMap"',
        'request.resource.resource == "configmaps"',
        'request.namespace == "ns"',
        'request.name == "x"',
        'request.dryRun',
        '!has(request.subResource)',
      ].join(' && '),
    ),
    request: { operation: 'UPDATE', oldObject: {}, user: 'jane', dryRun: true },
  },
  'the namespace is there with its labels': {
    policy: valid('namespaceObject.metadata.labels.tier == "prod"'),
    namespaces: { ns: { labels: { tier: 'prod' } } },
  },
  'what is in no namespace has no namespace object': {
    policy: valid('namespaceObject == null'),
    request: { namespace: '' },
  },
  'conditions decide whether a policy is asked': {
    policy: { matchConditions: [{ name: 'c', expression: 'object.metadata.name != "x"' }], ...valid('false') },
  },
  'a condition that fails refuses': {
    policy: { matchConditions: [{ name: 'c', expression: 'object.no == 1' }], ...valid('true') },
    refused: deny(`expression 'object.no == 1' resulted in error: no such key: no`),
  },
  'several conditions that fail are told together': {
    policy: {
      matchConditions: [
        { name: 'c', expression: 'object.no == 1' },
        { name: 'd', expression: 'object.yes == 1' },
      ],
      ...valid('true'),
    },
    refused: deny(`[expression 'object.no == 1' resulted in error: no such key: no, expression 'object.yes == 1' resulted in error: no such key: yes]`), // biome-ignore format: one line
  },
  'a condition that is false outweighs one that fails': {
    policy: {
      matchConditions: [
        { name: 'c', expression: 'object.no == 1' },
        { name: 'd', expression: 'false' },
      ],
      ...valid('false'),
    },
  },
  'a condition that fails passes over a policy whose failures are ignored': {
    policy: {
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'c', expression: 'object.no == 1' }],
      ...valid('false'),
    },
  },
  'the authorizer answers for the user, at once or later': {
    policy: valid(
      'authorizer.group("").resource("pods").check("get").allowed() && !authorizer.requestResource.check("x").allowed()',
    ),
    authorize: ({ resource, verb }) =>
      verb === 'get' && resource === 'pods'
        ? Promise.resolve({ allowed: true, reason: '' })
        : { allowed: false, reason: '' },
  },
  'a variable may ask the authorizer': {
    policy: {
      variables: [{ name: 'may', expression: 'authorizer.requestResource.check("get").allowed()' }],
      ...valid('variables.may && request.namespace == "ns"', { messageExpression: '"may: " + string(variables.may)' }),
    },
    authorize: (query) => Promise.resolve({ allowed: query.resource !== 'configmaps', reason: '' }),
    refused: deny('may: false'),
  },
  'messages do not see the authorizer': {
    policy: valid('false', { message: 'm', messageExpression: 'authorizer.path("/a").check("get").reason()' }),
    refused: deny('m'),
  },
  'a binding without actions to deny only warns': {
    policy: valid('false', { message: 'm' }),
    bindings: { b: { validationActions: ['Warn'] } },
    warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': m"],
  },
  'a binding tells the audit log': {
    policy: { validations: [{ expression: 'true' }, { expression: '1 > 2' }] },
    bindings: { b: { validationActions: ['Audit', 'Warn'] } },
    warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression: 1 > 2"],
    annotations: {
      'validation.policy.admission.k8s.io/validation_failure':
        '[{"message":"failed expression: 1 \\u003e 2","policy":"p","binding":"b","expressionIndex":1,"validationActions":["Audit","Warn"]}]',
    },
  },
  'annotations of all bindings are joined': {
    params: [map('one', { v: 'z' }), map('two', { v: ' a ' }), map('three', { v: 'z' })],
    policy: { ...params, auditAnnotations: [{ key: 'k', valueExpression: 'string(params.data.v)' }] },
    bindings: Object.fromEntries(
      ['one', 'two', 'three'].map((name) => [name, { paramRef: { name, parameterNotFoundAction: 'Deny' } }]),
    ),
    annotations: { 'p/k': 'a, z' },
  },
  'annotations that are empty or null are none': {
    policy: {
      auditAnnotations: [
        { key: 'a', valueExpression: 'null' },
        { key: 'b', valueExpression: '"  "' },
      ],
    },
  },
  'annotations are cut at 10 KiB': {
    policy: { auditAnnotations: [{ key: 'k', valueExpression: `"x${'é'.repeat(6000)}"` }] },
    annotations: { 'p/k': `x${'é'.repeat(5119)}` },
  },
  'an annotation that fails refuses whatever the actions are': {
    policy: { auditAnnotations: [{ key: 'k', valueExpression: 'string(object.no)' }] },
    bindings: { b: { validationActions: ['Audit'] } },
    refused: deny(`expression 'string(object.no)' resulted in error: no such key: no`),
  },
  'an annotation that fails passes where failures are ignored': {
    policy: { failurePolicy: 'Ignore', auditAnnotations: [{ key: 'k', valueExpression: 'string(object.no)' }] },
  },
  'a parameter is looked up by name in the namespace of the request': {
    policy: { ...params, ...valid('object.data.size() <= int(params.data.max)', { message: 'too many' }) },
    params: [limits],
    bindings: named(),
    request: { object },
    refused: deny('too many'),
  },
  'a parameter of another namespace is found where the binding names it': {
    policy: { ...params, ...valid('params.data.max == "9"') },
    params: [limits, map('limits', { max: '9' }, { namespace: 'other' })],
    bindings: named({ namespace: 'other' }),
  },
  'a parameter that is missing refuses': {
    policy: { ...params, ...valid('true') },
    bindings: named(),
    refused: deny('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'), // biome-ignore format: one line
  },
  'a parameter that may be missing passes over the binding': {
    policy: { ...params, ...valid('false') },
    bindings: named({ parameterNotFoundAction: 'Allow' }),
  },
  'a missing parameter passes where failures are ignored': {
    policy: { failurePolicy: 'Ignore', ...params, ...valid('false') },
    bindings: named(),
  },
  'a binding without a reference asks with null': { policy: { ...params, ...valid('params == null') } },
  'a policy without parameters asks once whatever the reference says': {
    policy: valid('true'),
    bindings: named(),
  },
  'a selector asks once for each parameter': {
    policy: { ...params, ...valid('params.data.ok == "yes"', { messageExpression: '"by " + params.metadata.name' }) },
    params: [
      map('a', { ok: 'yes' }, { labels: { l: '1' } }),
      map('b', { ok: 'no' }, { labels: { l: '1' } }),
      map('c', { ok: 'no' }),
    ],
    bindings: { b: { paramRef: { selector: { matchLabels: { l: '1' } }, parameterNotFoundAction: 'Deny' } } },
    refused: deny('by b'),
  },
  'a kind that nothing serves refuses': {
    policy: { paramKind: { apiVersion: 'g.example/v1', kind: 'Unknown' }, ...valid('true') },
    refused: `ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'g.example/v1, Kind=Unknown'`, // biome-ignore format: one line
  },
  'parameters in namespaces are not for requests outside of them': {
    policy: { ...params, ...valid('true') },
    bindings: named(),
    request: { namespace: '' },
    refused: deny('failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources'), // biome-ignore format: one line
  },
  'parameters outside of namespaces are not looked for in one': {
    policy: { paramKind: { apiVersion: 'g.example/v1', kind: 'Limit' }, ...valid('true') },
    clusterKinds: ['Limit'],
    bindings: named({ namespace: 'ns' }),
    refused: deny('failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`'), // biome-ignore format: one line
  },
  'names and selectors exclude each other': {
    policy: { ...params, ...valid('true') },
    bindings: named({ selector: {} }),
    refused: deny('failed to configure binding: paramRef.name and paramRef.selector are mutually exclusive'),
  },
  'a reference to nothing refuses': {
    policy: { ...params, ...valid('true') },
    bindings: named({ name: undefined }),
    refused: deny('failed to configure binding: one of name or selector must be provided'),
  },
  'a selector that another server let in refuses': {
    policy: {
      ...valid('true'),
      matchConstraints: {
        resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        objectSelector: { matchExpressions: [{ key: 'a', operator: 'Nonsense' }] },
      },
    },
    refused: `ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: "Nonsense" is not a valid label selector operator`, // biome-ignore format: one line
  },
  'keys with the names of inherited properties are ordinary keys': {
    policy: valid(
      `!('constructor' in object.data) && !('toString' in object.data) && object.data['__proto__'] == '1' && !has(object.data.valueOf)`,
    ),
    request: { object: JSON.parse('{"data":{"__proto__":"1"}}') as object as Record<string, unknown> },
  },
  'rules behind one that waits are evaluated, and the first refusal counts': {
    policy: {
      validations: [
        { expression: 'true' },
        { expression: '!authorizer.path("/a").check("get").allowed()', message: 'later' },
        { expression: 'object.metadata.name == "x"' },
        { expression: 'false', message: 'last' },
      ],
      auditAnnotations: [{ key: 'k', valueExpression: '"v"' }],
    },
    authorize: () => Promise.resolve({ allowed: true, reason: '' }),
    refused: deny('later'),
    annotations: { 'p/k': 'v' },
  },
  'a policy without a binding does nothing': { policy: valid('false'), bindings: {} },
}

async function outcomeOf({ policy, request, ...more }: Row): Promise<PolicyOutcome> {
  return await passThrough(await validatingPlugin({ ...more, policies: { p: { ...policy } } }), request)
}

describe('validating policies', () => {
  for (const [title, row] of Object.entries(rows))
    it(title, async () => {
      const outcome = await outcomeOf(row)
      const { refused, code, warnings = [], annotations = {} } = row
      assert.equal(outcome.message, refused && `configmaps "x" is forbidden: ${refused}`)
      assert.equal(outcome.code, refused && (code ?? 422))
      if (refused !== undefined) assert.deepEqual(outcome.causes, [{ message: refused }])
      assert.deepEqual([outcome.warnings, outcome.annotations], [warnings, annotations])
    })

  it('of one request are evaluated on their own: with conditions, parameters, annotations and failing variables', async () => {
    const warns = { validationActions: ['Warn'] }
    const size = { name: 'size', expression: 'object.data.size()' }
    const plugin = await validatingPlugin({
      policies: {
        a: { variables: [size], ...valid('variables.size == 3') },
        b: { variables: [size], ...valid('variables.size == 4', { message: 'four' }) },
        c: { variables: [{ name: 'size', expression: 'object.metadata.name' }], ...valid('variables.size == "x"') },
        d: { variables: [size], matchConditions: [{ name: 'm', expression: 'false' }], ...valid('false') },
        e: { variables: [size], ...valid('namespaceObject.metadata.name == "ns" && variables.size == 3') },
        f: { ...params, variables: [size], ...valid('string(variables.size) == params.data.max', { message: 'max' }) },
        g: { variables: [{ name: 'size', expression: 'object.none' }], ...valid('variables.size == 1') },
        h: { failurePolicy: 'Ignore', variables: [{ name: 'size', expression: 'object.none' }], ...valid('variables.size == 1') }, // biome-ignore format: one line
        i: { variables: [size], ...valid('true'), auditAnnotations: [{ key: 'k', valueExpression: 'string(variables.size)' }] }, // biome-ignore format: one line
      },
      bindings: Object.fromEntries(
        'abcdefghi'
          .split('')
          .map((policyName) => [
            policyName,
            { policyName, ...warns, ...(policyName === 'f' ? { paramRef: { name: 'limits' } } : {}) },
          ]),
      ),
      params: [limits],
    })
    const { message, warnings, annotations } = await passThrough(plugin, { object })
    assert.equal(message, undefined)
    const failed = (name: string, why: string): string =>
      `Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${name}': ${why}`
    assert.deepEqual(warnings, [
      failed('b', 'four'),
      failed('f', 'max'),
      failed('g', `expression 'variables.size == 1' resulted in error: composited variable "size" fails to evaluate: no such key: none`), // biome-ignore format: one line
    ])
    assert.deepEqual(annotations, { 'i/k': '3' })
  })
})
