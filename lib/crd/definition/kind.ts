import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import type { WorkLimit } from '../../base/index.ts'
import { isShared, type KindContext, type KindDefinition } from '../../kinds/index.ts'
import { type ApiObject, deepEqual, type FieldError, FieldPath, fieldErrors } from '../../object/index.ts'
import { compileSchema } from '../schema/compile.ts'
import type { SchemaNode } from '../schema/node.ts'
import { createRuleEnvironment, ruledNodes } from '../schema/rules.ts'
import { type CheckEngine, checkPatterns, checkValues } from './defaultvalues.ts'
import { asDefinition, type Version } from './definition.ts'
import { formatWarnings } from './formatwarnings.ts'
import { PatternSyntax } from './patternsyntax.ts'
import { checkRuleTexts, checkSchemaRules, type KnownExpressions } from './rulecost.ts'

/** The kind of definitions, with all checks of its schemas: an engine of their own checks default values and rules. */
export function createDefinitionKind(base: KindDefinition): KindDefinition {
  let engine: CheckEngine | undefined
  const strategy = base.strategy ?? {}
  const check = (object: ApiObject, old: ApiObject | undefined, context: KindContext): FieldError[] => {
    const found =
      (old ? strategy.validateUpdate?.(object, old, context) : strategy.validateCreate?.(object, context)) ?? []
    engine ??= {
      environment: createRuleEnvironment(),
      newRules: createRuleEnvironment(context.settings?.newExpressionsMinor),
      patterns: new PatternSyntax(),
    }
    const isSound = !found.some(({ field }) => field.includes('openAPIV3Schema'))
    const ofSchemas = checkSchemas(object, old, { engine, isSound, work: context.work })
    // Errors of selectable fields follow those of the schemas.
    const later = found.findIndex(({ field }) => field.includes('selectableFields'))
    return later < 0 ? [...found, ...ofSchemas] : [...found.slice(0, later), ...ofSchemas, ...found.slice(later)]
  }
  return {
    ...base,
    strategy: {
      ...strategy,
      validateCreate: (object, context) => check(object, undefined, context),
      validateUpdate: (object, old, context) => check(object, old, context),
      warningsOnCreate: (object) => formatWarnings(asDefinition(object)),
      warningsOnUpdate: (object, old) => formatWarnings(asDefinition(object), asDefinition(old)),
    },
  }
}

function checkSchemas(
  object: ApiObject,
  stored: ApiObject | undefined,
  { engine, isSound, work }: { readonly engine: CheckEngine; readonly isSound: boolean; readonly work: WorkLimit },
): FieldError[] {
  const errors: FieldError[] = []
  const { spec } = asDefinition(object)
  const before = stored && asDefinition(stored).spec
  const versions = spec.versions ?? []
  const shared = isShared(versions, 'schema')
  const path = FieldPath.root('spec')
  let known: KnownExpressions | undefined
  for (const [index, version] of (shared ? versions.slice(0, 1) : versions).entries()) {
    const at = shared ? path.child('validation') : path.child('versions').index(index).child('schema')
    const old = before?.versions?.find(({ name }) => name === version.name)
    // A stored schema was checked before, perhaps by other rules.
    if (old && deepEqual(old.schema, version.schema)) continue
    const schemaAt = at.child('openAPIV3Schema')
    if (!isSound) checkTextsOfVersion(errors, version, schemaAt, engine, work)
    else checkVersion(errors, version, schemaAt, engine, (known ??= knownExpressions(before?.versions)), work)
  }
  if (isSound && spec.preserveUnknownFields && versions.some(hasDefaults))
    errors.push(
      fieldErrors.invalid(
        path.child('preserveUnknownFields'),
        true,
        'must be false in order to use defaults in the schema',
      ),
    )
  return errors
}

function checkVersion(
  errors: FieldError[],
  { schema }: Version,
  at: FieldPath,
  engine: CheckEngine,
  known: KnownExpressions,
  work: WorkLimit,
): void {
  const root = schema?.openAPIV3Schema && compiledOrNone(schema.openAPIV3Schema)
  if (!root) return
  checkValues(errors, root, at, engine, work)
  checkSchemaRules(errors, root, at, { fresh: engine.newRules, stored: engine.environment, known }, work)
}

/** Checks the parts of a faulty schema that can be checked: patterns, and the texts beside rules. */
function checkTextsOfVersion(
  errors: FieldError[],
  { schema }: Version,
  at: FieldPath,
  engine: CheckEngine,
  work: WorkLimit,
): void {
  const root = schema?.openAPIV3Schema && tryCompile(schema.openAPIV3Schema)
  if (!root) return
  checkPatterns(errors, root, at, engine, work)
  checkRuleTexts(errors, root, at)
}

/** The expressions of a stored definition's schemas. */
function knownExpressions(versions: readonly Version[] = []): KnownExpressions {
  const known = { rules: new Set<string>(), messages: new Set<string>() }
  for (const { schema } of versions) {
    const root = schema?.openAPIV3Schema && tryCompile(schema.openAPIV3Schema)
    for (const node of root ? ruledNodes(root) : [])
      for (const { rule, messageExpression } of node.rules) {
        known.rules.add(rule)
        known.messages.add(messageExpression)
      }
  }
  return known
}

function tryCompile(schema: v1.JSONSchemaProps): SchemaNode | undefined {
  try {
    return compileSchema(schema)
  } catch {
    return undefined
  }
}

function hasDefaults({ schema }: Version): boolean {
  return schema?.openAPIV3Schema !== undefined && compiledOrNone(schema.openAPIV3Schema)?.below.defaults === true
}

/** An old release may have stored a schema that is not structural: it has no defaults and no rules. */
function compiledOrNone(schema: v1.JSONSchemaProps): SchemaNode | undefined {
  try {
    return compileSchema(schema)
  } catch {
    return undefined
  }
}
