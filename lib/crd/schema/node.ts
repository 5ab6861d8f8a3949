/** A rule of `x-kubernetes-validations`, as the definition writes it. */
export interface RuleSource {
  readonly rule: string
  readonly message: string
  readonly messageExpression: string
  readonly reason: string
  readonly fieldPath: string
  readonly optionalOldSelf: boolean
}

export type NodeType = '' | 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string'

/**
 * A structural schema, for pruning, defaulting, validation and apply: one node for each value. Compiled from a
 * version's OpenAPI schema on first use. Members without content are undefined or empty; `below` shows walkers where
 * they can stop.
 */
export interface SchemaNode {
  readonly type: NodeType
  readonly nullable: boolean
  readonly intOrString: boolean
  /** Keeps fields that have no schema. */
  readonly preserve: boolean
  /** A whole object, with apiVersion, kind and metadata. */
  readonly embedded: boolean
  readonly properties: ReadonlyMap<string, SchemaNode>
  /** The schema of properties that have none by name; true: any scalar, and the fields of objects are pruned. */
  readonly additional: SchemaNode | true | undefined
  readonly items: SchemaNode | undefined
  /** A JSON value that is copied wherever it is filled in; undefined: none. */
  readonly default: unknown
  readonly listType: 'atomic' | 'set' | 'map'
  readonly listKeys: readonly string[]
  readonly mapType: 'atomic' | 'granular'
  readonly rules: readonly RuleSource[]
  readonly values: ValueRules
  /** Undefined: no allOf, anyOf, oneOf and not. */
  readonly logic: LogicRules | undefined
  readonly below: Below
}

/** The constraints on values, beside their type. */
export interface ValueRules {
  readonly required: readonly string[]
  readonly enum: readonly unknown[] | undefined
  /** The scalars of `enum`. */
  readonly enumScalars: ReadonlySet<unknown>
  /** '' where no format is enforced. */
  readonly format: string
  readonly pattern: string
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly exclusiveMinimum: boolean
  readonly exclusiveMaximum: boolean
  readonly multipleOf: number | undefined
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
  readonly minProperties: number | undefined
  readonly maxProperties: number | undefined
}

export interface LogicRules {
  readonly allOf: readonly SchemaNode[]
  readonly anyOf: readonly SchemaNode[]
  readonly oneOf: readonly SchemaNode[]
  readonly not: SchemaNode | undefined
}

/** The features of a node and of all nodes below it. */
export interface Below {
  /** Below the node, not at it. */
  readonly defaults: boolean
  /** Properties with a default at or below them. */
  readonly defaulted: readonly (readonly [name: string, node: SchemaNode])[]
  /** Properties with rules at or below them. */
  readonly ruled: readonly (readonly [name: string, node: SchemaNode])[]
  readonly rules: boolean
  readonly embedded: boolean
  /** Lists whose items must differ. */
  readonly lists: boolean
}

/** Fields of every object that pruning ignores, at the root and in embedded objects. */
export const objectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
