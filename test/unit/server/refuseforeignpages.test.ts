import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { ServerCall } from '../../../lib/server/call.ts'
import { refuseForeignPages } from '../../../lib/server/filters/refuseforeignpages.ts'
import { defaultServerOptions } from '../../../lib/server/index.ts'

describe('requests of pages of other origins', () => {
  const leaf = Buffer.from('a certificate')
  const fingerprint = createHash('sha256').update(leaf).digest('hex')
  const publicPages = { serves: () => false, handle() {} }
  const options = { ...defaultServerOptions, corsAllowedOrigins: ['^https://ui[.]example[.]com$'] }

  function isRefused(
    headers: Readonly<Record<string, string>>,
    { id = `X509SHA256=${fingerprint}`, chain = [leaf] as readonly Buffer[] } = {},
  ): boolean {
    const filter = refuseForeignPages({ publicPages }, options)
    // What the filter needs of a call.
    const call = {
      headerValue: (name: string) => headers[name] ?? '',
      clientCertificates: () => ({ chain }),
      user: { name: 'jane', uid: '', groups: [], extra: { 'authentication.kubernetes.io/credential-id': [id] } },
    } as unknown as ServerCall
    let isPassed = false
    try {
      void filter?.(call, () => void (isPassed = true))
    } catch (error) {
      assert.equal((error as { code?: number }).code, 403)
    }
    return !isPassed
  }

  const host = 'cluster.example:6443'
  it('are refused where a certificate of the connection authenticates them', () => {
    for (const origin of [
      'https://evil.example',
      `http://${host}`,
      'https://cluster.example',
      'https://ui.example.com.evil',
      'null',
    ])
      assert.equal(isRefused({ origin, host }), true, origin)
    assert.equal(isRefused({ origin: 'https://evil.example', ':authority': host }), true)
  })

  it('pass from the own origin, from allowed ones, without an origin, and with another credential', () => {
    assert.equal(isRefused({ origin: `https://${host}`, host }), false)
    assert.equal(isRefused({ origin: `https://${host}`, ':authority': host.toUpperCase() }), false)
    assert.equal(isRefused({ origin: 'https://ui.example.com', host }), false)
    assert.equal(isRefused({ host }), false)
    const foreign = { origin: 'https://evil.example', host }
    assert.equal(isRefused(foreign, { id: 'JTI=x' }), false)
    // A front proxy passes on a user of a certificate, and has one of its own.
    assert.equal(isRefused(foreign, { id: 'X509SHA256=other' }), false)
    assert.equal(isRefused(foreign, { chain: [] }), false)
  })

  it('pass where no console is served', () => {
    assert.equal(refuseForeignPages({ publicPages: undefined }, options), undefined)
  })
})
