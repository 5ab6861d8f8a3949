import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createDelegation } from '../../../cmd/component/delegate.ts'
import { servePages } from '../../../cmd/component/serve.ts'
import { silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'

describe('the pages of the controller manager', () => {
  it('close at once, whatever connections are open: silent ones, kept ones', async () => {
    const services = { clock: systemClock, random: systemRandom }
    const pair = createAuthority(services, { commonName: 'ca' }).issue({
      commonName: 'manager',
      usage: 'server',
      names: ['127.0.0.1'],
    })
    const ttls = { tokenTtlMs: 0, allowedTtlMs: 0, deniedTtlMs: 0 }
    const pages = await servePages(
      {
        log: silentLogger,
        metrics: createMetrics(),
        delegation: createDelegation({ clock: systemClock, log: silentLogger, client: undefined }, ttls),
        health: new Map([['/healthz', () => []]]),
        configz: () => ({}),
        setVerbosity() {},
        documents: new Map(),
        componentPages: new Map(),
      },
      {
        host: '127.0.0.1',
        port: 0,
        ...pair,
        clientAuthorities: undefined,
        tlsMinVersion: 'TLSv1.2',
        ciphers: undefined,
        open: ['/healthz'],
      },
    )
    // It never shakes hands.
    const silent = connect(pages.port, '127.0.0.1')
    await once(silent, 'connect')
    const kept = connectTls({ port: pages.port, host: '127.0.0.1', rejectUnauthorized: false })
    await once(kept, 'secureConnect')
    kept.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(kept, 'data')
    const ends = [silent, kept].map((socket) =>
      once(
        socket.on('error', () => {}),
        'close',
      ),
    )
    const sinceMs = performance.now()
    await pages.close()
    await Promise.all(ends)
    assert.ok(performance.now() - sinceMs < 5000)
  })
})
