import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { Column } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'

const statusOf = (object: ApiObject): Partial<core.NodeStatus> => (object['status'] ?? {}) as Partial<core.NodeStatus>

export const nodeColumns: readonly Column[] = [
  nameColumn,
  textColumn('Status', 'Whether the node can run pods, and is given new ones.', (object) => {
    const ready = statusOf(object).conditions?.find(({ type }) => type === 'Ready')
    const state = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown'
    return (object['spec'] as core.NodeSpec | undefined)?.unschedulable ? `${state},SchedulingDisabled` : state
  }),
  textColumn('Roles', "The node's roles, by its labels.", (object) => roles(object).join(',') || '<none>'),
  ageColumn,
  textColumn('Version', 'Release of the kubelet.', (object) => statusOf(object).nodeInfo?.kubeletVersion ?? ''),
  textColumn('Internal-IP', 'Address within the cluster.', (object) => address(object, 'InternalIP'), 1),
  textColumn('External-IP', 'Address for the outside.', (object) => address(object, 'ExternalIP'), 1),
  textColumn('OS-Image', 'Operating system.', (object) => statusOf(object).nodeInfo?.osImage || '<unknown>', 1),
  textColumn(
    'Kernel-Version',
    'Kernel, and what it runs on.',
    (object) => {
      const { kernelVersion = '', architecture = '' } = statusOf(object).nodeInfo ?? {}
      return `${kernelVersion || '<unknown>'}${architecture && ` (${architecture})`}`
    },
    1,
  ),
  textColumn(
    'Container-Runtime',
    'What runs the containers.',
    (object) => statusOf(object).nodeInfo?.containerRuntimeVersion || '<unknown>',
    1,
  ),
]

const rolePrefix = 'node-role.kubernetes.io/'

function roles(object: ApiObject): string[] {
  const found = new Set<string>()
  for (const [key, value] of Object.entries(object.metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix) && key !== rolePrefix) found.add(key.slice(rolePrefix.length))
    else if (key === 'kubernetes.io/role' && value !== '') found.add(value)
  }
  return [...found].sort()
}

function address(object: ApiObject, wanted: string): string {
  return statusOf(object).addresses?.find(({ type }) => type === wanted)?.address ?? '<none>'
}
