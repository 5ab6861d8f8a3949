// Starts 100 control planes in this process beside a few that are there, resets one, and prints what each costs as one
// line of JSON. Run with --expose-gc, as a child of the bench: it measures its own process.
import { resources, startControlPlane } from '../../cmd/pilothouse/library.ts'

const count = 100
const objects = 100

function settledBytes(): number {
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  return process.memoryUsage().rss
}

const planes = []
for (let first = 0; first < 3; first++) planes.push(await startControlPlane())
const bytesBefore = settledBytes()
const cpuBefore = process.cpuUsage()
const startedMs = performance.now()
for (let made = 0; made < count; made++) planes.push(await startControlPlane())
const startMs = (performance.now() - startedMs) / count
const { user, system } = process.cpuUsage(cpuBefore)
const bytes = (settledBytes() - bytesBefore) / count

const plane = planes[0] ?? (await startControlPlane())
const configMaps = plane.client.resource(resources.core.v1.configmaps)
const resetMs: number[] = []
for (let round = 0; round < 20; round++) {
  for (let made = 0; made < objects; made++)
    await configMaps.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${made}`, namespace: 'default' },
    })
  const begunMs = performance.now()
  await plane.reset()
  resetMs.push(performance.now() - begunMs)
}
const stoppedMs = performance.now()
await Promise.all(planes.map((one) => one.stop()))
const stopMs = (performance.now() - stoppedMs) / planes.length
resetMs.sort((a, b) => a - b)
console.log(
  JSON.stringify({
    startMs,
    cpuMs: (user + system) / 1000 / count,
    bytes,
    resetMs: resetMs[resetMs.length >> 1],
    resetMsMax: resetMs.at(-1),
    stopMs,
  }),
)
