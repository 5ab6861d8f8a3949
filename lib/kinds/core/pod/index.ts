import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { podColumnReads, podColumns, podRowConditions } from './columns.ts'
import { defaultPod } from './defaults.ts'
import { podEphemeralContainersStrategy, podResizeStrategy, podStatusStrategy, podStrategy } from './strategy.ts'
import { specOf, statusOf } from './validate.ts'

export const pod: KindDefinition = {
  group: '',
  kind: 'Pod',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaultPod },
  mirrors: [{ within: 'status', text: 'podIP', list: 'podIPs', item: 'ip' }],
  strategy: podStrategy,
  subresources: {
    status: podStatusStrategy,
    ephemeralcontainers: podEphemeralContainersStrategy,
    resize: podResizeStrategy,
  },
  columns: podColumns,
  columnReads: podColumnReads,
  rowConditions: podRowConditions,
  heldFields: [
    'spec.nodeName',
    'spec.hostname',
    'spec.subdomain',
    'spec.hostNetwork',
    'spec.restartPolicy',
    'spec.priority',
    'spec.priorityClassName',
    'spec.readinessGates',
    'spec.resourceClaims',
    'spec.schedulingGates',
    'spec.schedulerName',
    'spec.terminationGracePeriodSeconds',
    'spec.volumes',
    'status',
  ],
  selectableReads: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  indexedFields: ['spec.nodeName'],
  watchesDivideBy: 'spec.nodeName',
  selectableFields: {
    'spec.nodeName': (object) => specOf(object).nodeName ?? '',
    'spec.restartPolicy': (object) => specOf(object).restartPolicy ?? '',
    'spec.schedulerName': (object) => specOf(object).schedulerName ?? '',
    'spec.serviceAccountName': (object) => specOf(object).serviceAccountName ?? '',
    'spec.hostNetwork': (object) => String(specOf(object).hostNetwork === true),
    'status.phase': (object) => statusOf(object).phase ?? '',
    'status.podIP': (object) => statusOf(object).podIPs?.[0]?.ip ?? statusOf(object).podIP ?? '',
    'status.nominatedNodeName': (object) => statusOf(object).nominatedNodeName ?? '',
  },
  fieldSelectorAliases: { 'spec.host': 'spec.nodeName' },
}
