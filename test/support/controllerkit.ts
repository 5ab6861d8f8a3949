import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCredentials, signersOf } from '../../cmd/pilothouse/credentials.ts'
import { planeConfig } from '../../cmd/pilothouse/planeconfig.ts'
import { processEnvironment } from '../../cmd/processenvironment.ts'
import {
  type LogFields,
  type Logger,
  silentLogger,
  silentMetrics,
  systemClock,
  systemRandom,
} from '../../lib/base/index.ts'
import {
  type Client,
  createClient,
  createLoopbackTransport,
  type Transport,
  withRetryAfter,
} from '../../lib/client/index.ts'
import { type ControllerSettings, defaultControllerSettings, startControllers } from '../../lib/controller/index.ts'
import { controllers } from '../../lib/controllers/index.ts'
import { composeApiserver } from '../../lib/controlplane/index.ts'
import { createMetrics } from '../../lib/observe/index.ts'
import { servingNames } from '../../lib/pki/index.ts'
import { createEmbeddedStore } from '../../lib/storage/index.ts'

/** A write that a controller has asked for. */
export interface ControllerWrite {
  readonly account: string
  readonly method: string
  readonly url: string
  readonly atMs: number
}

/** A server with all its controllers, whose store held objects that no validation has seen. */
export interface ControllerKit {
  readonly client: Client
  /** All that controllers wrote, events included, in the order in which they asked. */
  readonly writes: readonly ControllerWrite[]
  /** Lines of the controllers' log, at every level. */
  readonly lines: readonly string[]
  /** Begins the controllers: what is made before is there when they come. */
  start(): Promise<void>
  stop(): Promise<void>
}

interface KitOptions {
  /** Objects as another server could have stored them, by their keys. */
  readonly stored: ReadonlyMap<string, object>
  readonly settings?: Partial<ControllerSettings>
}

export async function createControllerKit({ stored, settings = {} }: KitOptions): Promise<ControllerKit> {
  const folder = mkdtempSync(join(tmpdir(), 'pilothouse-controllers-'))
  await fillStore(join(folder, 'store'), stored)
  const services = { clock: systemClock, random: systemRandom }
  const credentials = makeCredentials(services, servingNames({ more: ['127.0.0.1'] }))
  const config = planeConfig({ storage: { dir: folder }, controllers: true }, credentials)
  const observed = { log: silentLogger, metrics: createMetrics() }
  const server = await composeApiserver(config, { ...processEnvironment, ...services, ...observed })
  await server.started
  const loopback = (name: string, groups: readonly string[]): Transport => {
    const user = { name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} }
    return createLoopbackTransport(server.local, { user, userAgent: name })
  }
  const client = createClient(withRetryAfter(loopback('admin', ['system:masters']), services))
  const writes: ControllerWrite[] = []
  const lines: string[] = []
  const connect = (account: string): Transport => {
    const name = account === '' ? 'system:kube-controller-manager' : `system:serviceaccount:kube-system:${account}`
    const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:masters']
    return noting(withRetryAfter(loopback(name, groups), services), account, writes)
  }
  let close = (): Promise<void> => Promise.resolve()
  return {
    client,
    writes,
    lines,
    async start() {
      const keys = {
        rootCa: credentials.caCertificate,
        serviceAccountPrivateKey: credentials.tokenKey,
        clusterSigning: signersOf(credentials),
      }
      const means = { ...services, log: loggerInto(lines), metrics: silentMetrics, connect }
      const manager = await startControllers({ ...means, gate: (name) => config.gates.gate(name) }, controllers, {
        settings: { ...defaultControllerSettings, ...keys, ...settings },
      })
      close = () => manager.close()
      await manager.whenSynced()
    },
    async stop() {
      await close()
      await client.close()
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Makes an embedded store with objects as another server could have stored them, by their keys. */
export async function fillStore(directory: string, stored: ReadonlyMap<string, object>): Promise<void> {
  const dependencies = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics }
  const store = await createEmbeddedStore(dependencies, { directory, compactionIntervalMs: 0 })
  for (const [key, object] of stored) await store.create(key, Buffer.from(JSON.stringify(object)))
  await store.close()
}

function noting(transport: Transport, account: string, writes: ControllerWrite[]): Transport {
  return {
    async send(request) {
      const { method, url } = request
      if (method !== 'GET') writes.push({ account, method, url, atMs: performance.now() })
      return await transport.send(request)
    },
    watch: (request, sink) => transport.watch(request, sink),
    close: () => transport.close(),
  }
}

/** Everything that is logged, one text a line, with causes of errors and all fields. */
function loggerInto(lines: string[]): Logger {
  const note = (message: string, fields: LogFields = {}): void => {
    const parts = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`)
    lines.push([message, ...parts].join(' '))
  }
  const logger: Logger = {
    info: note,
    warn: note,
    error: note,
    verbose: (_level, message, fields) => note(message, fields),
    lines: (all) => note(all.join('\n')),
    enabled: () => true,
    named: () => logger,
  }
  return logger
}

function textOf(value: unknown): string {
  if (!(value instanceof Error)) return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  // Loggers print the fields of an error too, as the details of a Status.
  const more = JSON.stringify(Object.fromEntries(Object.entries(value)))
  return `${value.stack ?? value.message} ${more}${value.cause === undefined ? '' : ` ${textOf(value.cause)}`}`
}
