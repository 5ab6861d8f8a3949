// A client beside the hostile ones, in a thread of its own: one GET of /livez after the other on one connection. Posts the
// longest wait in ms since it was last asked; an unanswered request counts by its age so far.
import https from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'

const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
let longestMs = 0
let beganAtMs = 0

function probe(): void {
  beganAtMs = performance.now()
  const done = (): void => {
    longestMs = Math.max(longestMs, performance.now() - beganAtMs)
    beganAtMs = Number.POSITIVE_INFINITY
    setTimeout(probe, 2)
  }
  const request = https.get(`${workerData.url}/livez`, { agent, rejectUnauthorized: false }, (answer) =>
    answer.resume().on('end', done),
  )
  request.on('error', done)
}

parentPort?.on('message', () => {
  parentPort?.postMessage(Math.max(longestMs, performance.now() - beganAtMs))
  longestMs = 0
})
probe()
