// A client beside the attackers, in a separate thread: one GET of /livez after the other on one connection. Posts, when
// asked, the longest wait since it was last asked, and the most CPU time that the server's main thread used during one
// wait: on a busy machine that alone is the server's fault. A request without an answer counts by its age so far.
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'

export interface LoopWatched {
  readonly waitedMs: number
  readonly heldMs: number
}

const { url, pid } = workerData as { url: string; pid: number }
const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
const pauseMs = 2
let longest: LoopWatched = { waitedMs: 0, heldMs: 0 }
let begun: { readonly atMs: number; readonly cpuMs: number } | undefined

/** CPU time of the main thread so far; if the system doesn't provide it, the elapsed time. */
function mainThreadMs(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

function note(): void {
  if (begun === undefined) return
  const waitedMs = performance.now() - begun.atMs
  longest = {
    waitedMs: Math.max(longest.waitedMs, waitedMs),
    heldMs: Math.max(longest.heldMs, Math.min(waitedMs, mainThreadMs() - begun.cpuMs)),
  }
}

function probe(): void {
  begun = { atMs: performance.now(), cpuMs: mainThreadMs() }
  const done = (): void => {
    note()
    begun = undefined
    setTimeout(probe, pauseMs)
  }
  const request = https.get(`${url}/livez`, { agent, rejectUnauthorized: false }, (answer) =>
    answer.resume().on('end', done),
  )
  request.on('error', done)
}

parentPort?.on('message', () => {
  note()
  parentPort?.postMessage(longest)
  longest = { waitedMs: 0, heldMs: 0 }
})
probe()
