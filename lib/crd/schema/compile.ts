import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { isKnownFormat } from './formats.ts'
import type { Below, LogicRules, NodeType, RuleSource, SchemaNode, ValueRules } from './node.ts'

type Schema = v1.JSONSchemaProps

const types = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string'])
/** Maximum depth: this server stores no deeper schema, as no request can contain one. */
const depthMax = 1000

/** The tree of a version's schema. Throws Error for a schema that is not structural. */
export function compileSchema(schema: Schema): SchemaNode {
  return compileNode(schema, 0)
}

/** The schema of versions without one: keeps all fields. */
export const anySchema: SchemaNode = Object.freeze(
  compileNode({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, 0),
)

function compileNode(schema: Schema, depth: number): SchemaNode {
  if (depth > depthMax) throw new Error('the schema is nested too deeply')
  if (schema.$ref !== undefined) throw new Error('$ref is not supported')
  const compile = (inner: Schema): SchemaNode => compileNode(inner, depth + 1)
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, compile(property)] as const),
  )
  const { additionalProperties } = schema
  const additional =
    typeof additionalProperties === 'object'
      ? compile(additionalProperties)
      : additionalProperties === true
        ? true
        : undefined
  const items = schema.items === undefined || Array.isArray(schema.items) ? undefined : compile(schema.items)
  const rules = (schema['x-kubernetes-validations'] ?? []).map(ruleOf)
  const own = {
    type: typeOf(schema),
    nullable: schema.nullable === true,
    intOrString: schema['x-kubernetes-int-or-string'] === true,
    preserve: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: schema['x-kubernetes-embedded-resource'] === true,
    default: schema.default ?? undefined,
    listType: listTypeOf(schema),
    listKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    mapType: schema['x-kubernetes-map-type'] === 'atomic' ? ('atomic' as const) : ('granular' as const),
  }
  const inner = [
    ...properties.values(),
    ...(typeof additional === 'object' ? [additional] : []),
    ...(items ? [items] : []),
  ]
  return {
    ...own,
    properties,
    additional,
    items,
    rules,
    values: valueRules(schema),
    logic: logicRules(schema, compile),
    below: belowOf(properties, inner, {
      rules: rules.length > 0,
      embedded: own.embedded,
      lists: own.listType !== 'atomic',
    }),
  }
}

function typeOf({ type }: Schema): NodeType {
  return type !== undefined && types.has(type) ? (type as NodeType) : ''
}

function listTypeOf(schema: Schema): SchemaNode['listType'] {
  const listType = schema['x-kubernetes-list-type']
  return listType === 'set' || listType === 'map' ? listType : 'atomic'
}

function ruleOf(rule: v1.ValidationRule): RuleSource {
  return {
    rule: rule.rule,
    message: rule.message ?? '',
    messageExpression: rule.messageExpression ?? '',
    reason: rule.reason ?? 'FieldValueInvalid',
    fieldPath: rule.fieldPath ?? '',
    optionalOldSelf: rule.optionalOldSelf === true,
  }
}

function valueRules(schema: Schema): ValueRules {
  return {
    required: schema.required ?? [],
    enum: schema.enum,
    enumScalars: new Set((schema.enum ?? []).filter((value) => typeof value !== 'object')),
    format: isKnownFormat(schema.type ?? '', schema.format ?? '') ? (schema.format ?? '') : '',
    pattern: schema.pattern ?? '',
    minimum: schema.minimum,
    maximum: schema.maximum,
    exclusiveMinimum: schema.exclusiveMinimum === true,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    multipleOf: schema.multipleOf,
    minLength: schema.minLength,
    maxLength: schema.maxLength,
    minItems: schema.minItems,
    maxItems: schema.maxItems,
    minProperties: schema.minProperties,
    maxProperties: schema.maxProperties,
  }
}

function logicRules(schema: Schema, compile: (inner: Schema) => SchemaNode): LogicRules | undefined {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema
  if (allOf.length === 0 && anyOf.length === 0 && oneOf.length === 0 && !not) return undefined
  return {
    allOf: allOf.map(compile),
    anyOf: anyOf.map(compile),
    oneOf: oneOf.map(compile),
    not: not && compile(not),
  }
}

function belowOf(
  properties: ReadonlyMap<string, SchemaNode>,
  inner: readonly SchemaNode[],
  own: Pick<Below, 'rules' | 'embedded' | 'lists'>,
): Below {
  return {
    defaults: inner.some(hasDefault),
    defaulted: Array.from(properties).filter(([, node]) => hasDefault(node)),
    ruled: Array.from(properties).filter(([, node]) => node.below.rules),
    rules: own.rules || inner.some(({ below }) => below.rules),
    embedded: own.embedded || inner.some(({ below }) => below.embedded),
    lists: own.lists || inner.some(({ below }) => below.lists),
  }
}

function hasDefault(node: SchemaNode): boolean {
  return node.default !== undefined || node.below.defaults
}
