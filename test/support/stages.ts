import assert from 'node:assert/strict'
import { type ServerProcess, scratchFolder, startServer } from './apiserver.ts'
import { type EtcdServer, startEtcd } from './etcd.ts'
import { createKubectl, findKubectl, type Kubectl } from './kubectl.ts'

/** The server or servers that a script of kubectl runs against. */
export interface Stage {
  /** kubectl of the server that is written to, and of the one that is read from (the same, or another replica). */
  readonly write: Kubectl
  readonly read: Kubectl
  /** Removed at the end. */
  readonly folder: string
}

/** Defines `script` twice: for one server on the embedded store, and for two replicas on etcd. */
export function defineOnStages(title: string, script: (stage: () => Stage) => void): void {
  withKubectl(title, () => {
    describe(embedded, () => defineEmbedded(script, []))
    describe(replicated, () => {
      if (hasEtcd()) defineReplicated(script, [])
      else it.skip('needs etcd')
    })
  })
}

/**
 * Defines `script` once, for what doesn't depend on the store: for two replicas on etcd, where what one has answered must be
 * seen at the other at once; without etcd for one server on the embedded store. With `flags` of the servers besides.
 */
export function defineOnReplicas(
  title: string,
  script: (stage: () => Stage) => void,
  flags: readonly string[] = [],
): void {
  withKubectl(title, () => {
    if (hasEtcd()) describe(replicated, () => defineReplicated(script, flags))
    else describe(embedded, () => defineEmbedded(script, flags))
  })
}

const embedded = 'one server on the embedded store'
const replicated = 'two replicas on etcd, writing to one and reading from the other'
const hasEtcd = (): boolean => Boolean(process.env['PILOTHOUSE_ETCD'])

function withKubectl(title: string, define: () => void): void {
  describe(title, function () {
    if (!findKubectl()) {
      it.skip('needs kubectl on PATH')
      return
    }
    this.timeout(120_000)
    define()
  })
}

function defineEmbedded(script: (stage: () => Stage) => void, more: readonly string[]): void {
  const folder = scratchFolder('e2e-embedded')
  let server: ServerProcess
  let stage: Stage
  before(async () => {
    server = await startServer('cmd/pilothouse/main.ts', [`--data-dir=${folder.path}/data`, ...more], folder.path)
    const kubectl = createKubectl(server, folder.path)
    stage = { write: kubectl, read: kubectl, folder: folder.path }
  })
  after(async () => {
    assert.equal(await server.stop(), 0)
    folder.remove()
  })
  script(() => stage)
}

function defineReplicated(script: (stage: () => Stage) => void, more: readonly string[]): void {
  const folder = scratchFolder('e2e-etcd')
  let etcd: EtcdServer
  let replicas: ServerProcess[]
  let stage: Stage
  before(async () => {
    etcd = await startEtcd()
    // No controllers run here, and a quota without a status refuses everything.
    const quiet = '--disable-admission-plugins=ResourceQuota'
    const flags = [`--etcd-servers=${etcd.url}`, '--authorization-mode=RBAC', quiet, ...more]
    replicas = [
      await startServer('cmd/apiserver/main.ts', flags, folder.path),
      await startServer('cmd/apiserver/main.ts', flags, folder.path),
    ]
    const [write, read] = replicas.map((replica) => createKubectl(replica, folder.path))
    assert(write && read)
    stage = { write, read, folder: folder.path }
  })
  after(async () => {
    for (const replica of replicas ?? []) assert.equal(await replica.stop(), 0)
    await etcd?.stop()
    folder.remove()
  })
  script(() => stage)
}

/** Runs kubectl and insists on success. */
export async function ok(kubectl: Kubectl, args: string, input?: string): Promise<string> {
  const result = await kubectl(splitArguments(args), input === undefined ? {} : { input })
  assert.equal(result.code, 0, `kubectl ${args}\n${result.stdout}${result.stderr}`)
  return result.stdout
}

/** Splits at spaces, keeping 'single quoted' parts whole. */
export function splitArguments(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''))
}
