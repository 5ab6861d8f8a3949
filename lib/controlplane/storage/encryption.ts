import { readFile } from 'node:fs/promises'
import { hashForMetrics } from '../../authn/index.ts'
import { FileError, followFiles } from '../../base/index.ts'
import type { HealthCheck } from '../../server/index.ts'
import {
  type Encryption,
  openEncryption,
  parseEncryptionConfiguration,
  type TransformerOf,
} from '../../storage/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { createConfigCodec } from '../configcodec.ts'
import { serverId } from '../peers/serverid.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import type { StoreServices } from './store.ts'

/** --encryption-provider-config. */
export interface EncryptionConfig {
  readonly file: string
  /** Reloads the file when it changes. */
  readonly reload: boolean
}

/** Encryption of stored values by the present file. */
export interface StoredEncryption {
  readonly transformerOf: TransformerOf
  readonly healthChecks: readonly HealthCheck[]
  close(): Promise<void>
}

const pollMs = 2000
const checkMs = 100

/** Rejects with StartError, whose message is the stock server's line. */
export async function openStoredEncryption(
  config: Pick<ApiserverConfig, 'encryption' | 'hostName'>,
  services: StoreServices,
): Promise<StoredEncryption | undefined> {
  if (!config.encryption) return undefined
  const { file, reload } = config.encryption
  const opener = createOpener(file, { reload }, services, hashForMetrics(serverId(config.hostName)))
  try {
    return reload ? await follow(file, opener, services, config.hostName) : await openOnce(file, opener)
  } catch (error) {
    throw new StartError(`--encryption-provider-config: ${lineOf(error, file)}`, { cause: error })
  }
}

type Open = (text: string) => Promise<Encryption>

function createOpener(
  file: string,
  options: { readonly reload: boolean },
  { clock, random, log, metrics }: StoreServices,
  serverIdHash: string,
): Open {
  const own = { clock, random, metrics, log: log.named('encryption'), serverIdHash }
  return (text) => openEncryption(own, parseEncryptionConfiguration({ text, file }, createConfigCodec(), options))
}

async function openOnce(file: string, open: Open): Promise<StoredEncryption> {
  const encryption = await open(await readFile(file, 'utf8'))
  return {
    transformerOf: encryption.transformerOf,
    healthChecks: encryption.usesKeyServices ? [healthCheck(() => encryption)] : [],
    close: async () => encryption.close(),
  }
}

async function follow(file: string, open: Open, services: StoreServices, hostName: string): Promise<StoredEncryption> {
  let isFirst = true
  const followed = await followFiles<Encryption>(
    { ...services, log: services.log.named('encryption') },
    {
      what: 'encryption configuration',
      paths: [file],
      pollMs,
      retireAfterMs: 60_000,
      metrics: {
        prefix: 'apiserver_encryption_config_controller',
        stability: 'ALPHA',
        labels: { apiserver_id_hash: hashForMetrics(serverId(hostName)) },
      },
      async load(textOf, _paths, signal) {
        const next = await open(textOf(file))
        if (!isFirst) await untilWell(next, services, signal)
        isFirst = false
        return next
      },
      retire: (former) => former.close(),
      reasonOf: (error) => lineOf(error, file),
    },
  )
  return {
    transformerOf: (resource) => followed.current().transformerOf(resource),
    healthChecks: [healthCheck(() => followed.current())],
    close: () => followed.close(),
  }
}

/** Rejects, and closes, when the key services of a new configuration don't become healthy in time. */
async function untilWell(next: Encryption, { clock }: StoreServices, signal: AbortSignal): Promise<void> {
  const deadlineMs = clock.monotonicMs() + next.graceMs
  try {
    for (;;) {
      const problem = await next.check().then(
        () => undefined,
        (error: unknown) => reasonOf(error),
      )
      if (problem === undefined) return
      if (clock.monotonicMs() >= deadlineMs)
        throw new Error(`health check for new transformers failed, polling error context deadline exceeded: ${problem}`)
      await clock.sleep(checkMs, signal)
    }
  } catch (error) {
    next.close()
    throw error
  }
}

/** Not part of /livez: restarting the server would not help. */
function healthCheck(current: () => Encryption): HealthCheck {
  return { name: 'kms-providers', pages: ['healthz', 'readyz'], check: () => current().check() }
}

function lineOf(error: unknown, file: string): string {
  const isRead = error instanceof FileError || (error instanceof Error && 'syscall' in error)
  if (!isRead) return reasonOf(error)
  const about = `error reading encryption provider configuration file ${JSON.stringify(file)}`
  return `error while parsing file: error while loading file: ${about}: ${reasonOf(error)}`
}
