import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { applyJsonPatch, JsonPatchTestFailed, type LayConfiguration, TypedError } from '../../apply/index.ts'
import { isRecord, type Steps } from '../../base/index.ts'
import { CelError, fromValue, ListValue, misnamedObject, ObjectValue, type Value } from '../../cel/index.ts'
import { mutationTypes } from '../../kinds/index.ts'
import {
  type ApiObject,
  copyObject,
  formatGroupVersionKind,
  type JsonObject,
  parseJsonText,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import type { ConvertedObjects } from '../convertedobjects.ts'
import type { Compiled } from '../evaluate.ts'
import type { ObjectVersions, ServedForm } from '../versions.ts'
import type { ExpressionCompiler, PolicySpec } from './policy.ts'

/** One change by a mutating policy. */
export interface Mutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch'
  readonly expression: Compiled
}

export interface MutatingRules {
  readonly mutations: readonly Mutation[]
  readonly reinvokes: boolean
}

export type MutatingSpec = PolicySpec &
  Partial<Pick<v1.MutatingAdmissionPolicySpec, 'mutations' | 'reinvocationPolicy'>>

export function* readMutatingRules(
  { mutations = [], reinvocationPolicy }: MutatingSpec,
  compiler: ExpressionCompiler,
): Steps<MutatingRules> {
  const read: Mutation[] = []
  for (const { patchType, jsonPatch, applyConfiguration } of mutations) {
    const isPatch = patchType === 'JSONPatch'
    const text = (isPatch ? jsonPatch : applyConfiguration)?.expression ?? ''
    const expected = isPatch ? mutationTypes.patches : mutationTypes.configuration
    const expression = yield* compiler.expression(text, expected)
    read.push({ type: isPatch ? 'JSONPatch' : 'ApplyConfiguration', expression })
  }
  return { mutations: read, reinvokes: reinvocationPolicy === 'IfNeeded' }
}

/** A mutation failed; the failure policy decides. */
export class MutationError extends Error {
  override readonly name = 'MutationError'
}

/** The object, in the given form, that results from a mutation's value; undefined: no change. Throws MutationError. */
export function mutated(
  type: Mutation['type'],
  value: Value,
  converted: ConvertedObjects,
  form: ServedForm,
  { versions, layConfiguration }: { readonly versions: ObjectVersions; readonly layConfiguration: LayConfiguration },
): ApiObject | undefined {
  const { resource } = converted.attributes
  const object = converted.object(form)
  if (!object) return undefined
  const struct = versions.struct(resource, form.kind)
  if (!struct) throw unknownKind(form)
  if (type === 'ApplyConfiguration') {
    const tree = laidOver(value, object, struct, layConfiguration)
    return decoded(() => versions.decode(copyObject(tree), resource, form.kind))
  }
  const patched = patchedTree(value, converted.text(form))
  return patched && decoded(() => versions.decode(patched, resource, form.kind, { strict: true }))
}

function unknownKind({ kind }: ServedForm): StatusError {
  const delay = 'There can be a delay between when CustomResourceDefinitions are created and when they are available.'
  return statusErrors.unavailable(`Resource kind ${formatGroupVersionKind(kind)} not found. ${delay}`)
}

function laidOver(value: Value, object: ApiObject, struct: StructType, lay: LayConfiguration): JsonObject {
  const misnamed = misnamedObject(value)
  if (misnamed !== undefined) throw new MutationError(`type mismatch: ${misnamed}`)
  const stated = asJson(value)
  if (!isRecord(stated)) throw new MutationError('unsupported return type from ApplyConfiguration expression')
  const { apiVersion, kind } = object
  try {
    return lay(struct, object as JsonObject, { ...(stated as JsonObject), apiVersion, kind })
  } catch (error) {
    if (error instanceof TypedError) throw new MutationError(`error applying patch: ${error.message}`, { cause: error })
    throw error
  }
}

/** Undefined: a test of the patch failed, which ends only this mutation. */
function patchedTree(value: Value, text: string): JsonObject | undefined {
  if (!(value instanceof ListValue))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array')
  const operations = Array.from(value, operationOf)
  try {
    return applyJsonPatch(parseJsonText(text) as JsonObject, operations)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const why = error.cause instanceof Error ? error.cause.message : error.message
    if (error.cause instanceof JsonPatchTestFailed) return undefined
    throw new MutationError(`JSON Patch: ${why}`, { cause: error })
  }
}

function operationOf(value: Value): unknown {
  if (!(value instanceof ObjectValue))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch')
  const misnamed = misnamedObject(value.get('value') ?? null)
  if (misnamed !== undefined) throw new MutationError(`type mismatch: ${misnamed}`)
  return asJson(value)
}

function asJson(value: Value): unknown {
  try {
    return fromValue(value)
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    const why = `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${error.message}`
    throw new MutationError(why, { cause: error })
  }
}

function decoded(decode: () => ApiObject): ApiObject {
  try {
    return decode()
  } catch (error) {
    if (error instanceof StatusError) throw new MutationError(error.message, { cause: error })
    throw error
  }
}
