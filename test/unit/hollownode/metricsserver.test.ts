import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { startMetricsServer } from '../../../lib/hollownode/metricsapi/server.ts'
import { createAuthority } from '../../../lib/pki/index.ts'

const address = '127.0.0.1'

describe('metrics server of hollow nodes', () => {
  it('ends at once, though a connection never began its handshake and another is idle', async () => {
    const services = { clock: systemClock, random: systemRandom }
    const pair = createAuthority(services, { commonName: 'test' }).issue({
      commonName: 'metrics',
      usage: 'server',
      names: [address],
    })
    const { signal } = new AbortController()
    // Nothing is asked, so that no object is read.
    const dependencies = { clock: systemClock, log: silentLogger, signal, client: undefined } as never
    const server = await startMetricsServer(dependencies, pair, address, undefined as never)
    const silent = connect(server.port, address)
    await once(silent, 'connect')
    // The server has accepted the first one before this one.
    const idle = connectTls({ host: address, port: server.port, rejectUnauthorized: false })
    await once(idle, 'secureConnect')
    const ends = [silent, idle].map(async (socket) => {
      socket.on('error', () => {})
      await once(socket, 'close')
    })
    await server.close()
    await Promise.all(ends)
  }).timeout(5000)
})
