import type * as core from '../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../object/index.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'

interface PodTopologyLabelsDependencies {
  node(name: string, signal: AbortSignal): Promise<core.Node | undefined>
}

/** Labels of nodes that are copied to their pods. */
const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/**
 * Labels pods with the zone and region of their node, when they are bound to it or created on it. A binding carries the
 * labels to its pod, whose existing labels of these names stay.
 */
export function createPodTopologyLabels({ node }: PodTopologyLabelsDependencies): AdmissionPlugin {
  async function labelsOf(name: string, signal: AbortSignal): Promise<Record<string, string>> {
    const labels = (await node(name, signal))?.metadata.labels ?? {}
    return Object.fromEntries(
      topologyLabels.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const])),
    )
  }
  return {
    name: 'PodTopologyLabels',
    handles: (operation) => operation === 'CREATE',
    async mutate(attributes) {
      const { object, signal } = attributes
      if (!object) return
      const name = nodeName(attributes, object)
      if (name === '') return
      const labels = await labelsOf(name, signal)
      if (Object.keys(labels).length > 0) object.metadata.labels = { ...object.metadata.labels, ...labels }
    },
  }
}

/** The node of a new pod or of a binding; '' for none. */
function nodeName(attributes: AdmissionAttributes, object: ApiObject): string {
  if (concernsResource(attributes, 'pods')) return (object as core.Pod).spec?.nodeName ?? ''
  if (!isBinding(attributes)) return ''
  const { target } = object as core.Binding
  return (target?.kind ?? '') === '' || target.kind === 'Node' ? (target?.name ?? '') : ''
}

function isBinding({ resource: { group, resource }, subresource }: AdmissionAttributes): boolean {
  return (
    group === '' &&
    ((resource === 'pods' && subresource === 'binding') || (resource === 'bindings' && subresource === ''))
  )
}
