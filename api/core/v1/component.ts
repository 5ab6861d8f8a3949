import type { TypeTable } from '../../../lib/schema/index.ts'

/** Health of the components of a control plane. */
export const componentTypes: Readonly<Record<string, TypeTable>> = {
  ComponentCondition: {
    doc: 'Health of a component.',
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ComponentConditionType', doc: 'Healthy is the only one.' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the component is healthy: True, False or Unknown.' },
      message: { n: 3, type: 'string', doc: 'What the health check answered.' },
      error: { n: 4, type: 'string', doc: 'Error code of the health check.' },
    },
  },
  ComponentStatus: {
    doc: 'Deprecated: health of a component of the control plane.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      conditions: { n: 2, type: '[]ComponentCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'Results of the health checks.' },
    },
  },
  ComponentStatusList: {
    doc: 'A list of ComponentStatus objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]ComponentStatus', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
}
