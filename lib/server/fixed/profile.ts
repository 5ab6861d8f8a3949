import { Session } from 'node:inspector/promises'
import { getHeapSnapshot } from 'node:v8'
import { statusErrors } from '../../object/index.ts'
import { sendText } from '../failure.ts'
import type { FixedRoute } from '../routes.ts'

const secondsMax = 300
const index = `Profiles of this process, for Chrome's developer tools (not in Go's pprof format):
/debug/pprof/profile?seconds=30   CPU profile (.cpuprofile)
/debug/pprof/heap                 heap snapshot (.heapsnapshot); stops the process while it is taken
`

/** `/debug/pprof/…`: what node can tell of itself. One CPU profile at a time. */
export function profileRoutes(): FixedRoute[] {
  let busy = false
  return [
    { pattern: '/debug/pprof', handle: (call) => sendText(call, 200, index) },
    {
      pattern: '/debug/pprof/profile',
      async handle(call) {
        const seconds = Number(call.query.get('seconds') ?? '30')
        if (!(seconds > 0 && seconds <= secondsMax)) {
          throw statusErrors.badRequest(`seconds must be more than 0 and at most ${secondsMax}`)
        }
        if (busy) throw statusErrors.tooManyRequests('a profile is being taken', Math.ceil(seconds))
        busy = true
        const session = new Session()
        try {
          session.connect()
          await session.post('Profiler.enable')
          await session.post('Profiler.start')
          await call.clock.sleep(seconds * 1000, call.signal)
          const { profile } = await session.post('Profiler.stop')
          await call.transport.send(200, download('cpuprofile'), Buffer.from(JSON.stringify(profile)))
        } finally {
          session.disconnect()
          busy = false
        }
      },
    },
    {
      pattern: '/debug/pprof/heap',
      async handle(call) {
        const chunks: Buffer[] = []
        for await (const chunk of getHeapSnapshot()) chunks.push(Buffer.from(chunk))
        await call.transport.send(200, download('heapsnapshot'), chunks)
      },
    },
  ]
}

function download(extension: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="pilothouse.${extension}"`,
    'x-content-type-options': 'nosniff',
  }
}
