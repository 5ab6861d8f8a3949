import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { createFakeClock, type FakeClock } from '../../../lib/base/index.ts'
import { createOpenConnections, type OpenConnections } from '../../../lib/server/openconnections.ts'
import { defaultServerOptions } from '../../../lib/server/options.ts'

const { stallTimeoutMs, pendingBytesMax } = defaultServerOptions

/** What the sweep sees of a socket. */
class FakeSocket extends EventEmitter {
  bytesWritten = 0
  writableLength = 0
  destroyed = false

  /** The client reads nothing of it until `take`. */
  write(bytes: number): void {
    this.bytesWritten += bytes
    this.writableLength += bytes
  }

  take(bytes: number): void {
    this.writableLength -= bytes
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

describe('open connections', () => {
  let clock: FakeClock
  let connections: OpenConnections

  beforeEach(() => {
    clock = createFakeClock()
    connections = createOpenConnections(clock, defaultServerOptions)
  })
  afterEach(() => connections.close())

  function connect(): FakeSocket {
    const socket = new FakeSocket()
    connections.addSocket(socket as unknown as Socket)
    return socket
  }

  it('a first answer that waits at a sweep has its time, however long the server has run', () => {
    clock.advance(10 * stallTimeoutMs)
    const socket = connect()
    socket.write(100)
    clock.advance(stallTimeoutMs - 1)
    assert.equal(socket.destroyed, false)
    clock.advance(stallTimeoutMs)
    assert.equal(socket.destroyed, true)
    assert.equal(connections.size, 0)
  })

  it('a client that reads slowly stays; one that stops ends after the timeout', () => {
    const socket = connect()
    socket.write(10_000)
    for (let turn = 0; turn < 10; turn++) {
      clock.advance(stallTimeoutMs / 2)
      socket.take(1)
    }
    // What replaces the bytes that leave does not hide that they do.
    for (let turn = 0; turn < 10; turn++) {
      clock.advance(stallTimeoutMs / 2)
      socket.take(1)
      socket.write(1)
    }
    assert.equal(socket.destroyed, false)
    clock.advance(2 * stallTimeoutMs)
    assert.equal(socket.destroyed, true)
  })

  it('a connection that was idle has its time from its next answer on', () => {
    const socket = connect()
    socket.write(100)
    socket.take(100)
    clock.advance(10 * stallTimeoutMs)
    socket.write(100)
    clock.advance(stallTimeoutMs / 2)
    assert.equal(socket.destroyed, false)
  })

  it('more waiting bytes than the maximum end the connection at the next sweep', () => {
    const socket = connect()
    socket.write(pendingBytesMax + 1)
    clock.advance(5000)
    assert.equal(socket.destroyed, true)
  })
})
