/**
 * A permission: `[verbs, groups, resources]` or `[verbs, groups, resources, names]`, or for paths `[verbs, paths]`.
 * Each is a list of words with spaces between; the group without a name is called core.
 */
export type DefaultRule =
  | readonly [verbs: string, paths: string]
  | readonly [verbs: string, groups: string, resources: string]
  | readonly [verbs: string, groups: string, resources: string, names: string]

export interface DefaultRole {
  readonly rules?: readonly DefaultRule[]
  /** User-facing roles (`admin edit view`) that these rules become part of. */
  readonly adds?: string
  /** Its rules are those of the roles that add to it. */
  readonly aggregates?: string
  /** Feature gate without which there is no such role. */
  readonly gate?: string
  /** Further rules, by the feature gate that they need. */
  readonly gated?: Readonly<Record<string, readonly DefaultRule[]>>
}

/** The role's name, then its subjects: `user NAME`, `group NAME` or `account NAMESPACE/NAME`. */
export type DefaultBinding = readonly [role: string, ...subjects: string[]]
