import assert from 'node:assert/strict'
import { answerHeaders, forwardedHeaders, userHeaders } from '../../../lib/proxy/index.ts'
import type { Call } from '../../../lib/request/index.ts'

describe('headers between servers', () => {
  it('carry names of any characters, and no header with the name of one', () => {
    const extra = { 'example.com/Ä': ['ü\r\nx-remote-group: system:masters'] }
    const headers = userHeaders({ name: 'jäne\n', uid: '1', groups: ['a', 'b'], extra })
    assert.deepEqual(headers['x-remote-group'], ['a', 'b'])
    assert.equal(Buffer.from(String(headers['x-remote-user']), 'latin1').toString(), 'jäne ')
    assert.ok(Object.keys(headers).every((name) => /^[!-9;-~]+$/.test(name)))
    assert.ok(!/[\r\n]/.test(JSON.stringify(Object.values(headers).map(String))))
    assert.ok('x-remote-extra-example.com%2f%c3%a4' in headers)
  })

  it('headers of a client about users, credentials or its own connection stay here', () => {
    const sent = {
      authorization: 'Bearer secret',
      'x-remote-user': 'admin',
      'x-proxy-user': 'admin',
      'x-remote-uid': '0',
      'x-remote-group': 'system:masters',
      'x-remote-extra-a': 'b',
      te: 'trailers',
      connection: 'x-private, close',
      'x-private': 'x',
      accept: 'application/json',
    }
    const call = {
      headers: sent,
      remoteAddress: '10.0.0.9',
      url: '/x',
    }
    const headers = forwardedHeaders(call as unknown as Call, (name) => name === 'x-proxy-user')
    assert.deepEqual(headers, {
      accept: 'application/json',
      'x-forwarded-for': '10.0.0.9',
      'x-forwarded-host': '',
      'x-forwarded-proto': 'https',
      'x-forwarded-uri': '/x',
    })
  })

  it("headers of an answer are the backend's, less those of its connection", () => {
    assert.deepEqual(
      answerHeaders({
        'content-type': 'a/b',
        connection: 'keep-alive, x-hop',
        'x-hop': '1',
        'set-cookie': ['a=1', 'b=2'],
      }),
      { 'content-type': 'a/b', 'set-cookie': ['a=1', 'b=2'] },
    )
  })
})
