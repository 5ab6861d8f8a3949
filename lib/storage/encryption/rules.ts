import type { GroupResource } from '../../object/index.ts'

/** An encryption key, and its name in stored values. */
export interface NamedSecret {
  readonly name: string
  readonly secret: Uint8Array
}

export interface KmsRule {
  readonly name: string
  /** `unix:///path`. */
  readonly endpoint: string
  readonly timeoutMs: number
}

export type ProviderRule =
  | { readonly type: 'identity' }
  | { readonly type: 'aescbc' | 'aesgcm' | 'secretbox'; readonly keys: readonly NamedSecret[] }
  | { readonly type: 'kms'; readonly kms: KmsRule }

/** A validated EncryptionConfiguration: resources in the order of the file; `*` matches all. */
export interface EncryptionRules {
  readonly rules: readonly {
    readonly resources: readonly GroupResource[]
    readonly providers: readonly ProviderRule[]
  }[]
}

/** `secrets`, `deployments.apps`, `*.`, `*.apps`, `*.*`. */
export function parseResource(text: string): GroupResource {
  const dot = text.indexOf('.')
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) }
}

export function formatRuleResource({ group, resource }: GroupResource): string {
  return group === '' && resource !== '*' ? resource : `${resource}.${group}`
}
