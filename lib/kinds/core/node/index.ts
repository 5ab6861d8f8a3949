import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { KindDefinition, Strategy } from '../../definition.ts'
import { cidrWarnings } from '../../meta/addresswarnings.ts'
import { nameRules } from '../../meta/names.ts'
import { keepField } from '../../meta/strategy.ts'
import { roundResources } from '../podspec/defaults.ts'
import { nodeColumns } from './columns.ts'
import { validateNode, validateNodeUpdate } from './validate.ts'

const specOf = (object: ApiObject): core.NodeSpec => object['spec'] as core.NodeSpec

function defaults(object: ApiObject): void {
  object['spec'] ??= {}
  const status = (object['status'] ??= {}) as core.NodeStatus
  if (status.capacity && !status.allocatable) status.allocatable = { ...status.capacity }
  roundResources(status.capacity)
  roundResources(status.allocatable)
}

/** Configuration by reference was removed; a node that still has one keeps it. */
function dropConfigSource(object: ApiObject, old: ApiObject | undefined): void {
  const status = object['status'] as core.NodeStatus
  if (!old || specOf(old).configSource === undefined) delete specOf(object).configSource
  if (!old || (old['status'] as core.NodeStatus | undefined)?.config === undefined) delete status.config
}

function warnings(object: ApiObject): string[] {
  const { configSource, externalID = '', podCIDRs = [] } = specOf(object)
  return [
    ...(configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(externalID === '' ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...podCIDRs.flatMap((cidr, index) => cidrWarnings(`spec.podCIDRs[${index}]`, cidr)),
  ]
}

/** Unlike for other kinds, the creator may set the status: the kubelet does. */
const strategy: Strategy = {
  prepareForCreate: (object) => dropConfigSource(object, undefined),
  prepareForUpdate(object, old) {
    keepField(object, old, 'status')
    dropConfigSource(object, old)
  },
  validateCreate: validateNode,
  validateUpdate: validateNodeUpdate,
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
}

const statusEndpoint: Strategy = {
  prepareForUpdate(object, old) {
    keepField(object, old, 'spec')
    dropConfigSource(object, old)
  },
  validateUpdate: validateNodeUpdate,
}

export const node: KindDefinition = {
  group: '',
  kind: 'Node',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaults },
  mirrors: [{ within: 'spec', text: 'podCIDR', list: 'podCIDRs' }],
  strategy,
  subresources: { status: statusEndpoint },
  columns: nodeColumns,
  selectableReads: ['spec.unschedulable'],
  selectableFields: { 'spec.unschedulable': (object) => String(specOf(object).unschedulable ?? false) },
}
