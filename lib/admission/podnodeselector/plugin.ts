import type * as core from '../../../api/gen/core/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

type Labels = Readonly<Record<string, string>>

/** The settings of PodNodeSelector. */
export interface PodNodeSelectorSettings {
  /** The selector in namespaces without an annotation. */
  readonly clusterDefault: Labels
  /** Labels that pods of a namespace may select nodes by; a namespace without an entry may use all. */
  readonly allowed: ReadonlyMap<string, Labels>
}

interface PodNodeSelectorDependencies {
  namespace(name: string, signal: AbortSignal): Promise<core.Namespace | undefined>
}

const annotation = 'scheduler.alpha.kubernetes.io/node-selector'

/** Restricts the pods of a namespace to the nodes of its annotation. */
export function createPodNodeSelector(
  { namespace }: PodNodeSelectorDependencies,
  { clusterDefault, allowed }: PodNodeSelectorSettings,
): AdmissionPlugin {
  async function selectorOf(attributes: AdmissionAttributes): Promise<Labels> {
    const { metadata } = (await namespace(attributes.namespace, attributes.signal)) ?? {}
    const text = metadata?.annotations?.[annotation]
    if (text === undefined) return clusterDefault
    const labels = parseNodeLabels(text)
    if (!labels) throw refusal(attributes, `invalid selector: [${text}]`)
    return labels
  }

  return {
    name: 'PodNodeSelector',
    handles: (operation) => operation === 'CREATE',
    async mutate(attributes) {
      if (!concernsResource(attributes, 'pods')) return
      const { spec } = attributes.object as core.Pod
      const selector = await selectorOf(attributes)
      checkConflict(attributes, spec, selector)
      if (Object.keys(selector).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...selector }
    },
    async validate(attributes) {
      if (!concernsResource(attributes, 'pods')) return
      const { spec } = attributes.object as core.Pod
      checkConflict(attributes, spec, await selectorOf(attributes))
      const list = allowed.get(attributes.namespace) ?? {}
      if (Object.keys(list).length === 0) return
      const isAllowed = Object.entries(spec.nodeSelector ?? {}).every(
        ([key, value]) => Object.hasOwn(list, key) && list[key] === value,
      )
      if (!isAllowed) throw refusal(attributes, 'pod node label selector labels conflict with its namespace whitelist')
    },
  }
}

function checkConflict(attributes: AdmissionAttributes, { nodeSelector = {} }: core.PodSpec, selector: Labels): void {
  for (const [key, value] of Object.entries(selector))
    if (Object.hasOwn(nodeSelector, key) && nodeSelector[key] !== value)
      throw refusal(attributes, 'pod node label selector conflicts with its namespace node label selector')
}

/** `a=b,c=d`; undefined for any other text. */
export function parseNodeLabels(text: string): Labels | undefined {
  const labels = new Map<string, string>()
  for (const part of text.split(',')) {
    if (text.trim() === '') break
    const [key = '', value, ...more] = part.split('=').map((one) => one.trim())
    if (key === '' || value === undefined || more.length > 0) return undefined
    labels.set(key, value)
  }
  return Object.fromEntries(labels)
}
