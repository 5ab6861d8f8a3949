import assert from 'node:assert/strict'
import { decodeJwt, importJWK, jwtVerify } from 'jose'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { createKubectl, findKubectl } from '../../support/kubectl.ts'
import { ask } from '../../support/plane.ts'

const accounts = '/api/v1/namespaces/default/serviceaccounts'
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews'
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'

describe('service account tokens, served', () => {
  let plane: ControlPlane
  const admin = async (path: string, body?: unknown, method?: string) =>
    await ask(plane.url, path, { token: plane.adminToken, body, ...(method ? { method } : {}) })
  const tokenFor = async (name: string, spec: object = {}) => {
    const answer = await admin(`${accounts}/${name}/token`, { spec })
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }

  before(async () => {
    plane = await startControlPlane()
    for (const name of ['ann', 'ben', 'eva']) assert.equal((await admin(accounts, { metadata: { name } })).status, 201)
  })
  after(async () => {
    await plane.stop()
  })

  it('are created for an account, and authenticate it', async () => {
    const request = await tokenFor('ann', { expirationSeconds: 600 })
    const { token, expirationTimestamp } = request.status
    const claims = decodeJwt(token)
    const account = (await admin(`${accounts}/ann`)).body
    assert.equal(request.kind, 'TokenRequest')
    assert.deepEqual(request.spec.audiences, [claims.iss])
    assert.equal(claims.sub, 'system:serviceaccount:default:ann')
    assert.equal((claims.exp ?? 0) - (claims.iat ?? 0), 600)
    assert.equal(Math.abs(Date.parse(expirationTimestamp) / 1000 - (claims.exp ?? 0)) <= 1, true)
    assert.deepEqual(claims['kubernetes.io'], {
      namespace: 'default',
      serviceaccount: { name: 'ann', uid: account.metadata.uid },
    })
    const me = await ask(plane.url, whoami, { token, body: {} })
    assert.deepEqual(
      [me.status, me.body.status.userInfo],
      [
        201,
        {
          username: 'system:serviceaccount:default:ann',
          uid: account.metadata.uid,
          groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
          extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`] },
        },
      ],
    )
  })

  it('verify with the keys that are published', async () => {
    const { token } = (await tokenFor('ann')).status
    const found = await admin('/.well-known/openid-configuration')
    const keys = await admin('/openid/v1/jwks')
    assert.equal(found.body.jwks_uri, `https://127.0.0.1:${new URL(plane.url).port}/openid/v1/jwks`)
    assert.equal(keys.headers['content-type'], 'application/jwk-set+json')
    assert.equal(keys.headers['cache-control'], 'public, max-age=3600')
    const [key] = keys.body.keys
    assert.deepEqual(found.body.id_token_signing_alg_values_supported, [key.alg])
    const { payload } = await jwtVerify(token, await importJWK(key, key.alg), { issuer: found.body.issuer })
    assert.equal(payload.sub, 'system:serviceaccount:default:ann')
  })

  it('expire with their account', async () => {
    const { token } = (await tokenFor('ben')).status
    assert.equal((await admin(`${accounts}/ben`, undefined, 'DELETE')).status, 200)
    assert.equal((await ask(plane.url, whoami, { token, body: {} })).status, 401)
    assert.equal((await admin(accounts, { metadata: { name: 'ben' } })).status, 201)
    assert.equal((await ask(plane.url, whoami, { token, body: {} })).status, 401)
  })

  it('are bound to secrets, and expire with them', async () => {
    const secret = await admin('/api/v1/namespaces/default/secrets', { metadata: { name: 'holder' } })
    const reference = { kind: 'Secret', apiVersion: 'v1', name: 'holder' }
    const { token } = (await tokenFor('ann', { boundObjectRef: reference })).status
    assert.deepEqual((decodeJwt(token)['kubernetes.io'] as { secret: object }).secret, {
      name: 'holder',
      uid: secret.body.metadata.uid,
    })
    await admin('/api/v1/namespaces/default/secrets/holder', undefined, 'DELETE')
    assert.equal((await ask(plane.url, whoami, { token, body: {} })).status, 401)
  })

  it('tokens of pods live for a year where kubelets request an hour', async () => {
    const pod = await admin('/api/v1/namespaces/default/pods', {
      metadata: { name: 'web' },
      spec: { serviceAccountName: 'eva', nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
    })
    assert.equal(pod.status, 201, pod.text)
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'web' }
    const { token } = (await tokenFor('eva', { boundObjectRef, expirationSeconds: 3607 })).status
    const claims = decodeJwt(token)
    assert.equal((claims.exp ?? 0) - (claims.iat ?? 0), 365 * 24 * 3600)
    const bound = claims['kubernetes.io'] as { warnafter: number; pod: object; node: object }
    assert.equal(bound.warnafter - (claims.iat ?? 0), 3607)
    const me = await ask(plane.url, whoami, { token, body: {} })
    assert.deepEqual(me.body.status.userInfo.extra['authentication.kubernetes.io/pod-name'], ['web'])
    assert.deepEqual(me.body.status.userInfo.extra['authentication.kubernetes.io/node-name'], ['n1'])
    const other = await admin(`${accounts}/ann/token`, { spec: { boundObjectRef } })
    assert.deepEqual(
      [other.status, other.body.message],
      [400, 'cannot bind token for serviceaccount "ann" to pod running with different serviceaccount name.'],
    )
  })

  const refused: [string, string, object, number, string][] = [
    [
      'too short a life',
      'ann',
      { expirationSeconds: 5 },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
    ],
    ['no such account', 'zz', {}, 404, 'serviceaccounts "zz" not found'],
    [
      'a missing pod',
      'ann',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'nope' } },
      404,
      'pods "nope" not found',
    ],
    ['a pod without a name', 'ann', { boundObjectRef: { kind: 'Pod' } }, 400, 'Name parameter required.'],
    [
      'a missing pod of no version',
      'ann',
      { boundObjectRef: { kind: 'Pod', name: 'nope' } },
      404,
      'pods "nope" not found',
    ],
    [
      'a pod of another group',
      'ann',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'apps/v1', name: 'nope' } },
      400,
      'cannot bind token to object of type apps/v1, Kind=Pod',
    ],
    [
      'a kind that nothing is bound to',
      'ann',
      { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } },
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
  ]
  for (const [title, name, spec, status, message] of refused) {
    it(`are refused for ${title}`, async () => {
      const answer = await admin(`${accounts}/${name}/token`, { spec })
      assert.deepEqual([answer.status, answer.body.message], [status, message])
    })
  }

  it('are reviewed for the requested audiences', async () => {
    const { token } = (await tokenFor('ann', { audiences: ['vault', 'db'] })).status
    assert.equal((await ask(plane.url, whoami, { token, body: {} })).status, 401)
    const yes = await admin(reviews, { spec: { token, audiences: ['db', 'other'] } })
    assert.deepEqual([yes.status, yes.body.status.authenticated, yes.body.status.audiences], [201, true, ['db']])
    const no = await admin(reviews, { spec: { token } })
    assert.match(
      no.body.status.error,
      /^\[invalid bearer token, token audiences \["vault" "db"\] is invalid for the target audiences \["https:.*"\]\]$/,
    )
    const static_ = await admin(reviews, { spec: { token: plane.adminToken, audiences: ['db'] } })
    assert.deepEqual(static_.body.status, { user: {}, error: 'invalid bearer token' })
    const empty = await admin(reviews, { spec: {} })
    assert.deepEqual([empty.status, empty.body.message], [400, 'token is required for TokenReview in authentication'])
  })

  it("are reviewed like a request's token, in no namespace", async () => {
    const unknown = await admin(reviews, { spec: { token: 'who knows' } })
    assert.deepEqual(unknown.body.status, { user: {}, error: 'invalid bearer token' })
    const answer = await admin(reviews, { metadata: { namespace: 'ns' }, spec: { token: `${plane.adminToken} more` } })
    assert.deepEqual([answer.status, answer.body.status.authenticated], [201, true])
    assert.equal(answer.body.metadata.namespace, undefined)
  })

  it('serve kubectl', async function () {
    if (!findKubectl()) this.skip()
    const folder = scratchFolder('tokens')
    try {
      const kubectl = createKubectl(plane, folder.path, plane.adminToken)
      const made = await kubectl(['create', 'token', 'ann', '--duration=20m'])
      assert.equal(made.code, 0, made.stderr)
      const me = await createKubectl(plane, `${folder.path}`, made.stdout.trim())(['auth', 'whoami', '-o', 'json'])
      assert.equal(me.code, 0, me.stderr)
      assert.equal(JSON.parse(me.stdout).status.userInfo.username, 'system:serviceaccount:default:ann')
    } finally {
      folder.remove()
    }
  })
})
