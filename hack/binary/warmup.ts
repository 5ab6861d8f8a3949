// Starts of a binary that saves, at its end, the code that V8 compiled meanwhile.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** A slow machine needs some seconds; longer means that the binary doesn't start. */
const readyMsMax = 60_000
/** The controllers of a manager have looked at the cluster by then. */
const controllersMs = 2_000

/** Runs each part of the binary once. Rejects with the program's output when it fails. */
export async function warmUp(binary: string, scratch: string): Promise<void> {
  await run(binary, ['up', '--help'])
  const folder = join(scratch, 'plane')
  const server = start(binary, ['up', `--data-dir=${folder}`, '--secure-port=0'])
  await server.says(/^export KUBECONFIG=/m)
  const kubeconfig = join(folder, 'admin.kubeconfig')
  await askForMuch(kubeconfig)
  const manager = start(binary, ['controller-manager', `--kubeconfig=${kubeconfig}`, '--secure-port=0'])
  await manager.says(/controllers are running/)
  await sleep(controllersMs)
  await manager.stop()
  await server.stop()
}

interface Started {
  says(pattern: RegExp): Promise<void>
  stop(): Promise<void>
}

function start(binary: string, line: readonly string[]): Started {
  const child: ChildProcess = spawn(binary, line, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  return {
    async says(pattern) {
      const untilMs = performance.now() + readyMsMax
      while (!pattern.test(output)) {
        if (child.exitCode !== null || performance.now() > untilMs)
          throw new Error(`${line.join(' ')} does not start:\n${output}`)
        await sleep(50)
      }
    },
    async stop() {
      child.kill('SIGTERM')
      const code = await ended
      if (code !== 0) throw new Error(`${line.join(' ')} ended with ${code}:\n${output}`)
    },
  }
}

/** What clients ask for first: discovery, a write, a read and a list. */
async function askForMuch(kubeconfig: string): Promise<void> {
  const { parse } = await import('yaml')
  const config = parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[]
    users: { user: { token: string } }[]
  }
  const { createFetch } = await import('../../cmd/pilothouse/fetch.ts')
  const cluster = config.clusters[0]?.cluster
  const client = createFetch({
    url: cluster?.server ?? '',
    caCertificate: Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64').toString(),
    token: config.users[0]?.user.token ?? '',
  })
  const configMaps = '/api/v1/namespaces/default/configmaps'
  const made = { method: 'POST', body: JSON.stringify({ metadata: { name: 'warm' }, data: { a: 'b' } }) }
  for (const [path, init] of [
    ['/apis', {}],
    ['/openapi/v2', {}],
    [configMaps, made],
    [`${configMaps}/warm`, {}],
    [configMaps, {}],
    [`${configMaps}/warm`, { method: 'DELETE' }],
  ] as const) {
    const answer = await client.fetch(path, init)
    await answer.arrayBuffer()
  }
  client.close()
}
