import type * as core from '../../../api/gen/core/v1.ts'
import { isRecord } from '../../base/index.ts'
import { qosClassOf } from '../../kinds/index.ts'
import { parseJsonText } from '../../object/index.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { areAllowed, checkLength, mergeTolerations, tolerationsMax } from '../tolerations.ts'

/** The settings of PodTolerationRestriction: for namespaces without annotations. */
export interface PodTolerationSettings {
  readonly defaults: readonly core.Toleration[]
  /** Empty: all are allowed. */
  readonly allowed: readonly core.Toleration[]
}

interface PodTolerationDependencies {
  namespace(name: string, signal: AbortSignal): Promise<core.Namespace | undefined>
}

const annotations = {
  defaults: 'scheduler.alpha.kubernetes.io/defaultTolerations',
  allowed: 'scheduler.alpha.kubernetes.io/tolerationsWhitelist',
} as const
const memoryPressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }

/** Gives pods the tolerations of their namespace, and refuses those that it doesn't allow. */
export function createPodTolerationRestriction(
  { namespace }: PodTolerationDependencies,
  settings: PodTolerationSettings,
): AdmissionPlugin {
  /** The list in the namespace's annotation; without one, the cluster's. */
  async function listOf(
    attributes: AdmissionAttributes,
    which: keyof typeof annotations,
  ): Promise<{ readonly list: readonly core.Toleration[]; readonly scope: 'namespace' | 'cluster' }> {
    const found = await namespace(attributes.namespace, attributes.signal)
    const text = found?.metadata.annotations?.[annotations[which]]
    if (text === undefined) return { list: settings[which], scope: 'cluster' }
    return { list: parseList(attributes, annotations[which], text), scope: 'namespace' }
  }

  return {
    name: 'PodTolerationRestriction',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    async mutate(attributes) {
      if (!concernsResource(attributes, 'pods')) return
      const { spec } = attributes.object as core.Pod
      let tolerations: readonly core.Toleration[] = spec.tolerations ?? []
      checkLength(attributes, tolerations)
      if (attributes.operation === 'CREATE') {
        const { list } = await listOf(attributes, 'defaults')
        if (list.length > 0) tolerations = mergeTolerations(list, tolerations)
      }
      if (qosClassOf(spec) !== 'BestEffort') tolerations = mergeTolerations(tolerations, [memoryPressure])
      if (tolerations.length > 0) spec.tolerations = [...tolerations]
    },
    async validate(attributes) {
      if (!concernsResource(attributes, 'pods')) return
      const { spec } = attributes.object as core.Pod
      checkLength(attributes, spec.tolerations ?? [])
      const { list, scope } = await listOf(attributes, 'allowed')
      if (areAllowed(spec.tolerations ?? [], list)) return
      const why = `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`
      throw refusal(attributes, why)
    },
  }
}

function parseList(attributes: AdmissionAttributes, name: string, text: string): readonly core.Toleration[] {
  if (text === '') return []
  const list = readJson(text)
  if (!Array.isArray(list) || !list.every(isRecord) || list.length > tolerationsMax)
    throw refusal(attributes, `annotation ${name} of the namespace is no list of tolerations`)
  return list as core.Toleration[]
}

function readJson(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    return undefined
  }
}
