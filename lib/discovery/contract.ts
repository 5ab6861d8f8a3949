import type { ServedVersion } from '../schema/index.ts'

/** A group version of another server, as that server describes it. */
export interface RemoteVersion {
  readonly version: string
  /** APIResourceDiscovery items of apidiscovery.k8s.io/v2. */
  readonly remoteResources: readonly Readonly<Record<string, unknown>>[]
  /** `Stale`: the other server does not answer at present. */
  readonly freshness: 'Current' | 'Stale'
}

/** A group in discovery; this server or others serve its versions. */
export interface ListedGroup {
  readonly name: string
  readonly versions: readonly (ServedVersion | RemoteVersion)[]
}

export function isServedHere(version: ServedVersion | RemoteVersion): version is ServedVersion {
  return 'resources' in version
}
