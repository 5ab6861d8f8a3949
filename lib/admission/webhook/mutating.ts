import { applyJsonPatch } from '../../apply/index.ts'
import { type JsonObject, parseJsonText, quote, StatusError, statusErrors } from '../../object/index.ts'
import { changeObject } from '../changeobject.ts'
import { ConvertedObjects } from '../convertedobjects.ts'
import type { Candidate } from '../matching.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { Invoked, type Reinvocation } from '../reinvocation.ts'
import type { ObjectVersions, ServedForm } from '../versions.ts'
import { CallFailure, type HookAnswer } from './answer.ts'
import type { AdmissionHook } from './hook.ts'
import { type WebhookDependencies, WebhookDispatcher } from './webhookdispatcher.ts'

/** Lets mutating webhooks change the object one after the other, each the result of the one before it. */
export function createMutatingAdmissionWebhook(
  dependencies: WebhookDependencies & { readonly reinvocation: Reinvocation },
): AdmissionPlugin {
  const { versions, reinvocation } = dependencies
  const dispatcher = new WebhookDispatcher(dependencies, true)
  const invocations = new WeakMap<AdmissionAttributes, Invoked>()

  async function all(attributes: AdmissionAttributes, candidates: readonly Candidate<AdmissionHook>[]): Promise<void> {
    const converted = new ConvertedObjects(attributes, versions)
    const form: ServedForm = attributes
    const round = reinvocation.of(attributes)
    const invoked = invocations.get(attributes) ?? new Invoked()
    invocations.set(attributes, invoked)
    if (round.again && invoked.isOutdated(converted.text(form))) invoked.changed()
    const isShared = candidates.some(({ item }) => item.reinvokes)
    for (const candidate of candidates) {
      const { item: hook } = candidate
      if (round.again && !invoked.isWanted(hook.id)) continue
      if (!(await dispatcher.isWanted(candidate, converted))) continue
      const change = await dispatcher.ask(candidate, converted, round.again ? 1 : 0, (answer) =>
        patched(hook, answer, converted, candidate.form, versions),
      )
      note(candidate, change !== undefined, attributes, round.again)
      if (change) {
        converted.changed()
        invoked.changed()
        round.wanted = true
      }
      if (hook.reinvokes) invoked.noteCall(hook.id)
    }
    if (isShared) invoked.leave(converted.text(form))
  }

  return {
    name: 'MutatingAdmissionWebhook',
    handles: () => true,
    mutate: (attributes) => dispatcher.forRequest(attributes, all),
  }
}

function note(
  { item, index }: Candidate<AdmissionHook>,
  mutated: boolean,
  attributes: AdmissionAttributes,
  again: boolean,
): void {
  const value = JSON.stringify({ configuration: item.configuration, webhook: item.name, mutated })
  attributes.annotate(`mutation.webhook.admission.k8s.io/round_${again ? 1 : 0}_index_${index}`, value)
}

/** Changes the request's object by the answer's patch; true when the object has changed. */
function patched(
  hook: AdmissionHook,
  { patch }: HookAnswer,
  converted: ConvertedObjects,
  form: ServedForm,
  versions: ObjectVersions,
): true | undefined {
  if (patch === undefined) return undefined
  const operations = parse(patch)
  if (operations.length === 0) return undefined
  const { attributes } = converted
  const { object, resource } = attributes
  if (!object)
    throw statusErrors.internal(
      `admission webhook ${quote(hook.name)} attempted to modify the object, which is not supported for this operation`,
    )
  const before = converted.text(form)
  const result = apply(parseJsonText(before) as JsonObject, operations)
  return changeObject(converted, form, versions.decode(result, resource, form.kind), versions) ? true : undefined
}

function parse(patch: string): readonly unknown[] {
  try {
    const operations: unknown = parseJsonText(patch)
    if (Array.isArray(operations)) return operations
  } catch (cause) {
    throw new CallFailure(`received undecodable patch in webhook response: ${messageOf(cause)}`, { cause })
  }
  throw new CallFailure('received undecodable patch in webhook response: the patch is no list of operations')
}

function apply(document: JsonObject, operations: readonly unknown[]): JsonObject {
  try {
    return applyJsonPatch(document, operations)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const why = error.cause instanceof Error ? error.cause.message : error.message
    throw statusErrors.internal(why, error)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
