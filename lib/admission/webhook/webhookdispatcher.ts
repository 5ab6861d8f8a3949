import { type Clock, type Logger, type Metrics, Pauses, runSteps } from '../../base/index.ts'
import { quote, StatusError, statusErrors } from '../../object/index.ts'
import { withConversions } from '../../scheme/index.ts'
import { type Sources, withCandidates } from '../candidates.ts'
import { type ConditionMetrics, createConditionMetrics } from '../conditionmetrics.ts'
import { type AuthorizeFor, authorizerBindings, evaluateConditions } from '../conditions.ts'
import type { ConvertedObjects } from '../convertedobjects.ts'
import { newRequestCost } from '../evaluate.ts'
import type { Candidate } from '../matching.ts'
import type { AdmissionAttributes } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { admissionRequest } from '../review.ts'
import { type FindNamespace, isSelected } from '../selecting.ts'
import type { ObjectVersions } from '../versions.ts'
import { CallFailure, denial, type HookAnswer } from './answer.ts'
import { callHook, type HookCallDependencies } from './call.ts'
import type { AdmissionHook, HookSet } from './hook.ts'
import { createHookMetrics, type HookMetrics } from './metrics.ts'

export interface WebhookDependencies extends HookCallDependencies {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly versions: ObjectVersions
  readonly hooks: HookSet
  /** Webhooks from files; absent: there are none. */
  readonly hooksFromFiles?: (() => HookSet) | undefined
  /** Undefined once all stored configurations are loaded. */
  loading(): Promise<void> | undefined
  readonly namespace: FindNamespace
  readonly authorize: AuthorizeFor
}

/** The steps that mutating and validating webhooks share. */
export class WebhookDispatcher {
  readonly #dependencies: WebhookDependencies
  readonly #sources: Sources<AdmissionHook>
  readonly #metrics: HookMetrics
  readonly #conditions: ConditionMetrics
  readonly #isMutating: boolean

  constructor(dependencies: WebhookDependencies, isMutating: boolean) {
    this.#dependencies = dependencies
    const { clock, loading, hooks: stored, hooksFromFiles: fromFiles } = dependencies
    this.#sources = { clock, loading, stored, fromFiles }
    this.#isMutating = isMutating
    this.#metrics = createHookMetrics(dependencies.metrics, isMutating ? 'admit' : 'validating')
    this.#conditions = createConditionMetrics(dependencies.metrics, 'webhook', isMutating ? 'admit' : 'validating')
  }

  /** Calls `all` with the webhooks that may match the request; synchronously done when there are none. */
  forRequest(
    attributes: AdmissionAttributes,
    all: (attributes: AdmissionAttributes, candidates: readonly Candidate<AdmissionHook>[]) => Promise<void>,
  ): void | Promise<void> {
    return withCandidates(this.#sources, attributes, (candidates) => all(attributes, candidates))
  }

  /**
   * Whether to call a webhook; then the objects are available in its version. Rejects when that can't be determined and
   * the webhook must not be skipped, and when the objects can't be converted, whatever its failure policy is.
   */
  async isWanted({ item: hook, form }: Candidate<AdmissionHook>, converted: ConvertedObjects): Promise<boolean> {
    const { attributes } = converted
    const { namespace, authorize, clock } = this.#dependencies
    const selected = isSelected(hook.selectors, attributes, namespace)
    if (!(selected instanceof Promise ? await selected : selected)) return false
    await converted.prepare(form)
    if (hook.conditions.isEmpty) return true
    const compiling = runSteps(hook.conditions.compiled(clock))
    const conditions = compiling instanceof Promise ? await compiling : compiling
    const startMs = clock.monotonicMs()
    const bindings = {
      object: converted.object(form) ?? null,
      oldObject: converted.oldObject(form) ?? null,
      request: admissionRequest(attributes, form),
      ...authorizerBindings(attributes, authorize),
    }
    const outcome = await runSteps(evaluateConditions(conditions, bindings, newRequestCost(new Pauses(clock))))
    const { operation } = attributes
    this.#conditions.evaluated(hook.name, operation, (clock.monotonicMs() - startMs) / 1000)
    if (outcome.matches) return true
    if (outcome.error === undefined) {
      this.#conditions.excluded(hook.name, operation)
      return false
    }
    this.#conditions.failed(hook.name, operation)
    if (hook.ignoresFailure) return false
    throw refusal(attributes, outcome.error)
  }

  /**
   * The result of `use` on the answer of a webhook that allows. An error of `use` counts as a failed call, and `use`
   * runs again after each conversion that it needs. Undefined: the webhook failed, and its failures are ignored.
   */
  async ask<Result>(
    { item: hook, index, form }: Candidate<AdmissionHook>,
    converted: ConvertedObjects,
    round: number,
    use: (answer: HookAnswer) => Result,
  ): Promise<Result | undefined> {
    const { clock, log } = this.#dependencies
    const { attributes } = converted
    const { operation } = attributes
    const startMs = clock.monotonicMs()
    const done = (rejected: boolean, code: number): void =>
      this.#metrics.answered({ name: hook.name, operation, rejected, code }, (clock.monotonicMs() - startMs) / 1000)
    try {
      const answer = await callHook(this.#dependencies, hook, converted, form, this.#isMutating)
      this.#note(hook, answer, attributes)
      if (!answer.allowed) throw denial(hook.name, answer.status)
      const result = await withConversions(() => use(answer))
      done(false, 200)
      return result
    } catch (error) {
      if (error instanceof StatusError) {
        done(true, error.code)
        this.#metrics.rejected({ name: hook.name, operation, error: 'no_error', code: error.code })
        throw error
      }
      if (!(error instanceof CallFailure)) throw error
      log.warn('an admission webhook failed', { webhook: hook.name, configuration: hook.configuration, error })
      if (hook.ignoresFailure) {
        done(false, 200)
        this.#metrics.failedOpen(hook.name)
        const kind = this.#isMutating ? 'mutation' : 'validating'
        attributes.annotate(`failed-open.${kind}.webhook.admission.k8s.io/round_${round}_index_${index}`, hook.name)
        return undefined
      }
      done(true, 500)
      this.#metrics.rejected({ name: hook.name, operation, error: 'calling_webhook_error', code: 0 })
      throw statusErrors.internal(`failed calling webhook ${quote(hook.name)}: ${error.message}`, error)
    }
  }

  #note(hook: AdmissionHook, { warnings, auditAnnotations }: HookAnswer, attributes: AdmissionAttributes): void {
    for (const warning of warnings) attributes.warn(warning)
    for (const [key, value] of Object.entries(auditAnnotations))
      if (typeof value === 'string') attributes.annotate(`${hook.name}/${key}`, value)
  }
}
