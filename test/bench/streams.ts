// Memory and CPU of streams to nodes: terminals and followed logs that idle, and streams that clients abort.
//   node hack/run.mjs test/bench/streams.ts [--terminals=500] [--logs=200] [--aborted=10000]
// The kubelet and all clients are in this process; the server is measured alone.

import { mkdirSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { eventually } from '../support/eventually.ts'
import { createNode, createPod } from '../support/fakekubelet/cluster.ts'
import { startFakeKubelet } from '../support/fakekubelet/fakekubelet.ts'
import { idleTerminals } from '../support/fakekubelet/idleterminals.ts'
import { createKubeletLogs } from '../support/fakekubelet/logs.ts'
import { openWebSocket, type TestWebSocket } from '../support/websocket.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'

const pods = '/api/v1/namespaces/default/pods'
const authorization = `Bearer ${adminToken}`
const idleSeconds = 30
/** Streams that are opened or aborted at a time. */
const atOnce = 50

const { values } = parseArgs({
  options: {
    terminals: { type: 'string', default: '500' },
    logs: { type: 'string', default: '200' },
    aborted: { type: 'string', default: '10000' },
  },
})

const folder = scratchFolder('bench-streams')
const logs = createKubeletLogs()
mkdirSync(join(folder.path, 'inside'))
const kubelet = await startFakeKubelet({ routes: [logs.route, ...idleTerminals()] })
const server = await startServer(
  'cmd/apiserver/main.ts',
  ['--storage-backend=memory', '--disable-admission-plugins=ServiceAccount', '--kubelet-timeout=60s'],
  folder.path,
)
const pid = Number(server.process.pid)
try {
  await createNode(server, 'node-1', kubelet.port)
  await createPod(server, 'web')
  logs.write('default/web/main', 'first')
  await measureAborted(server, 200)
  await measureIdle(server, Number(values.terminals), Number(values.logs))
  await eventually(() => kubelet.connections.size === 0, 'the kubelet has no connection')
  await measureAborted(server, Number(values.aborted))
} finally {
  await server.stop()
  await kubelet.close()
  folder.remove()
}

function openTerminal({ url }: ServerProcess): Promise<TestWebSocket> {
  return openWebSocket(`${url}${pods}/web/exec?command=sh&stdin=1&stdout=1&tty=1`, ['v5.channel.k8s.io'], {
    authorization,
  })
}

/** Resolves with its end once the first line has come. */
function followLog({ url }: ServerProcess): Promise<() => void> {
  return new Promise((done, failed) => {
    const call = https.get(
      `${url}${pods}/web/log?follow=true`,
      { agent: false, rejectUnauthorized: false, headers: { authorization } },
      (answer) => answer.on('error', () => {}).once('data', () => done(() => void call.destroy())),
    )
    call.on('error', failed)
  })
}

async function measureIdle(of: ServerProcess, terminals: number, followed: number): Promise<void> {
  await sleep(3000)
  const before = memoryMb(pid).resident
  const ends: (() => void)[] = []
  await inParts(terminals, async () => {
    const socket = await openTerminal(of)
    ends.push(() => socket.destroy())
  })
  await inParts(followed, async () => void ends.push(await followLog(of)))
  // The server gives memory back only some time after it opened them.
  await sleep(10_000)
  const [cpu, sinceMs] = [cpuMicroseconds(pid), performance.now()]
  await sleep(idleSeconds * 1000)
  const share = (cpuMicroseconds(pid) - cpu) / 1000 / (performance.now() - sinceMs)
  const after = memoryMb(pid).resident
  console.log(
    `${terminals} terminals and ${followed} followed logs: ${after - before} MB (${before} to ${after}), ${(share * 100).toFixed(2)} % of a core`,
  )
  for (const end of ends) end()
}

async function measureAborted(of: ServerProcess, count: number): Promise<void> {
  const before = memoryMb(pid).resident
  for (let done = 0; done < count; ) {
    const part = Math.min(count - done, 1000)
    await inParts(part, async () => {
      const socket = await openTerminal(of).catch(() => undefined)
      socket?.destroy()
    })
    done += part
    console.log(`${done} aborted terminals: ${memoryMb(pid).resident} MB`)
  }
  await eventually(() => kubelet.connections.size === 0, 'the kubelet has no connection')
  await request(of, '/livez')
  console.log(`${count} aborted terminals: ${before} MB before, ${memoryMb(pid).resident} MB after`)
}

async function inParts(count: number, work: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - done) }, work))
}
