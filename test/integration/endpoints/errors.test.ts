import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const base = '/api/v1/namespaces/default/configmaps'
const merge = { 'content-type': 'application/merge-patch+json' }
const strategic = { 'content-type': 'application/strategic-merge-patch+json' }
const json = { 'content-type': 'application/json-patch+json' }

interface Row {
  readonly title: string
  readonly request: readonly [string, string, unknown?, Readonly<Record<string, string>>?]
  readonly code: number
  readonly reason?: string
  readonly message?: string | RegExp
}

const rows: readonly Row[] = [
  {
    title: 'an object that does not exist',
    request: ['GET', `${base}/nope`],
    code: 404,
    reason: 'NotFound',
    message: 'configmaps "nope" not found',
  },
  {
    title: 'a resource that nobody serves',
    request: ['GET', '/api/v1/namespaces/default/nopes'],
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  },
  {
    title: 'namespaces in a namespace',
    request: ['GET', '/api/v1/namespaces/default/namespaces'],
    code: 404,
    message: 'the server could not find the requested resource',
  },
  {
    title: 'a namespace to be made in another',
    request: ['POST', '/api/v1/namespaces/default/namespaces', { metadata: { name: 'inner' } }],
    code: 404,
  },
  {
    title: 'a name with a control character',
    request: ['GET', `${base}/a%00`],
    code: 404,
    message: 'configmaps "a\\x00" not found',
  },
  {
    title: 'a selector of which a part is none',
    request: ['GET', `${base}?fieldSelector=metadata.name%3Da,b`],
    code: 400,
    message: "invalid selector: 'metadata.name=a,b'; can't understand 'b'",
  },
  {
    title: 'a field that no kind like this is selected by',
    request: ['GET', '/apis/apps/v1/replicasets?fieldSelector=status.replicas%3D1'],
    code: 400,
    message: '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
  },
  {
    title: 'a deletion of another object of that name, by its query',
    request: ['DELETE', `${base}/c1?uid=another`],
    code: 409,
    message: /^Operation cannot be fulfilled on ConfigMap "c1": the UID in the precondition \(another\) does not match/,
  },
  {
    title: 'a deletion of another namespace of that name',
    request: ['DELETE', '/api/v1/namespaces/passing', { preconditions: { uid: 'x' } }],
    code: 409,
    message:
      /^Operation cannot be fulfilled on namespaces "passing": Precondition failed: UID in precondition: x, UID in object meta: [0-9a-f-]{36}$/,
  },
  {
    title: 'a deletion of another state of a namespace',
    request: ['DELETE', '/api/v1/namespaces/passing?resourceVersion=1'],
    code: 409,
    message:
      /^Operation cannot be fulfilled on namespaces "passing": Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: \d+$/,
  },
  {
    title: 'a deletion of a collection of another state, by its query',
    request: ['DELETE', `${base}?resourceVersion=1`],
    code: 409,
    message: /the ResourceVersion in the precondition \(1\) does not match/,
  },
  {
    title: 'a deletion of a collection whose answer is to be what only objects have',
    request: ['DELETE', base, undefined, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }],
    code: 406,
  },
  {
    title: 'a version that a group does not have',
    request: ['GET', '/apis/apps/v9/deployments'],
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  },
  {
    title: 'a version that the core group does not have',
    request: ['GET', '/api/v9/pods'],
    code: 404,
    reason: 'NotFound',
  },
  { title: 'an object without the namespace that it needs', request: ['GET', '/api/v1/configmaps/c1'], code: 404 },
  {
    title: 'a namespace before a resource without one',
    request: ['GET', '/api/v1/namespaces/a/namespaces/b'],
    code: 404,
  },
  { title: 'a subresource that there is not', request: ['GET', `${base}/c1/scale`], code: 404 },
  { title: 'a path that goes on too long', request: ['GET', `${base}/c1/status/more`], code: 404 },
  {
    title: 'POST to an object',
    request: ['POST', `${base}/c1`, {}],
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {
    title: 'a field that slices of devices cannot be selected by',
    request: ['GET', '/apis/resource.k8s.io/v1/resourceslices?fieldSelector=foo%3Dbar'],
    code: 400,
    reason: 'BadRequest',
    message: 'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: foo',
  },
  { title: 'PUT to a collection', request: ['PUT', base, {}], code: 405 },
  { title: 'PATCH of a collection', request: ['PATCH', base, {}, merge], code: 405 },
  { title: 'POST across all namespaces', request: ['POST', '/api/v1/configmaps', {}], code: 405 },
  { title: 'DELETE across all namespaces', request: ['DELETE', '/api/v1/configmaps'], code: 405 },
  { title: 'DELETE of all namespaces', request: ['DELETE', '/api/v1/namespaces'], code: 405 },
  { title: 'an unknown method', request: ['BREW', `${base}/c1`], code: 405 },
  {
    title: 'a name that is taken',
    request: ['POST', base, { metadata: { name: 'c1' } }],
    code: 409,
    reason: 'AlreadyExists',
    message: 'configmaps "c1" already exists',
  },
  {
    title: 'a new object with a resourceVersion',
    request: ['POST', base, { metadata: { name: 'r', resourceVersion: '5' } }],
    code: 500,
    message: 'resourceVersion should not be set on objects to be created',
  },
  {
    title: 'a new object in another namespace than the URL',
    request: ['POST', base, { metadata: { name: 'r', namespace: 'zz' } }],
    code: 400,
    message: 'the namespace of the provided object does not match the namespace sent on the request',
  },
  {
    title: 'a new object without a name',
    request: ['POST', base, { metadata: {} }],
    code: 422,
    reason: 'Invalid',
    message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  },
  {
    title: 'a new object in a namespace that does not exist',
    request: ['POST', '/api/v1/namespaces/missing/configmaps', { metadata: { name: 'c' } }],
    code: 404,
    message: 'namespaces "missing" not found',
  },
  {
    title: 'a generated name that is no name',
    request: ['POST', base, { metadata: { generateName: 'G-' } }],
    code: 422,
    message: /^ConfigMap "G-[bcdfghjklmnpqrstvwxz2456789]{5}" is invalid: metadata\.name: Invalid value: "G-/,
  },
  {
    title: 'another kind',
    request: ['POST', base, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'r' } }],
    code: 400,
    message:
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  },
  {
    title: 'a body that is no JSON',
    request: ['POST', base, 'hello'],
    code: 400,
    message: /must be of type ConfigMap/,
  },
  { title: 'a body that nests too deep', request: ['POST', base, `{"a":${'['.repeat(200_000)}`], code: 400 },
  {
    title: 'a well-formed body that nests too deep',
    request: ['POST', base, `{"metadata":{"name":"deep"},"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    code: 400,
  },
  {
    title: 'a media type that nobody reads',
    request: ['POST', base, '{}', { 'content-type': 'text/plain' }],
    code: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  },
  {
    title: 'a media type that nobody writes',
    request: ['GET', base, undefined, { accept: 'text/html' }],
    code: 406,
    message: /^406: Not Acceptable\n\nAvailable representations: application\/json, /,
  },
  {
    title: 'a Table of a version that there is not',
    request: ['GET', base, undefined, { accept: 'application/json;as=Table;v=v9;g=meta.k8s.io' }],
    code: 406,
    message:
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  },
  {
    title: 'a list as one object’s metadata',
    request: ['GET', base, undefined, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }],
    code: 406,
  },
  {
    title: 'a Table with objects of an unknown sort',
    request: [
      'GET',
      `${base}?includeObject=Foo`,
      undefined,
      { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    ],
    code: 400,
    message:
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty",
  },
  {
    title: 'an update of what does not exist',
    request: ['PUT', `${base}/missing`, { metadata: { name: 'missing' } }],
    code: 404,
  },
  {
    title: 'an update under another name',
    request: ['PUT', `${base}/c1`, { metadata: { name: 'c2' } }],
    code: 400,
    message: 'the name of the object (c2) does not match the name on the URL (c1)',
  },
  {
    title: 'an update without a name',
    request: ['PUT', `${base}/c1`, { metadata: {} }],
    code: 400,
    message: 'the name of the object (c1 based on URL) was undeterminable: name must be provided',
  },
  {
    title: 'an update of another version than the current',
    request: ['PUT', `${base}/c1`, { metadata: { name: 'c1', resourceVersion: '1' } }],
    code: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on configmaps "c1": the object has been modified; please apply your changes to the latest version and try again',
  },
  {
    title: 'an update with a version that is no number',
    request: ['PUT', `${base}/c1`, { metadata: { name: 'c1', resourceVersion: 'abc' } }],
    code: 500,
    message: 'strconv.ParseUint: parsing "abc": invalid syntax',
  },
  {
    title: 'an update of another object of the same name',
    request: ['PUT', `${base}/c1`, { metadata: { name: 'c1', uid: 'u' } }],
    code: 409,
    message: /AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: [0-9a-f-]{36}$/,
  },
  {
    title: 'an update without a version where one is needed',
    request: [
      'PUT',
      '/apis/coordination.k8s.io/v1/namespaces/default/leases/l1',
      { metadata: { name: 'l1' }, spec: {} },
    ],
    code: 422,
    message:
      'leases.coordination.k8s.io "l1" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  },
  {
    title: 'a name that climbs',
    request: ['PUT', `${base}/..%2f`, { metadata: { name: '..' } }],
    code: 400,
    message: 'Name parameter invalid: "..": may not be \'..\'',
  },
  {
    title: 'a patch of another type',
    request: ['PATCH', `${base}/c1`, '{}', { 'content-type': 'application/json' }],
    code: 415,
    message: '415: Unsupported Media Type',
  },
  { title: 'a patch of what does not exist', request: ['PATCH', `${base}/missing`, {}, merge], code: 404 },
  {
    title: 'a patch of a lease that does not exist',
    request: ['PATCH', '/apis/coordination.k8s.io/v1/namespaces/default/leases/nope', {}, merge],
    code: 404,
  },
  {
    title: 'a patch that is no JSON',
    request: ['PATCH', `${base}/c1`, '[', merge],
    code: 400,
    message: 'error decoding patch: unexpected end of JSON input',
  },
  {
    title: 'a strategic merge patch that is no JSON',
    request: ['PATCH', `${base}/c1`, '[', strategic],
    code: 400,
    message: 'unexpected end of JSON input',
  },
  {
    title: 'an apiVersion that is none',
    request: ['POST', base, { apiVersion: 'a/b/c', kind: 'ConfigMap', metadata: { name: 'c9' } }],
    code: 400,
    message:
      /^the object provided is unrecognized \(must be of type ConfigMap\): unexpected GroupVersion string: a\/b\/c \(/,
  },
  {
    title: 'PUT of what does not exist, by its uid',
    request: ['PUT', `${base}/missing`, { metadata: { name: 'missing', uid: 'u' } }],
    code: 404,
    message: 'configmaps "missing" not found',
  },
  {
    title: 'a JSON patch whose test fails',
    request: ['PATCH', `${base}/c1`, [{ op: 'test', path: '/data/a', value: 'zz' }], json],
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {
    title: 'a JSON patch of too many operations',
    request: ['PATCH', `${base}/c1`, Array.from({ length: 10_001 }, () => ({ op: 'remove', path: '/x' })), json],
    code: 413,
    message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  },
  {
    title: 'a patch to a wrong type',
    request: ['PATCH', `${base}/c1`, { data: { a: 1 } }, merge],
    code: 422,
    message:
      /^ "" is invalid: patch: Invalid value: "\{.*\}": json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
  },
  {
    title: 'a patch of a Secret to a wrong type, which shows nothing of what is in it',
    request: ['PATCH', '/api/v1/namespaces/default/secrets/s1', { data: { a: 1 } }, merge],
    code: 422,
    message:
      ' "" is invalid: patch: Invalid value: "<contents redacted>": json: cannot unmarshal number into Go struct field Secret.data of type []uint8',
  },
  {
    title: 'a patch to an unknown field, strictly',
    request: ['PATCH', `${base}/c1?fieldValidation=Strict`, { foo: 1 }, merge],
    code: 422,
    message: /: strict decoding error: unknown field "foo"$/,
  },
  {
    title: 'a patch to another name',
    request: ['PATCH', `${base}/c1`, { metadata: { name: 'c9' } }, merge],
    code: 400,
    message: 'the name of the object (c9) does not match the name on the URL (c1)',
  },
  {
    title: 'a patch to another namespace',
    request: ['PATCH', `${base}/c1`, { metadata: { namespace: 'zz' } }, merge],
    code: 400,
    message: 'the namespace of the provided object does not match the namespace sent on the request',
  },
  {
    title: 'a patch to another uid',
    request: ['PATCH', `${base}/c1`, { metadata: { uid: 'u' } }, merge],
    code: 422,
    message: 'ConfigMap "c1" is invalid: metadata.uid: Invalid value: "u": field is immutable',
  },
  {
    title: 'a patch of a past version',
    request: ['PATCH', `${base}/c1`, { metadata: { resourceVersion: '1' } }, merge],
    code: 409,
  },
  {
    title: 'a forced patch that applies nothing',
    request: ['PATCH', `${base}/c1?force=true`, {}, merge],
    code: 422,
    message: 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  },
  {
    title: 'a deletion of another object of the same name',
    request: ['DELETE', `${base}/c1`, { preconditions: { uid: 'zz' } }],
    code: 409,
    message:
      /^Operation cannot be fulfilled on ConfigMap "c1": the UID in the precondition \(zz\) does not match the UID in record \([0-9a-f-]{36}\)\. The object might have been deleted and then recreated$/,
  },
  {
    title: 'a deletion of another namespace of the same name, as the store says it',
    request: ['DELETE', '/api/v1/namespaces/default', { preconditions: { uid: 'zz' } }],
    code: 409,
    message:
      /^Operation cannot be fulfilled on namespaces "default": Precondition failed: UID in precondition: zz, UID in object meta: [0-9a-f-]{36}$/,
  },
  {
    title: 'a namespace whose finalizers are no names',
    request: [
      'PUT',
      '/api/v1/namespaces/default/finalize',
      { metadata: { name: 'default' }, spec: { finalizers: ['kubernetes', 'mine'] } },
    ],
    code: 422,
    message:
      'Namespace "default" is invalid: spec.finalizers[1]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  },
  {
    title: 'a deletion of another version',
    request: ['DELETE', `${base}/c1`, { preconditions: { resourceVersion: '1' } }],
    code: 409,
  },
  {
    title: 'a deletion with an unknown policy',
    request: ['DELETE', `${base}/c1`, { propagationPolicy: 'Foo' }],
    code: 422,
  },
  {
    title: 'a deletion with options of another kind',
    request: ['DELETE', `${base}/c1`, { apiVersion: 'v1', kind: 'Pod' }],
    code: 400,
    reason: 'BadRequest',
    message: 'no kind "Pod" is registered for version "v1" in scheme "pilothouse"',
  },
  {
    title: 'a deletion with options of a wrong type',
    request: ['DELETE', `${base}/c1`, { kind: 'DeleteOptions', gracePeriodSeconds: 'x' }],
    code: 400,
    reason: 'BadRequest',
    message: 'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  },
  {
    title: 'a deletion of nothing with options of any group',
    request: ['DELETE', `${base}/missing`, { apiVersion: 'example.com/v1', kind: 'DeleteOptions' }],
    code: 404,
  },
  { title: 'a deletion of nothing', request: ['DELETE', `${base}/missing`], code: 404 },
  {
    title: 'a deletion of a namespace that must stay',
    request: ['DELETE', '/api/v1/namespaces/default'],
    code: 403,
    reason: 'Forbidden',
    message: 'namespaces "default" is forbidden: this namespace may not be deleted',
  },
  {
    title: 'unknown fields, strictly',
    request: ['POST', `${base}?fieldValidation=Strict`, { metadata: { name: 'zz' }, foo: 1, bar: 2 }],
    code: 400,
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo", unknown field "bar"',
  },
  {
    title: 'a selector of fields that the kind has not',
    request: ['GET', `${base}?fieldSelector=foo%3Dbar`],
    code: 400,
    message: '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
  },
  {
    title: 'a selector of fields that a kind with fields has not',
    request: ['GET', '/api/v1/secrets?fieldSelector=foo%3Dbar'],
    code: 400,
    message: 'field label not supported: foo',
  },
  {
    title: 'a selector that is none',
    request: ['GET', `${base}?labelSelector=a%20in%20b`],
    code: 400,
    message: "unable to parse requirement: found 'b' expected: '('",
  },
  {
    title: 'a watch of one object by another’s selector',
    request: ['GET', `/api/v1/watch/namespaces/default/configmaps/c1?fieldSelector=metadata.name%3Dz`],
    code: 400,
    message: "fieldSelector metadata.name doesn't match requested name",
  },
  { title: 'a get at a version that is no number', request: ['GET', `${base}/c1?resourceVersion=foo`], code: 500 },
  {
    title: 'a list at a version that is no number',
    request: ['GET', `${base}?resourceVersion=foo`],
    code: 400,
    message:
      'invalid resource version: resourceVersion: Invalid value: "foo": strconv.ParseUint: parsing "foo": invalid syntax',
  },
  {
    title: 'a token that was never one',
    request: ['GET', `${base}?continue=abc&limit=1`],
    code: 400,
    message: "invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value",
  },
  {
    title: 'a token that climbs',
    request: ['GET', `${base}?continue=${token({ v: 'meta.k8s.io/v1', rv: 1, start: '../../secrets/a' })}`],
    code: 400,
  },
  {
    title: 'a token of another version',
    request: ['GET', `${base}?continue=${token({ v: 'v9', rv: 1, start: 'a' })}`],
    code: 400,
    message: 'invalid continue token: continue key is not valid: server does not recognize this encoded version "v9"',
  },
  {
    title: 'a token together with a version',
    request: ['GET', `${base}?resourceVersion=1&continue=${token({ v: 'meta.k8s.io/v1', rv: 1, start: 'a' })}`],
    code: 400,
    message: 'specifying resource version is not allowed when using continue',
  },
]

function token(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

describe('endpoints: what is refused, and how', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'passing' } } })
    await kit.request('POST', base, { body: { metadata: { name: 'c1' }, data: { a: 'b' } } })
    await kit.request('POST', '/api/v1/namespaces/default/secrets', {
      body: { metadata: { name: 's1' }, data: { k: 'aHVzaA==' } },
    })
    await kit.request('POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases', {
      body: { metadata: { name: 'l1' }, spec: {} },
    })
  })
  after(() => kit.close())

  for (const { title, request, code, reason, message } of rows) {
    it(`${title}: ${code}`, async () => {
      const before = await kit.store.currentRevision()
      const [method, url, body, headers = {}] = request
      const answer = await kit.request(method, url, { body, headers })
      assert.equal(answer.status, code, answer.text)
      const status = answer.json
      assert.equal(status.kind, 'Status')
      assert.equal(status.code, code)
      if (reason !== undefined) assert.equal(status.reason, reason)
      if (typeof message === 'string') assert.equal(status.message, message)
      else if (message) assert.match(status.message ?? '', message)
      assert.equal(await kit.store.currentRevision(), before, 'a refused request writes nothing')
    })
  }

  it('answers plain text for unknown groups', async () => {
    const answer = await kit.request('GET', '/apis/nope.example.com/v1/things')
    assert.equal(answer.status, 404)
    assert.equal(answer.text, '404 page not found\n')
    assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  })

  it('answers 405 to HEAD of resources', async () => {
    for (const url of [base, `${base}/c1`, `${base}/nope`, '/api/v1/configmaps'])
      assert.equal((await kit.request('HEAD', url)).status, 405, url)
    assert.equal((await kit.request('HEAD', `${base}/c1/status`)).status, 404)
  })

  it('keeps odd keys as data', async () => {
    const body = '{"metadata":{"name":"odd"},"data":{"__proto__":"x","constructor":"y"}}'
    const created = await kit.request('POST', base, { body })
    assert.equal(created.status, 201, created.text)
    const read = await kit.request('GET', `${base}/odd`)
    assert.ok(read.text.includes('"data":{"__proto__":"x","constructor":"y"}'), read.text)
    assert.equal(({} as Record<string, unknown>)['x'], undefined)
  })
})
