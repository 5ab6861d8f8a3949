import type { StorageVersion } from '../../../api/gen/internal.apiserver.k8s.io/v1alpha1.ts'
import type { Frozen } from '../../object/index.ts'

/** The object without the entries of servers that no longer exist; `delete`: none is left; undefined: all exist. */
export function plan(
  version: Frozen<StorageVersion>,
  isAlive: (server: string) => boolean,
): Frozen<StorageVersion> | 'delete' | undefined {
  const before = version.status.storageVersions ?? []
  const kept = before.filter(({ apiServerID = '' }) => isAlive(apiServerID))
  if (kept.length === before.length) return undefined
  if (kept.length === 0) return 'delete'
  const { commonEncodingVersion: _before, ...status } = version.status
  const [first, ...others] = kept.map(({ encodingVersion }) => encodingVersion)
  const isCommon = first !== undefined && others.every((each) => each === first)
  return {
    ...version,
    status: { ...status, storageVersions: kept, ...(isCommon ? { commonEncodingVersion: first } : {}) },
  }
}
