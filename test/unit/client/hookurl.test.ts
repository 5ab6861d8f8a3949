import assert from 'node:assert/strict'
import { hookPlace } from '../../../lib/client/index.ts'

const host = 'https://example.com:8443'
/** What Go's `url.Parse`, `path.Join` and `URL.String` make of the same. */
const urls: readonly (readonly [given: string, asked: string])[] = [
  ['', '/'],
  ['/', '/'],
  ['//failing', '/failing'],
  ['/x/', '/x'],
  ['/x//y/./z/../w', '/x/y/w'],
  ['/../x', '/x'],
  ['/q%2Fz', '/q/z'],
  ['/a%20b', '/a%20b'],
  ['/a b', '/a%20b'],
  ['/é', '/%C3%A9'],
  ['/%c3%a9', '/%C3%A9'],
  ['/a(b)*!', '/a%28b%29%2A%21'],
  ['/a~b$c&d+e,f;g=h:i@j', '/a~b$c&d+e,f;g=h:i@j'],
  ['/x?y=z', '/x'],
]

describe('client: the URL of a webhook', () => {
  for (const [given, asked] of urls)
    it(`${given === '' ? 'without a path' : given} is asked at ${asked}`, () => {
      assert.deepEqual(hookPlace({ url: `${host}${given}` }), { url: `${host}${asked}` })
    })

  it('names the service and its port', () => {
    const service = { namespace: 'ns', name: 'hooks', path: '/mutate' }
    const at = { namespace: 'ns', name: 'hooks', host: 'hooks.ns.svc', port: 443 }
    assert.deepEqual(hookPlace({ service }), { url: 'https://hooks.ns.svc:443/mutate', service: at })
    const other = hookPlace({ service: { namespace: 'ns', name: 'hooks', port: 9443 } })
    assert.deepEqual(other, { url: 'https://hooks.ns.svc:9443/', service: { ...at, port: 9443 } })
  })

  it('is refused where it is none', () => {
    assert.throws(() => hookPlace({ url: 'nowhere' }), TypeError)
  })
})
