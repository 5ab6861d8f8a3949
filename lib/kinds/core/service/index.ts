import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { keepField, statusStrategy } from '../../meta/strategy.ts'
import { formatLabels } from '../podspec/template.ts'
import { defaultService } from './defaults.ts'
import { prepareNewService, prepareServiceUpdate } from './prepare.ts'
import { serviceSpec } from './shape.ts'
import { validateServiceStatus } from './status.ts'
import { validateService, validateServiceUpdate } from './validate.ts'
import { serviceWarnings } from './warnings.ts'

const statusOf = (object: ApiObject): Partial<core.ServiceStatus> =>
  (object['status'] ?? {}) as Partial<core.ServiceStatus>

function externalAddresses(object: ApiObject): string {
  const { type, externalIPs = [], externalName = '' } = serviceSpec(object)
  switch (type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || '<none>'
    case 'LoadBalancer': {
      const entries = statusOf(object).loadBalancer?.ingress ?? []
      const balancers = [...new Set(entries.flatMap(({ ip, hostname }) => ip || hostname || []))].sort()
      return [...balancers, ...externalIPs].join(',') || '<pending>'
    }
    case 'ExternalName':
      return externalName
    default:
      return '<unknown>'
  }
}

function ports({ ports: list = [] }: core.ServiceSpec): string {
  const texts = list.map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`)
  return texts.join(',') || '<none>'
}

export const service: KindDefinition = {
  group: '',
  kind: 'Service',
  nameRule: (name, prefix, gate) =>
    (gate('RelaxedServiceNameValidation') ? nameRules.label : nameRules.label1035)(name, prefix),
  defaults: { v1: defaultService },
  strategy: {
    prepareForCreate: prepareNewService,
    prepareForUpdate(object, old) {
      keepField(object, old, 'status')
      prepareServiceUpdate(object, old)
    },
    validateCreate: validateService,
    validateUpdate: validateServiceUpdate,
    warningsOnCreate: serviceWarnings,
    warningsOnUpdate: serviceWarnings,
  },
  subresources: { status: statusStrategy(validateServiceStatus) },
  selectableReads: ['spec.clusterIP', 'spec.type'],
  selectableFields: {
    'spec.clusterIP': (object) => serviceSpec(object).clusterIP ?? '',
    'spec.type': (object) => serviceSpec(object).type ?? '',
  },
  columns: [
    nameColumn,
    textColumn('Type', 'How the service is reached.', (object) => serviceSpec(object).type ?? ''),
    textColumn(
      'Cluster-IP',
      'Address within the cluster.',
      (object) => serviceSpec(object).clusterIPs?.[0] ?? '<none>',
    ),
    textColumn('External-IP', 'Addresses for the outside.', externalAddresses),
    textColumn('Port(s)', 'Ports, and those of the nodes.', (object) => ports(serviceSpec(object))),
    ageColumn,
    textColumn('Selector', "Labels of the service's pods.", (object) => formatLabels(serviceSpec(object).selector), 1),
  ],
}
