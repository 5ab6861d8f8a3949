import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import type { Environment } from '../../cel/index.ts'
import type { StructType } from '../../schema/index.ts'
import { anySchema, compileSchema } from './compile.ts'
import type { SchemaNode } from './node.ts'
import { Defaults } from './defaults.ts'
import { createPatterns, type Patterns } from './patterns.ts'
import { type RuleMeter, silentMeter } from './rulemeter.ts'
import { createRuleSet, type RuleSet } from './rules.ts'
import { typeOfObject } from './typed.ts'

/** The schema of one version, compiled. */
export interface VersionSchema {
  readonly root: SchemaNode
  readonly defaults: Defaults
  readonly patterns: Patterns
  readonly rules: RuleSet
  readonly struct: StructType
  readonly meter: RuleMeter
}

/** `name`: the name of the kind's type. */
export function createVersionSchema(
  schema: v1.JSONSchemaProps | undefined,
  name: string,
  {
    environment,
    metadata,
    meter = silentMeter,
  }: { readonly environment: Environment; readonly metadata: StructType; readonly meter?: RuleMeter },
): VersionSchema {
  const root = schema ? compileSchema(schema) : anySchema
  return {
    root,
    defaults: new Defaults(root),
    patterns: createPatterns(),
    rules: createRuleSet(root, environment, meter),
    struct: typeOfObject(root, name, metadata),
    meter,
  }
}
