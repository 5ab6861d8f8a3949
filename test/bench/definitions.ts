// Thousands of definitions of custom resources: a server that starts with them, and what each holds. From the start of the
// process to the answer of /readyz, one of them served with it.
import type { ServerProcess } from '../support/apiserver.ts'
import { createClient } from './client.ts'
import { definition, definitionsPath, pathOfThings } from './crd.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'
import { targetOf } from './size.ts'

interface DefinitionsOptions {
  readonly count: number
  /** Starts the server; the second time on what the first one stored. */
  start(): Promise<ServerProcess>
  record(name: string, cost: string, more: string): void
}

export async function benchDefinitions({ count, start, record }: DefinitionsOptions): Promise<void> {
  let server = await start()
  try {
    const empty = memoryMb(targetOf(server).pid).resident
    const client = createClient(targetOf(server))
    let next = 0
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (next < count) {
          const { status, body } = await client.request('POST', definitionsPath, definition(next++))
          if (status !== 201) throw new Error(`filling failed: ${status} ${body}`)
        }
      }),
    )
    client.close()
    await server.stop()
    const startMs = performance.now()
    server = await start()
    const target = targetOf(server)
    const readyMs = Math.round(performance.now() - startMs)
    const { resident } = memoryMb(target.pid)
    const cpuMs = Math.round(cpuMicroseconds(target.pid) / 1000)
    record(`start with ${count} definitions`, `${readyMs} ms`, `${cpuMs} ms of CPU`)
    const each = Math.round(((resident - empty) * 1024) / count)
    record('memory then', `${resident} MB`, `${each} KB each beside the server without them`)
    const again = createClient(target)
    const { status } = await again.request('GET', pathOfThings(count - 1))
    if (status !== 200) throw new Error(`the last one answers ${status}`)
    again.close()
  } finally {
    await server.stop()
  }
}
