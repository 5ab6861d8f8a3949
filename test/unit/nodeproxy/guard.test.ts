import assert from 'node:assert/strict'
import { isAllowed } from '../../../lib/nodeproxy/guard.ts'
import { parseProxyId, portNumber } from '../../../lib/nodeproxy/proxyid.ts'
import { AddressRefused, guardedLookup } from '../../../lib/proxy/guardedlookup.ts'

describe('addresses that requests are passed on to', () => {
  const addresses: readonly (readonly [string, boolean])[] = [
    ['10.0.0.1', true],
    ['192.0.2.7', true],
    ['8.8.8.8', true],
    ['2001:db8::1', true],
    ['fd00::1', true],
    ['127.0.0.1', false],
    ['127.8.8.8', false],
    ['0.0.0.0', false],
    ['255.255.255.255', false],
    ['169.254.169.254', false],
    ['224.0.0.1', false],
    ['239.1.2.3', false],
    ['::', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:169.254.169.254', false],
    ['fe80::1', false],
    ['ff02::1', false],
    ['', false],
    ['localhost', false],
    ['127.1', false],
  ]
  for (const [address, allowed] of addresses)
    it(`${allowed ? 'include' : 'leave out'} "${address}"`, () => assert.equal(isAllowed(address), allowed))

  it('are those of a name at the time of the connection', async () => {
    const lookup = guardedLookup(isAllowed)
    const error = await new Promise((done) => lookup('localhost', { all: true }, (why) => done(why)))
    assert.ok(error instanceof AddressRefused)
  })
})

describe('the name in the path of a proxy', () => {
  it('has a scheme and a port where they are given', () => {
    assert.deepEqual(parseProxyId('web', 'pod'), { scheme: 'http', name: 'web', port: '' })
    assert.deepEqual(parseProxyId('web:80', 'pod'), { scheme: 'http', name: 'web', port: '80' })
    assert.deepEqual(parseProxyId('https:web:metrics', 'service'), { scheme: 'https', name: 'web', port: 'metrics' })
    assert.deepEqual(parseProxyId('https:web:', 'service'), { scheme: 'https', name: 'web', port: '' })
  })

  for (const id of ['', ':80', 'ftp:web:80', 'a:b:c:d', 'https::80'])
    it(`is refused as "${id}"`, () =>
      assert.throws(() => parseProxyId(id, 'pod'), new RegExp(`invalid pod request "${id}"`)))

  for (const port of ['0', '65536', '-1', '1e3', 'http', '80/../'])
    it(`has no port "${port}"`, () =>
      assert.throws(() => portNumber(port, `web:${port}`, 'pod'), /invalid pod request/))
})
