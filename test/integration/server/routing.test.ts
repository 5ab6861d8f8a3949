import assert from 'node:assert/strict'
import { createRoutingKit, fooOwner, jsonBody as json, type RoutingKit, reader } from '../../support/routingkit.ts'

describe('routing', function () {
  this.timeout(60_000)
  let kit: RoutingKit

  beforeEach(async () => {
    kit = await createRoutingKit()
  })
  afterEach(() => kit.close())

  const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p1' }, target: { kind: 'Node', name: 'n' } }
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p1' } }
  const tokenReview = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'x' } }
  const attributes = { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'foo' } }
  const review = (kind: string, spec: object): object => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec })
  const access = review('SubjectAccessReview', { ...attributes, user: 'u' })
  const self = review('SelfSubjectAccessReview', attributes)
  const local = review('LocalSubjectAccessReview', { ...attributes, user: 'u' })
  const rules = review('SelfSubjectRulesReview', { namespace: 'foo' })
  const own = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const authentication = '/apis/authentication.k8s.io/v1'
  const authorization = '/apis/authorization.k8s.io/v1'

  describe('does nothing for a reader that only a creator may do', () => {
    // [path below the prefix, its own path, body]; `W` is where the word `watch` or `proxy` goes.
    const posts: readonly (readonly [string, object])[] = [
      ['/api/v1W/namespaces/kube-system/serviceaccounts/superadmin/token', token],
      ['/api/v1W/namespaces/foo/pods/p1/binding', binding],
      ['/api/v1W/namespaces/foo/pods/p1/eviction', eviction],
      ['/api/v1W/namespaces/foo/bindings', binding],
      [`${authentication}W/tokenreviews`, tokenReview],
      [`${authentication}W/selfsubjectreviews`, own],
      [`${authorization}W/subjectaccessreviews`, access],
      [`${authorization}W/selfsubjectaccessreviews`, self],
      [`${authorization}W/namespaces/foo/localsubjectaccessreviews`, local],
      [`${authorization}W/selfsubjectrulesreviews`, rules],
    ]
    for (const [pattern, body] of posts) {
      for (const prefix of ['watch', 'proxy']) {
        const path = pattern.replace('W', `/${prefix}`)
        it(`POST ${path}`, async () => {
          const before = await kit.stored()
          const { status, audited } = await kit.as(reader).request('POST', path, json(body))
          assert.ok(status === 404 || status === 405, String(status))
          assert.equal(audited?.verb, prefix)
          assert.deepEqual([kit.done, await kit.stored()], [[], before])
          const direct = await kit.as(reader).request('POST', pattern.replace('W', ''), json(body))
          assert.deepEqual([direct.status, direct.audited?.verb], [403, 'create'])
        })
      }
    }
  })

  describe('serves virtual resources on their own paths only', () => {
    const shapes: readonly (readonly [number, string, object])[] = [
      [201, '/api/v1/namespaces/foo/serviceaccounts/superadmin/token', token],
      [201, '/api/v1/namespaces/foo/bindings', binding],
      [201, `${authentication}/tokenreviews`, tokenReview],
      [201, `${authorization}/namespaces/foo/localsubjectaccessreviews`, local],
      [404, '/api/v1/namespaces/foo/serviceaccounts//token', token],
      [404, '/api/v1/namespaces/foo/serviceaccounts/superadmin/token/x', token],
      [404, '/api/v1/serviceaccounts/superadmin/token', token],
      [404, '/api/v1/namespaces//serviceaccounts/superadmin/token', token],
      [404, '/api/v1/namespaces/foo/pods/p1/bindings', binding],
      [404, '/api/v1/namespaces/foo/bindings/p1', binding],
      [404, '/api/v1/namespaces/foo/bindings/p1/binding', binding],
      [404, '/api/v1/bindings', binding],
      [404, `${authentication}/namespaces/foo/tokenreviews`, tokenReview],
      [404, `${authentication}/namespaces//tokenreviews`, tokenReview],
      [404, `${authentication}/tokenreviews/x`, tokenReview],
      [404, `${authentication}/namespaces/foo/selfsubjectreviews`, own],
      [404, `${authorization}/namespaces/foo/subjectaccessreviews`, access],
      [404, `${authorization}/namespaces/foo/selfsubjectaccessreviews`, self],
      [404, `${authorization}/namespaces/foo/selfsubjectrulesreviews`, rules],
      [404, `${authorization}/localsubjectaccessreviews`, local],
      [404, '/apis//v1/namespaces/foo/serviceaccounts/superadmin/token', token],
    ]
    for (const [expected, path, body] of shapes) {
      it(`POST ${path} answers ${expected}`, async () => {
        const before = await kit.stored()
        const { status } = await kit.as({ namespace: '*', verbs: '*' }).request('POST', path, json(body))
        assert.equal(status, expected)
        if (expected !== 201) assert.deepEqual([kit.done, await kit.stored()], [[], before])
      })
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
      it(`${method} of a token is 405`, async () => {
        const path = '/api/v1/namespaces/foo/serviceaccounts/superadmin/token'
        const { status } = await kit.as({ namespace: '*', verbs: '*' }).request(method, path, json(token))
        assert.equal(status, 405)
      })
  })

  describe("never acts on a namespace by another one's roles", () => {
    const paths = [
      '/api/v1/namespaces/foo/namespaces/kube-system',
      '/api/v1/namespaces/foo/namespaces/kube-system/status',
      '/api/v1/namespaces/foo/namespaces/kube-system/finalize',
      '/api/v1/watch/namespaces/foo/namespaces/kube-system',
      '/api/v1/namespaces/foo/namespaces%2fkube-system',
      '/api/v1/namespaces%2Ffoo%2Fnamespaces%2Fkube-system',
      '/api/v1/namespaces/foo/namespaces/%6bube-system',
      '/api/v1/namespaces/foo/n%61mespaces/kube-system',
      '/api/v1/namespaces/foo/namespaces/foo',
      '/api/v1/namespaces/foo/namespaces/',
      '/api/v1/namespaces/foo/namespaces',
      '/api/v1/namespaces/namespaces/namespaces/foo',
      '//api/v1/namespaces/foo/namespaces/kube-system',
    ]
    const bodies: Readonly<Record<string, object>> = {
      PUT: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', labels: { taken: 'over' } } },
      PATCH: { metadata: { labels: { taken: 'over' } } },
      POST: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } },
    }
    for (const path of paths) {
      it(path, async () => {
        const before = await kit.stored()
        const chain = kit.as(
          path.includes('namespaces/namespaces') ? { namespace: 'namespaces', verbs: '*' } : fooOwner,
        )
        for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST']) {
          const { status } = await chain.request(method, path, json(bodies[method], method))
          assert.equal(status, path.includes('/watch/') && method !== 'GET' ? status : 404, `${method} ${status}`)
          assert.ok(status >= 400)
        }
        assert.deepEqual(await kit.stored(), before)
      })
    }

    it('a namespace is acted on by its own roles', async () => {
      const chain = kit.as(fooOwner)
      assert.equal((await chain.request('GET', '/api/v1/namespaces/foo')).status, 200)
      assert.equal((await chain.request('GET', '/api/v1/watch/namespaces/foo')).status, 200)
      assert.equal((await chain.request('GET', '/api/v1/namespaces/foo/status')).status, 200)
      assert.equal((await chain.request('GET', '/api/v1/namespaces/bar')).status, 403)
      const labelled = json({ metadata: { labels: { a: 'b' } } }, 'PATCH')
      assert.equal((await chain.request('PATCH', '/api/v1/namespaces/foo', labelled)).status, 200)
    })
  })
})
