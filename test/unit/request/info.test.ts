import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parseFieldSelector, StatusError } from '../../../lib/object/index.ts'
import { decodePath, parseQuery, parseRequestInfo } from '../../../lib/request/index.ts'

const none = new URLSearchParams()

// method, url, verb, group, version, namespace, resource, subresource, name
const resources: readonly (readonly [string, string, string, string, string, string, string, string, string])[] = [
  ['GET', '/api/v1/namespaces', 'list', '', 'v1', '', 'namespaces', '', ''],
  ['GET', '/api/v1/namespaces/ns', 'get', '', 'v1', 'ns', 'namespaces', '', 'ns'],
  ['PUT', '/api/v1/namespaces/ns/status', 'update', '', 'v1', 'ns', 'namespaces', 'status', 'ns'],
  ['PUT', '/api/v1/namespaces/ns/finalize', 'update', '', 'v1', 'ns', 'namespaces', 'finalize', 'ns'],
  ['GET', '/api/v1/namespaces/ns/pods', 'list', '', 'v1', 'ns', 'pods', '', ''],
  ['GET', '/api/v1/namespaces/ns/pods/', 'list', '', 'v1', 'ns', 'pods', '', ''],
  ['GET', '/api/v1/namespaces/ns/pods/p', 'get', '', 'v1', 'ns', 'pods', '', 'p'],
  ['HEAD', '/api/v1/namespaces/ns/pods/p', 'get', '', 'v1', 'ns', 'pods', '', 'p'],
  ['GET', '/api/v1/namespaces/ns/pods/p/log', 'get', '', 'v1', 'ns', 'pods', 'log', 'p'],
  ['GET', '/api/v1/namespaces/ns/pods/p/proxy/a/b', 'get', '', 'v1', 'ns', 'pods', 'proxy', 'p'],
  ['GET', '/api/v1/pods?watch=1', 'watch', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?watch', 'watch', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?watch=false', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?watch=0', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/namespaces/ns/pods/p?watch=1', 'get', '', 'v1', 'ns', 'pods', '', 'p'],
  ['GET', '/api/v1/watch/pods', 'watch', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/watch/namespaces/ns/pods/p', 'watch', '', 'v1', 'ns', 'pods', '', 'p'],
  ['GET', '/apis/apps/v1/watch/deployments', 'watch', 'apps', 'v1', '', 'deployments', '', ''],
  ['GET', '/api/v1/proxy/namespaces/ns/pods/p/x', 'proxy', '', 'v1', 'ns', 'pods', '', 'p'],
  ['POST', '/apis/apps/v1/namespaces/ns/deployments', 'create', 'apps', 'v1', 'ns', 'deployments', '', ''],
  [
    'PATCH',
    '/apis/apps/v1/namespaces/ns/deployments/d/scale',
    'patch',
    'apps',
    'v1',
    'ns',
    'deployments',
    'scale',
    'd',
  ],
  ['DELETE', '/apis/apps/v1/namespaces/ns/deployments', 'deletecollection', 'apps', 'v1', 'ns', 'deployments', '', ''],
  ['DELETE', '/apis/apps/v1/namespaces/ns/deployments/d', 'delete', 'apps', 'v1', 'ns', 'deployments', '', 'd'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp', 'list', '', 'v1', '', 'pods', '', 'p'],
  ['GET', '/api/v1/pods?watch=1&fieldSelector=metadata.name%3D%3Dp', 'watch', '', 'v1', '', 'pods', '', 'p'],
  ['GET', '/api/v1/pods?fieldSelector=a%3Db,metadata.name%3Dp', 'list', '', 'v1', '', 'pods', '', 'p'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name!%3Dp', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Da%2Fb', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?fieldSelector=xmetadata.name%3Dp', 'list', '', 'v1', '', 'pods', '', ''],
  [
    'DELETE',
    '/api/v1/namespaces/ns/pods?fieldSelector=metadata.name%3Dp',
    'deletecollection',
    '',
    'v1',
    'ns',
    'pods',
    '',
    '',
  ],
  ['GET', '/api/v1/watch/pods?fieldSelector=metadata.name%3Dp', 'watch', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods??fieldSelector=metadata.name%3Dp', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods??watch=1', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?a=1?&watch=1', 'watch', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?watch=1;x', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?x=1;&watch=1', 'watch', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?watch=%1', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?%zz=1&w%61tch=1', 'watch', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?watch=0&watch=1', 'list', '', 'v1', '', 'pods', '', ''],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp;&fieldSelector=', 'list', '', 'v1', '', 'pods', '', ''],
  ['BREW', '/api/v1/pods', '', '', 'v1', '', 'pods', '', ''],
  ['GET', '//api/v1/pods//', 'list', '', 'v1', '', 'pods', '', ''],
]

const others: readonly (readonly [string, string, string])[] = [
  ['GET', '/', 'get'],
  ['GET', '', 'get'],
  ['GET', '/api', 'get'],
  ['GET', '/api/v1', 'get'],
  ['GET', '/apis', 'get'],
  ['GET', '/apis/apps', 'get'],
  ['GET', '/apis/apps/v1', 'get'],
  ['POST', '/healthz', 'post'],
  ['GET', '/apix/v1/pods/a/b', 'get'],
]

function parse(method: string, url: string) {
  const [path = ''] = url.split('?')
  return parseRequestInfo(method, path, parseQuery(url))
}

describe('parseRequestInfo', () => {
  for (const [method, url, verb, group, version, namespace, resource, subresource, name] of resources) {
    it(`${method} ${url} is ${verb || 'no verb'} of ${resource}`, () => {
      const info = parse(method, url)
      const { isResource, parts: _, path: __, method: ___, selects: ____, apiPrefix, namespaced, ...rest } = info
      assert.ok(isResource)
      assert.equal(apiPrefix, group === '' ? 'api' : 'apis')
      assert.equal(namespaced, namespace !== '' && resource !== 'namespaces')
      assert.deepEqual(rest, { verb, group, version, namespace, resource, subresource, name })
    })
  }

  for (const [method, url, verb] of others) {
    it(`${method} '${url}' is no resource`, () => {
      const info = parse(method, url)
      assert.equal(info.isResource, false)
      assert.equal(info.verb, verb)
    })
  }

  it('is frozen, so that nothing behind authorization can change the action', () => {
    for (const url of ['/api/v1/namespaces/ns/pods/p', '/healthz']) {
      const info = parse('GET', url)
      assert.ok(Object.isFrozen(info) && Object.isFrozen(info.parts))
    }
  })

  it('distinguishes a namespace inside of a namespace from a namespace', () => {
    const { namespaced, namespace, resource, name } = parse('GET', '/api/v1/namespaces/a/namespaces/b')
    assert.deepEqual(
      { namespaced, namespace, resource, name },
      {
        namespaced: true,
        namespace: 'a',
        resource: 'namespaces',
        name: 'b',
      },
    )
  })

  it('keeps the method of requests below the prefix of watches', () => {
    const { verb, method } = parse('POST', '/api/v1/watch/namespaces/ns/pods/p/binding')
    assert.deepEqual([verb, method], ['watch', 'POST'])
  })

  it('applies selectors where the endpoint does', () => {
    const cases: [method: string, url: string, selects: boolean][] = [
      ['GET', '/api/v1/pods', true],
      ['GET', '/api/v1/pods?watch=1', true],
      ['HEAD', '/api/v1/pods', true],
      ['DELETE', '/api/v1/namespaces/ns/pods', true],
      ['GET', '/api/v1/namespaces/ns/pods/p', false],
      ['POST', '/api/v1/namespaces/ns/pods', false],
      ['GET', '/api/v1/watch/pods', false],
      ['GET', '/api/v1/watch/namespaces/ns/pods/p', false],
      ['GET', '/api/v1/proxy/namespaces/ns/pods/p', false],
      ['GET', '/healthz', false],
    ]
    for (const [method, url, selects] of cases) assert.equal(parse(method, url).selects, selects, `${method} ${url}`)
  })

  it("finds the handler's name, whatever the field selector is", () => {
    const parts = ['metadata.name', '=', '==', '!=', 'p', ',', '\\', '\\,', '\\=', ' ', ';', '%', '/', 'x', '"']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (some) => {
        const text = some.join('')
        const query = new URLSearchParams({ fieldSelector: text })
        const { name } = parseRequestInfo('GET', '/api/v1/pods', query)
        if (name === '') return
        assert.equal(parseFieldSelector(text).exactMatch('metadata.name'), name)
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses a watch of nothing', () => {
    assert.throws(
      () => parse('GET', '/api/v1/watch'),
      (error: unknown) =>
        error instanceof StatusError &&
        error.code === 500 &&
        error.message === 'Internal error occurred: unable to determine kind and namespace from url, /api/v1/watch',
    )
  })

  it('keeps the rest of a proxied path in its parts', () => {
    assert.deepEqual(parse('GET', '/api/v1/namespaces/ns/services/s/proxy/a/b').parts, [
      'services',
      's',
      'proxy',
      'a',
      'b',
    ])
  })

  it('resolves escapes before it splits, and refuses those that are none', () => {
    assert.equal(decodePath('/api/v1/a%2Fb'), '/api/v1/a/b')
    assert.equal(decodePath('/plain'), '/plain')
    for (const path of ['/%', '/%zz', '/%ff'])
      assert.throws(
        () => decodePath(path),
        (error: unknown) => error instanceof StatusError && error.code === 400,
      )
  })

  it('answers any path', () => {
    const piece = fc.oneof(
      fc.constantFrom('api', 'apis', 'v1', 'namespaces', 'watch', 'proxy', 'pods', '', '..', 'status'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.constantFrom('GET', 'PUT', 'X'), fc.array(piece), fc.string(), (method, pieces, query) => {
        try {
          const info = parseRequestInfo(method, `/${pieces.join('/')}`, new URLSearchParams(query))
          assert.equal(typeof info.verb, 'string')
          if (info.isResource) assert.notEqual(info.parts, undefined)
        } catch (error) {
          assert.ok(error instanceof StatusError)
        }
      }),
    )
  })

  it('reads no query where the verb does not depend on it', () => {
    assert.equal(parseRequestInfo('GET', '/api/v1/namespaces/ns/pods/p', none).verb, 'get')
  })
})
