import type { ResourceTable } from './table.ts'

/**
 * What a server offers at the moment, after runtime-config and gates: groups in the order of discovery, versions in the
 * order of preference. The core group is ''.
 */
export interface ServedGroup {
  readonly name: string
  readonly versions: readonly ServedVersion[]
}
export interface ServedVersion {
  readonly version: string
  readonly resources: readonly ServedResource[]
}
export interface ServedResource {
  readonly plural: string
  /** With the subresources that are served, no others. */
  readonly table: ResourceTable
}
