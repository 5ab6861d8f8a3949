import { type Metrics, silentMetrics, systemClock, systemRandom } from '../../lib/base/index.ts'
import { createConfigCodec } from '../../lib/controlplane/index.ts'
import {
  createEncryptedStore,
  createTransformers,
  parseEncryptionConfiguration,
  type Store,
  type TransformerOf,
} from '../../lib/storage/index.ts'

/** A key of 32 bytes that goes by its name. */
export function secretOf(name: string): string {
  return Buffer.alloc(32, name).toString('base64')
}

/** `aesgcm:one,two` is a provider with two keys; `identity`; `kms:name@/path/of/the/socket`. */
export function configurationOf(rules: Readonly<Record<string, readonly string[]>>): string {
  const providerOf = (text: string): object => {
    const colon = text.indexOf(':')
    if (colon < 0) return { [text]: {} }
    const rest = text.slice(colon + 1)
    const [name = '', path = ''] = rest.split('@')
    if (text.startsWith('kms:')) return { kms: { apiVersion: 'v2', name, endpoint: `unix://${path}`, timeout: '1s' } }
    return { [text.slice(0, colon)]: { keys: rest.split(',').map((key) => ({ name: key, secret: secretOf(key) })) } }
  }
  const resources = Object.entries(rules).map(([names, providers]) => ({
    resources: names.split(','),
    providers: providers.map(providerOf),
  }))
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources,
  })
}

export function transformersOf(rules: Readonly<Record<string, readonly string[]>>): TransformerOf {
  const parsed = parseEncryptionConfiguration({ text: configurationOf(rules), file: 'test' }, createConfigCodec(), {
    reload: false,
  })
  return createTransformers(parsed, {
    random: systemRandom,
    kms() {
      throw new Error('this test has no key service')
    },
  })
}

/** Every key is that of a secret. */
export function encrypted(
  store: Store,
  transformerOf: TransformerOf,
  { metrics = silentMetrics }: { metrics?: Metrics } = {},
): Store {
  const describeKey = () => ({ group: '', resource: 'secrets' })
  return createEncryptedStore(store, { clock: systemClock, metrics, describeKey, transformerOf })
}
