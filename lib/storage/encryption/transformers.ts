import type { Random } from '../../base/index.ts'
import type { GroupResource } from '../../object/index.ts'
import { createAesCbc } from './aescbc.ts'
import { createAesGcm } from './aesgcm.ts'
import { identity } from './identity.ts'
import { createPrefixed, type Prefixed, prefixed } from './prefixed.ts'
import { type EncryptionRules, formatRuleResource, type KmsRule, type NamedSecret, type ProviderRule } from './rules.ts'
import { createSecretbox } from './secretbox.ts'
import { NoMatchingPrefix, TransformError, type Transformer } from './transformer.ts'

/** How a resource's values are stored: its providers, in order. */
export interface ResourceTransformer {
  /** The first one writes. */
  readonly members: readonly Prefixed[]
  readonly transformer: Transformer
}

/** The transformer of a resource: its own rule, else that of its group, else that of everything. */
export type TransformerOf = (resource: GroupResource) => ResourceTransformer

export interface ProviderDependencies {
  readonly random: Random
  /** The transformer of a key service. */
  kms(rule: KmsRule): Transformer
}

/** For resources without a rule. */
export const plain: ResourceTransformer = {
  members: [prefixed('', identity)],
  transformer: identity,
}

/** Creates each provider once, even if several resources share it. */
export function createTransformers({ rules }: EncryptionRules, dependencies: ProviderDependencies): TransformerOf {
  const members = new Map<string, Prefixed[]>()
  for (const { resources, providers } of rules) {
    const made = providers.map((provider) => createProvider(provider, dependencies))
    for (const resource of resources) {
      const name = formatRuleResource(resource)
      members.set(name, [...(members.get(name) ?? []), ...made])
    }
  }
  const byName = new Map(Array.from(members, ([name, all]) => [name, resourceTransformer(all)]))
  return ({ group, resource }) =>
    byName.get(formatRuleResource({ group, resource })) ??
    byName.get(formatRuleResource({ group, resource: '*' })) ??
    byName.get('*.*') ??
    plain
}

function resourceTransformer(members: readonly Prefixed[]): ResourceTransformer {
  return { members, transformer: createPrefixed(members, () => new NoMatchingPrefix()) }
}

type Create = (secret: Uint8Array, random: Random) => Transformer
const ciphers: Record<'aescbc' | 'aesgcm' | 'secretbox', { readonly create: Create; readonly named: string }> = {
  aescbc: { create: createAesCbc, named: 'AES' },
  aesgcm: { create: createAesGcm, named: 'AES' },
  secretbox: { create: createSecretbox, named: 'Secretbox' },
}

function createProvider(provider: ProviderRule, { random, kms }: ProviderDependencies): Prefixed {
  switch (provider.type) {
    case 'identity':
      return prefixed('', identity)
    case 'kms':
      return prefixed(`k8s:enc:kms:v2:${provider.kms.name}:`, kms(provider.kms))
    default: {
      const { create, named } = ciphers[provider.type]
      const ring = createKeyRing(provider.keys, named, (secret) => create(secret, random))
      return prefixed(`k8s:enc:${provider.type}:v1:`, ring)
    }
  }
}

/** Values begin with the name of their key. */
function createKeyRing(
  keys: readonly NamedSecret[],
  named: string,
  create: (secret: Uint8Array) => Transformer,
): Transformer {
  const members = keys.map(({ name, secret }) => prefixed(`${name}:`, create(secret)))
  return createPrefixed(
    members,
    () => new TransformError(`no matching key was found for the provided ${named} transformer`),
  )
}
