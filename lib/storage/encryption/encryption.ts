import type { Closable } from '../../base/index.ts'
import { type KmsDependencies, type KmsProvider, openKmsProvider } from './kms/provider.ts'
import type { EncryptionRules, KmsRule } from './rules.ts'
import { createTransformers, type TransformerOf } from './transformers.ts'

/** An EncryptionConfiguration in use. */
export interface Encryption extends Closable {
  readonly transformerOf: TransformerOf
  /** It needs key services, whose health counts as the server's. */
  readonly usesKeyServices: boolean
  /** How long reads and writes in flight may use its key services. */
  readonly graceMs: number
  /** Rejects with what is wrong with its key services. */
  check(): Promise<void>
  close(): void
}

const graceMsMin = 10_000

/** Resolves when every key service was asked for its status once. An unhealthy one is no failure: it may recover. */
export async function openEncryption(dependencies: KmsDependencies, configured: EncryptionRules): Promise<Encryption> {
  const kmsRules = configured.rules.flatMap(({ providers }) =>
    providers.flatMap((provider) => (provider.type === 'kms' ? [provider.kms] : [])),
  )
  const opened = await Promise.all(
    kmsRules.map(async (rule) => [rule, await openKmsProvider(dependencies, rule)] as const),
  )
  const providers = new Map<KmsRule, KmsProvider>(opened)
  const { random } = dependencies
  const timeoutsMs = kmsRules.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0)
  return {
    transformerOf: createTransformers(configured, {
      random,
      kms(rule) {
        const provider = providers.get(rule)
        if (!provider) throw new RangeError('a key service that was not opened')
        return provider.transformer
      },
    }),
    usesKeyServices: providers.size > 0,
    graceMs: Math.max(graceMsMin, 2 * timeoutsMs),
    async check() {
      const problems = await Promise.all(Array.from(providers.values(), problemOf))
      const lines = problems.flatMap((problem, at) => (problem === undefined ? [] : [`kms-provider-${at}: ${problem}`]))
      if (lines.length > 0) throw new Error(lines.length === 1 ? lines.join() : `[${lines.join(', ')}]`)
    },
    close() {
      for (const provider of providers.values()) provider.close()
    },
  }
}

async function problemOf(provider: KmsProvider): Promise<string | undefined> {
  try {
    await provider.check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
