import type { Duplex } from 'node:stream'
import type { Clock } from '../base/index.ts'
import { createIdleLimit } from './idlelimit.ts'

/** How long the other side may take to read the rest of what a side wrote before it left. */
const lingerMs = 10_000

/**
 * Passes bytes both ways. The end of one direction leaves the other one open; a side that leaves is followed by the
 * other one, once that has taken what was written before. `idleMs`: both are closed when nothing has passed for so long.
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
  // An error is followed by the stream's end, which counts.
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
