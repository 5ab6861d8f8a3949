import type { Scale } from '../../../api/gen/autoscaling/v1.ts'
import type { HorizontalPodAutoscaler } from '../../../api/gen/autoscaling/v2.ts'
import type { Pod } from '../../../api/gen/core/v1.ts'
import type { Clock } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { type KindMapper, keyOf, type Lister, namespaceOf } from '../../controller/index.ts'
import {
  type Frozen,
  type LabelSelector,
  parseGroupVersion,
  parseLabelSelector,
  type ResourceType,
} from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { boundOf } from './bounds.ts'
import type { MetricsApi } from './metricsapi.ts'
import { type Reading, readMetric } from './readings.ts'

export type SomeAutoscaler = Frozen<HorizontalPodAutoscaler>

/** An autoscaler, and the target, pods and metrics that decide about it. */
export interface Seen {
  readonly autoscaler: SomeAutoscaler
  /** An Error: the scale could not be read. */
  readonly target: ScaleTarget | Error
  /** Undefined: the autoscaler's limits decide, whatever the pods do. An Unusable: no metrics were read. */
  readonly pods: TargetPods | Unusable | undefined
  /** One a metric of the autoscaler, in its order. */
  readonly readings: readonly Reading[]
}

export interface ScaleTarget {
  readonly type: ResourceType
  readonly scale: Frozen<Scale>
}

export interface TargetPods {
  /** Selects them, as text. */
  readonly selector: string
  readonly pods: readonly Frozen<Pod>[]
}

/** Why the target's pods can't be used. */
export interface Unusable {
  readonly reason: string
  readonly message: string
  /** The event, where it differs from the condition. */
  readonly event?: { readonly reason: string; readonly message: string }
}

interface Sources {
  readonly client: Client
  readonly kinds: KindMapper
  readonly api: MetricsApi
  readonly pods: Lister<Pod>
  readonly clock: Clock
  /** Selectors of all autoscalers' targets, by the autoscaler's key. Two autoscalers of the same pods would alternate. */
  readonly selectors: Map<string, LabelSelector>
}

export async function observe(sources: Sources, autoscaler: SomeAutoscaler): Promise<Seen> {
  const target = await readScale(sources, autoscaler)
  if (target instanceof Error || boundOf(autoscaler.spec, target.scale.spec.replicas ?? 0))
    return { autoscaler, target, pods: undefined, readings: [] }
  const pods = findPods(sources, autoscaler, target.scale)
  const readings: Reading[] = []
  if ('pods' in pods)
    for (const spec of autoscaler.spec.metrics ?? [])
      readings.push(await readMetric(spec, namespaceOf(autoscaler), pods.selector, sources))
  return { autoscaler, target, pods, readings }
}

async function readScale({ client, kinds }: Sources, autoscaler: SomeAutoscaler): Promise<ScaleTarget | Error> {
  const { kind, name, apiVersion = '' } = autoscaler.spec.scaleTargetRef
  const group = parseGroupVersion(apiVersion)?.group ?? ''
  try {
    const type = await kinds.resourceOf(group, kind)
    if (!type) return new Error(`no matches for kind "${kind}" in group "${group}"`)
    const namespace = namespaceOf(autoscaler)
    return { type, scale: await client.resource(type).subresource<Scale>('scale').get({ namespace, name }) }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function findPods(
  { pods, selectors }: Sources,
  autoscaler: SomeAutoscaler,
  { status }: Frozen<Scale>,
): TargetPods | Unusable {
  const text = status.selector ?? ''
  if (text === '')
    return {
      reason: 'InvalidSelector',
      message: "the HPA target's scale is missing a selector",
      event: { reason: 'SelectorRequired', message: 'selector is required' },
    }
  let selector: LabelSelector
  try {
    selector = parseLabelSelector(text)
  } catch (error) {
    const message = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`
    return { reason: 'InvalidSelector', message }
  }
  const [key, namespace] = [keyOf(autoscaler), namespaceOf(autoscaler)]
  selectors.set(key, selector)
  const selected = [...pods.in(namespace)].filter(({ metadata }) => selector.matches(metadata.labels ?? {}))
  const rivals = [...selectors].filter(
    ([other, theirs]) =>
      other !== key &&
      other.startsWith(`${namespace}/`) &&
      selected.some(({ metadata }) => theirs.matches(metadata.labels ?? {})),
  )
  if (rivals.length === 0) return { selector: text, pods: selected }
  const names = [key, ...rivals.map(([other]) => other)].sort().join(' ')
  return {
    reason: 'AmbiguousSelector',
    message: `pods by selector ${text} are controlled by multiple HPAs: [${names}]`,
  }
}
