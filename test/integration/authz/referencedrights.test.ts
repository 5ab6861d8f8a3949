import assert from 'node:assert/strict'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { authorityExtension, makeAnyCertificate } from '../../support/certificates.ts'
import { startComposed } from '../../support/composed.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { createSigningRequest } from '../../support/signingrequest.ts'
import { as, binding, group as rbac, role } from './support.ts'

const registration = '/apis/admissionregistration.k8s.io'
const certificates = '/apis/certificates.k8s.io'
const everyMap = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
}
const secrets = { apiVersion: 'v1', kind: 'Secret' }

type Body = Record<string, unknown> & { metadata: { name: string } }

/** A policy of a type; mutating ones change nothing. */
function policy(name: string, type: 'validating' | 'mutating', paramKind?: object): Body {
  const mutation = {
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: 'Object{}' },
  }
  const rules =
    type === 'validating'
      ? { validations: [{ expression: 'true', ...(paramKind && { messageExpression: 'string(params.data.a)' }) }] }
      : { mutations: [mutation], reinvocationPolicy: 'Never', failurePolicy: 'Fail' }
  return { metadata: { name }, spec: { matchConstraints: everyMap, ...rules, ...(paramKind && { paramKind }) } }
}

function bound(name: string, type: 'validating' | 'mutating', policyName: string, paramRef?: object): Body {
  const actions = type === 'validating' ? { validationActions: ['Deny'] } : {}
  return { metadata: { name }, spec: { policyName, ...actions, ...(paramRef && { paramRef }) } }
}

const one = { name: 's', namespace: 'default', parameterNotFoundAction: 'Deny' }
const selected = { selector: {}, namespace: 'default', parameterNotFoundAction: 'Deny' }

describe('rights that a write needs beyond its own', function () {
  this.timeout(60_000)
  const folder = scratchFolder('referenced')
  let server: Apiserver
  const admin = (path: string, body: object) => as(server, '', path, { method: 'POST', body })
  before(async () => {
    server = await startComposed(folder.path, [
      '--authorization-mode=RBAC',
      '--feature-gates=MutatingAdmissionPolicy=true,ClusterTrustBundle=true',
      '--runtime-config=admissionregistration.k8s.io/v1beta1=true,admissionregistration.k8s.io/v1alpha1=true,certificates.k8s.io/v1beta1=true',
    ])
    const own = {
      apiGroups: ['admissionregistration.k8s.io', 'certificates.k8s.io', 'rbac.authorization.k8s.io', 'apps'],
      resources: ['*'],
      verbs: ['create', 'update', 'patch', 'get'],
    }
    const others = { apiGroups: [''], resources: ['configmaps', 'serviceaccounts'], verbs: ['create', 'get', 'update'] }
    await admin(`${rbac}/clusterroles`, role('author', own, others))
    await admin(
      `${rbac}/clusterroles`,
      role('reader', { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }),
    )
    await admin(`${rbac}/clusterroles`, role('getter', { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }))
    const oneSecret = { apiGroups: [''], resources: ['secrets'], resourceNames: ['s'], verbs: ['get'] }
    await admin(`${rbac}/namespaces/default/roles`, role('of-one', oneSecret))
    await admin(
      `${rbac}/clusterrolebindings`,
      binding('authors', 'ClusterRole', 'author', 'plain', 'reader', 'getter', 'of-one'),
    )
    await admin(`${rbac}/clusterrolebindings`, binding('readers', 'ClusterRole', 'reader', 'reader'))
    await admin(`${rbac}/clusterrolebindings`, binding('getters', 'ClusterRole', 'getter', 'getter'))
    await admin(`${rbac}/namespaces/default/rolebindings`, binding('of-one', 'Role', 'of-one', 'of-one'))
    // The authorizer sees all bindings once it has seen the last one.
    const seen = async (): Promise<number> =>
      (await as(server, 'of-one', '/api/v1/namespaces/default/secrets/s', {})).status
    await eventuallyEquals(seen, 404, 'the roles are in force')
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  let serial = 0
  const served = [
    ['validating', 'v1'],
    ['mutating', 'v1beta1'],
    ['mutating', 'v1alpha1'],
  ] as const

  for (const [type, version] of served) {
    const policies = `${registration}/${version}/${type}admissionpolicies`
    const bindings = `${registration}/${version}/${type}admissionpolicybindings`

    it(`a ${type} policy of ${version} that reads Secrets needs get on all of them, when created and when changed`, async () => {
      const name = `p${++serial}`
      const { status, json } = await as(server, 'plain', policies, {
        method: 'POST',
        body: policy(name, type, secrets),
      })
      assert.equal(status, 422, JSON.stringify(json))
      const who = '&{plain  [system:authenticated] map[]}'
      assert.equal(
        (json.details as { causes: object[] }).causes.length === 1 && json.message,
        `${type === 'validating' ? 'Validating' : 'Mutating'}AdmissionPolicy.admissionregistration.k8s.io "${name}" is invalid: spec.paramKind: Forbidden: user ${who} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)`,
      )
      assert.equal(
        (await as(server, 'of-one', policies, { method: 'POST', body: policy(name, type, secrets) })).status,
        422,
      )
      assert.equal((await as(server, 'plain', policies, { method: 'POST', body: policy(name, type) })).status, 201)
      const patch = (user: string, body: object) =>
        as(server, user, `${policies}/${name}`, { method: 'PATCH', body, type: 'application/merge-patch+json' })
      assert.equal((await patch('plain', { spec: { paramKind: secrets } })).status, 422)
      assert.equal((await patch('reader', { spec: { paramKind: secrets } })).status, 200)
      assert.equal((await patch('plain', { metadata: { labels: { a: 'b' } } })).status, 200)
      const unknown = { apiVersion: 'none.example/v1', kind: 'None' }
      assert.equal((await patch('reader', { spec: { paramKind: unknown } })).status, 422)
    })

    it(`a ${type} binding of ${version} needs the right to read what its paramRef names`, async () => {
      const [name, none] = [`p${++serial}`, `p${++serial}`]
      assert.equal((await admin(policies, policy(name, type, secrets))).status, 201)
      const bind = async (user: string, paramRef?: object, policyName = name) =>
        (await as(server, user, bindings, { method: 'POST', body: bound(`b${++serial}`, type, policyName, paramRef) }))
          .status
      assert.deepEqual(
        {
          'no reference': await bind('plain'),
          'a stranger': await bind('plain', one),
          'by name': await bind('of-one', one),
          'another name': await bind('of-one', { ...one, name: 't' }),
          'a selector, with one name': await bind('of-one', selected),
          'a selector, with get alone': await bind('getter', selected),
          'a selector, with list': await bind('reader', selected),
          'all namespaces': await bind('of-one', { selector: {}, parameterNotFoundAction: 'Deny' }),
          'no policy yet': await bind('reader', one, none),
        },
        {
          'no reference': 201,
          'a stranger': 422,
          'by name': 201,
          'another name': 422,
          'a selector, with one name': 422,
          'a selector, with get alone': type === 'mutating' ? 422 : 201,
          'a selector, with list': 201,
          'all namespaces': 422,
          'no policy yet': 422,
        },
      )
      const last = `b${serial + 1}`
      serial++
      const path = `${bindings}/${last}`
      const change = (user: string, body: object) =>
        as(server, user, path, { method: 'PATCH', body, type: 'application/merge-patch+json' })
      assert.equal(
        (await as(server, 'of-one', bindings, { method: 'POST', body: bound(last, type, name, one) })).status,
        201,
      )
      assert.equal((await change('plain', { metadata: { labels: { a: 'b' } } })).status, 200)
      assert.equal((await change('plain', { spec: { paramRef: { name: 't' } } })).status, 422)
      assert.equal((await change('plain', { spec: { policyName: none } })).status, 422)
    })
  }

  const authority = makeAnyCertificate({ subject: ['CN=ca'], extensions: [authorityExtension()] })
  const bundle = {
    metadata: { name: 'example.com:a:b' },
    spec: { signerName: 'example.com/a', trustBundle: authority.pem },
  }
  const asked = {
    metadata: { name: 'asked' },
    spec: {
      signerName: 'example.com/a',
      usages: ['client auth'],
      request: Buffer.from(createSigningRequest('a').request).toString('base64'),
    },
  }
  const approval = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'a' }] } }
  const merge = { method: 'PATCH', type: 'application/merge-patch+json' }
  const cases: readonly (readonly [what: string, path: string, options: object, message: RegExp])[] = [
    [
      'a role that grants more than its author has: escalate',
      `${rbac}/clusterroles`,
      { method: 'POST', body: role('more', { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }) },
      /attempting to grant RBAC permissions not currently held/,
    ],
    [
      'a binding of a role that grants more than its author has: bind',
      `${rbac}/clusterrolebindings`,
      { method: 'POST', body: binding('more', 'ClusterRole', 'reader', 'plain') },
      /attempting to grant RBAC permissions not currently held/,
    ],
    [
      'a bundle of a signer: attest',
      `${certificates}/v1beta1/clustertrustbundles`,
      { method: 'POST', body: bundle },
      /user not permitted to attest for signerName "example.com\/a"/,
    ],
    [
      'an approval: approve',
      `${certificates}/v1/certificatesigningrequests/asked/approval`,
      { ...merge, body: approval },
      /user not permitted to approve requests with signerName "example.com\/a"/,
    ],
    [
      'a certificate: sign',
      `${certificates}/v1/certificatesigningrequests/asked/status`,
      { ...merge, body: { status: { certificate: Buffer.from(authority.pem).toString('base64') } } },
      /user not permitted to sign requests with signerName "example.com\/a"/,
    ],
    [
      'a token of an account: its own subresource',
      '/api/v1/namespaces/default/serviceaccounts/default/token',
      { method: 'POST', body: { spec: {} } },
      /cannot (create|patch) resource "serviceaccounts\/token"/,
    ],
    [
      'a debug container: its own subresource',
      '/api/v1/namespaces/default/pods/a/ephemeralcontainers',
      { ...merge, body: {} },
      /cannot patch resource "pods\/ephemeralcontainers"/,
    ],
    [
      'the finalizers of a namespace: its own subresource',
      '/api/v1/namespaces/default/finalize',
      { method: 'PUT', body: { metadata: { name: 'default' } } },
      /cannot update resource "namespaces\/finalize"/,
    ],
    [
      'a deletion of all objects: deletecollection',
      '/api/v1/namespaces/default/configmaps',
      { method: 'DELETE' },
      /cannot deletecollection resource "configmaps"/,
    ],
    [
      'an apply that creates: create',
      '/api/v1/namespaces/default/secrets/a?fieldManager=a',
      {
        method: 'PATCH',
        type: 'application/apply-patch+yaml',
        body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
      },
      /cannot patch resource "secrets"/,
    ],
  ]
  for (const [what, path, options, message] of cases)
    it(`${what}`, async () => {
      await admin(`${certificates}/v1/certificatesigningrequests`, asked)
      const { status, json } = await as(server, 'plain', path, options)
      assert.equal(status, 403, JSON.stringify(json))
      assert.match(json.message ?? '', message)
    })
})
