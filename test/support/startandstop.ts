// Starts control planes of every kind that needs no other server, stops them, and reports what is left in the process
// and when it ended, as one JSON object.
import { startControlPlane } from '../../cmd/pilothouse/library.ts'
import { scratchFolder } from './apiserver.ts'

const folder = scratchFolder('startandstop')
for (const storage of ['memory', { dir: folder.path }] as const) {
  const plane = await startControlPlane({ storage })
  await plane.stop()
}
await startControlPlane({ host: '192.0.2.1' }).catch(() => {}) // an address of another machine
folder.remove()
const stopped = performance.now()
// The runtime itself closes some resources in the next turns of the loop.
await new Promise((resolve) => setTimeout(resolve, 20))
const left = process.getActiveResourcesInfo().filter((name) => !/^(PipeWrap|TTYWrap|FSReqPromise)$/.test(name))
process.once('beforeExit', () => {
  process.stdout.write(JSON.stringify({ stopped, ended: performance.now(), left }))
})
