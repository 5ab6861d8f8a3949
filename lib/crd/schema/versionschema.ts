import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import type { Environment } from '../../cel/index.ts'
import type { StructType } from '../../schema/index.ts'
import { anySchema, compileSchema } from './compile.ts'
import { SchemaDefaults } from './defaults.ts'
import type { SchemaNode } from './node.ts'
import { createPatterns, type Patterns } from './patterns.ts'
import { type RuleMeter, silentMeter } from './rulemeter.ts'
import { createRuleSet, type RuleSet } from './rules.ts'
import { typeOfObject } from './typed.ts'

/** The schema of one version, compiled. */
export interface VersionSchema {
  /** The structure of objects: fields outside it are removed. */
  readonly root: SchemaNode
  /** The rules for values: `root`, except in definitions that keep unknown fields. */
  readonly checks: SchemaNode
  readonly defaults: SchemaDefaults
  readonly patterns: Patterns
  readonly rules: RuleSet
  readonly struct: StructType
  readonly meter: RuleMeter
}

/**
 * `name`: the name of the kind's type. `keepsUnknown`: set in definitions of old releases, whose schemas need not be
 * structural; the understood parts validate values.
 */
export function createVersionSchema(
  schema: v1.JSONSchemaProps | undefined,
  name: string,
  {
    environment,
    metadata,
    meter = silentMeter,
    keepsUnknown = false,
  }: {
    readonly environment: Environment
    readonly metadata: StructType
    readonly meter?: RuleMeter
    readonly keepsUnknown?: boolean
  },
): VersionSchema {
  const root = schema && !keepsUnknown ? compileSchema(schema) : anySchema
  return {
    root,
    checks: schema && keepsUnknown ? compiledOrAny(schema) : root,
    defaults: new SchemaDefaults(root),
    patterns: createPatterns(),
    rules: createRuleSet(root, environment, meter),
    struct: typeOfObject(root, name, metadata),
    meter,
  }
}

/** Old schemas may have parts that no structural one has. */
function compiledOrAny(schema: v1.JSONSchemaProps): SchemaNode {
  try {
    return compileSchema(schema)
  } catch {
    return anySchema
  }
}
