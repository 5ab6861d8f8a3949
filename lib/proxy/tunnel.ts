import type { Duplex } from 'node:stream'
import type { Clock } from '../base/index.ts'
import { createIdleLimit } from './idlelimit.ts'

/** How long the other side may take to read the remaining bytes of a side that has left. */
const lingerMs = 10_000

/**
 * Copies bytes both ways. The end of one direction leaves the other one open; when a side leaves, the other one is
 * closed once it has read the remaining bytes. `idleMs`: both are closed after this time without data.
 */
export function tunnel(clock: Clock, client: Duplex, server: Duplex, idleMs = 0): void {
  if (idleMs > 0) limitIdling(clock, client, server, idleMs)
  passOn(clock, client, server)
  passOn(clock, server, client)
}

function limitIdling(clock: Clock, client: Duplex, server: Duplex, idleMs: number): void {
  const idle = createIdleLimit(clock, idleMs, () => {
    client.destroy()
    server.destroy()
  })
  for (const side of [client, server]) {
    side.on('data', () => idle.touch())
    side.once('close', () => void idle.close())
  }
}

function passOn(clock: Clock, from: Duplex, to: Duplex): void {
  // The stream's end follows an error, and is handled.
  from.on('error', () => {})
  from.on('data', (chunk: Buffer) => {
    if (to.destroyed || to.write(chunk)) return
    from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('end', () => to.end())
  from.on('close', () => {
    if (!from.readableEnded) return void to.destroy()
    if (to.destroyed) return
    const late = clock.after(lingerMs, () => to.destroy())
    to.once('close', () => void late.close())
    const leave = (): void => void to.destroy()
    if (to.writableFinished) leave()
    else to.once('finish', leave)
  })
}
