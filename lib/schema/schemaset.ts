import type { StructType } from './type.ts'

/** Every type of some tables. A type is compiled when it is first asked for. */
export interface SchemaSet {
  /** By name, `core/v1.Pod`, `meta/v1.ObjectMeta`; throws for a name that no table has. */
  struct(name: string): StructType
  has(name: string): boolean
  /** Names of all types. */
  readonly names: readonly string[]
}
