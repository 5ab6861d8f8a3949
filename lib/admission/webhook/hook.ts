import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import type { Environment } from '../../cel/index.ts'
import { MatchIndex, type ResourceMatch } from '../matching.ts'
import { readSelectors, type Selectors } from '../selecting.ts'
import type { ObjectVersions } from '../versions.ts'
import { LazyConditions } from './lazyconditions.ts'

/** One webhook of one configuration, ready to be called. */
export interface AdmissionHook {
  /** The configuration's name, the webhook's name and its index there. */
  readonly id: string
  readonly configuration: string
  readonly name: string
  readonly target: v1.WebhookClientConfig
  readonly ignoresFailure: boolean
  readonly hasSideEffects: boolean
  readonly timeoutSeconds: number
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined
  readonly reinvokes: boolean
  readonly selectors: Selectors
  readonly conditions: LazyConditions
}

type Configuration = v1.MutatingWebhookConfiguration | v1.ValidatingWebhookConfiguration

/** All webhooks of one kind, kept up to date with their configurations. */
export class HookSet {
  readonly #versions: ObjectVersions
  readonly #environment: () => Environment
  readonly #configurations = new Map<
    string,
    readonly { readonly item: AdmissionHook; readonly match: ResourceMatch }[]
  >()
  #index: MatchIndex<AdmissionHook> | undefined

  constructor(versions: ObjectVersions, environment: () => Environment) {
    this.#versions = versions
    this.#environment = environment
  }

  /** Configurations by name, webhooks in their order within. */
  get index(): MatchIndex<AdmissionHook> {
    this.#index ??= new MatchIndex(
      [...this.#configurations].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, hooks]) => hooks),
      this.#versions,
    )
    return this.#index
  }

  /** Throws for an invalid configuration, which then has no webhooks. */
  set(configuration: Configuration): void {
    const { name = '', uid = '' } = configuration.metadata
    this.remove('', name)
    const seen = new Map<string, number>()
    const hooks = (configuration.webhooks ?? []).map((webhook: v1.MutatingWebhook | v1.ValidatingWebhook) => {
      const place = seen.get(webhook.name) ?? 0
      seen.set(webhook.name, place + 1)
      return this.#read(webhook, name, `${uid === '' ? name : uid}/${webhook.name}/${place}`)
    })
    this.#configurations.set(name, hooks)
  }

  remove(_namespace: string, name: string): void {
    this.#configurations.delete(name)
    this.#index = undefined
  }

  #read(
    webhook: v1.MutatingWebhook | v1.ValidatingWebhook,
    configuration: string,
    id: string,
  ): { item: AdmissionHook; match: ResourceMatch } {
    const { name, clientConfig, rules = [], failurePolicy, matchPolicy, sideEffects, matchConditions = [] } = webhook
    const known = webhook.admissionReviewVersions?.find((version) => version === 'v1' || version === 'v1beta1')
    const hook: AdmissionHook = {
      id,
      configuration,
      name,
      target: clientConfig,
      ignoresFailure: failurePolicy === 'Ignore',
      hasSideEffects: sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun',
      timeoutSeconds: webhook.timeoutSeconds ?? 10,
      reviewVersion: known as AdmissionHook['reviewVersion'],
      reinvokes: 'reinvocationPolicy' in webhook && webhook.reinvocationPolicy === 'IfNeeded',
      selectors: readSelectors(webhook),
      conditions: new LazyConditions(matchConditions, this.#environment),
    }
    return { item: hook, match: { rules, isExact: matchPolicy === 'Exact' } }
  }
}
