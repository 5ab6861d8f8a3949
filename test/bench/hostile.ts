// `npm run bench -- --only=hostile`: sends each family of hostile input to a server process and prints how long at most
// another client's /livez waited meanwhile. The bound is 100 ms where bare node answers a hello for 20 µs of CPU.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { adminToken, startServer } from '../support/apiserver.ts'
import { authorityExtension, makeAnyCertificate } from '../support/certificates.ts'
import { ask } from '../support/plane.ts'
import { createClient, type Target } from './client.ts'
import { hostileFamilies } from './hostilefamilies.ts'
import { cpuMicroseconds } from './process.ts'

const boundMs = 100
const boundHelloUs = 20
const connections = 32
const hellos = 64_000

export async function benchHostile(
  folder: string,
  startBare: (folder: string) => Promise<{ plain: Target; stop(): void }>,
  only: string,
): Promise<void> {
  const authorities = join(folder, 'authorities.crt')
  writeFileSync(authorities, makeAnyCertificate({ subject: ['CN=root'], extensions: [authorityExtension()] }).pem)
  const server = await startServer(
    'cmd/apiserver/main.ts',
    [
      '--storage-backend=embedded',
      `--data-dir=${folder}/data`,
      '--disable-admission-plugins=ServiceAccount,Priority',
      `--client-ca-file=${authorities}`,
    ],
    folder,
  )
  const rows: string[] = []
  const record = (title: string, waitedMs: number, more: string): void => {
    rows.push(`| ${title} | ${waitedMs.toFixed(0)} ms | ${more} |`)
    console.log(`${title.padEnd(56)} ${waitedMs.toFixed(0).padStart(6)} ms  ${more}`)
  }
  try {
    const bare = await startBare(folder)
    const before = cpuMicroseconds(bare.plain.pid)
    const client = createClient(bare.plain, connections)
    const hello = async (): Promise<void> => {
      for (let i = 0; i < hellos / connections; i++) await client.request('GET', '/')
    }
    await Promise.all(Array.from({ length: connections }, hello))
    client.close()
    const helloUs = (cpuMicroseconds(bare.plain.pid) - before) / hellos
    bare.stop()
    console.log(
      `bare hello ${helloUs.toFixed(1)} µs: the bound is ${((boundMs * helloUs) / boundHelloUs).toFixed(0)} ms`,
    )
    await ask(server.url, '/api/v1/namespaces', { token: adminToken, body: { metadata: { name: 'default' } } })
    const probe = new Worker(join(import.meta.dirname, 'livezprobe.ts'), { workerData: { url: server.url } })
    const longestMs = (): Promise<number> =>
      new Promise((resolve) => {
        probe.once('message', resolve)
        probe.postMessage('')
      })
    await pause(1000)
    await longestMs()
    for (const { title, run } of hostileFamilies(server)) {
      if (!title.includes(only)) continue
      await longestMs()
      const more = await run()
      await pause(300)
      record(title, await longestMs(), more)
    }
    await probe.terminate()
  } finally {
    await server.kill()
  }
  console.log(`\n| What | Longest wait | |\n|---|---|---|\n${rows.join('\n')}`)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
