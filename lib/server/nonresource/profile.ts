import { getHeapSnapshot } from 'node:v8'
import { statusErrors } from '../../object/index.ts'
import { type Profiler, ProfilerBusy } from '../../observe/index.ts'
import type { ServerCall } from '../call.ts'
import { sendText } from '../failure.ts'
import type { NonResourceRoute } from '../routes.ts'

const secondsMax = 300
const root = '/debug/pprof'

/** Queries below `/debug/pprof/` and their results. */
const pages: readonly (readonly [query: string, meaning: string])[] = [
  ['cmdline', 'The command line of this process, its arguments separated by NUL.'],
  [
    'heap',
    'Memory in use that was allocated since the first request of this page, by allocating code; sampling ends ten minutes after the last such request. With seconds=N, what was added meanwhile.',
  ],
  ['heap?format=heapsnapshot', "A heap snapshot for Chrome's developer tools; stops the process while it is taken."],
  ['profile', 'CPU profile of 30 seconds, or of seconds=N. One at a time.'],
  ['profile?format=cpuprofile', "The same for Chrome's developer tools."],
]

const index = `<!doctype html>
<html><head><title>/debug/pprof/</title></head><body>
<h1>/debug/pprof/</h1>
<dl>
${pages.map(([query, meaning]) => `<dt><a href="${query}">${query}</a></dt><dd>${meaning}</dd>`).join('\n')}
</dl>
</body></html>
`

/** `/debug/pprof/…`, as `go tool pprof` requests it: node's profiles of this process. */
export function profileRoutes(profiler: Profiler): NonResourceRoute[] {
  const routes: NonResourceRoute[] = [
    { pattern: root, handle: (call) => sendIndex(call) },
    {
      pattern: `${root}/cmdline`,
      handle: (call) => sendText(call, 200, [process.execPath, ...process.argv.slice(1)].join('\0')),
    },
    { pattern: `${root}/profile`, handle: (call) => sendCpuProfile(call, profiler) },
    { pattern: `${root}/heap`, handle: (call) => sendHeapProfile(call, profiler) },
    { pattern: `${root}/*`, handle: (call) => refuse(call, 404, 'Unknown profile') },
  ]
  return routes.map((route) => ({ ...route, unlisted: true }))
}

/** The index has relative links, so its path has to end in a slash. */
function sendIndex(call: ServerCall): void | Promise<void> {
  if (call.path === root) return call.responder.send(301, { location: `${root}/` })
  return call.responder.send(200, { 'content-type': 'text/html; charset=utf-8', ...nosniff }, Buffer.from(index))
}

async function sendCpuProfile(call: ServerCall, profiler: Profiler): Promise<void> {
  const format = formatOf(call, 'cpuprofile')
  const elapsed = passed(call, secondsOf(call) ?? 30)
  try {
    const profile = await profiler.cpu(elapsed)
    if (format === 'pprof') await call.responder.send(200, download('profile'), await profile.pprof())
    else await call.responder.send(200, download('pilothouse.cpuprofile'), Buffer.from(profile.cpuprofile()))
  } catch (error) {
    if (!(error instanceof ProfilerBusy)) throw error
    refuse(call, 500, `Could not enable CPU profiling: ${error.message}`)
  }
}

async function sendHeapProfile(call: ServerCall, profiler: Profiler): Promise<void> {
  const seconds = secondsOf(call)
  if (formatOf(call, 'heapsnapshot') === 'pprof') {
    const profile = await profiler.heap(seconds === undefined ? undefined : passed(call, seconds))
    return await call.responder.send(200, download('heap'), await profile.pprof())
  }
  const chunks: Buffer[] = []
  for await (const chunk of getHeapSnapshot()) chunks.push(Buffer.from(chunk))
  await call.responder.send(200, download('pilothouse.heapsnapshot'), chunks)
}

/** Waits until the time has passed or the client leaves. */
function passed(call: ServerCall, seconds: number): () => Promise<void> {
  return () => call.clock.sleep(seconds * 1000, call.signal)
}

function secondsOf(call: ServerCall): number | undefined {
  const given = call.query.get('seconds')
  if (given === null) return undefined
  const seconds = Number(given)
  if (seconds > 0 && seconds <= secondsMax) return seconds
  throw statusErrors.badRequest(`seconds must be more than 0 and at most ${secondsMax}`)
}

/** pprof unless `?format=` names the other format. */
function formatOf<Other extends string>(call: ServerCall, other: Other): 'pprof' | Other {
  const given = call.query.get('format') ?? 'pprof'
  if (given === 'pprof') return 'pprof'
  if (given === other) return other
  throw statusErrors.badRequest(`format must be pprof or ${other}`)
}

/** Plain text with the header that makes `go tool pprof` show it. */
function refuse(call: ServerCall, status: number, text: string): void {
  call.responseHeaders.push('x-go-pprof', '1')
  sendText(call, status, `${text}\n`)
}

const nosniff = { 'x-content-type-options': 'nosniff' }

function download(filename: string): Record<string, string> {
  const type = filename.includes('.') ? 'application/json' : 'application/octet-stream'
  return { 'content-type': type, 'content-disposition': `attachment; filename="${filename}"`, ...nosniff }
}
