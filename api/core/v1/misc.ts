import type { TypeTable } from '../../../lib/schema/index.ts'

/** Options of connections, bindings, component statuses and what else has no place of its own. */
export const miscTypes: Readonly<Record<string, TypeTable>> = {
  Binding: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      target: { n: 2, type: 'ObjectReference', omit: 'never', required: true },
    },
  },
  ComponentCondition: {
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ComponentConditionType' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
      message: { n: 3, type: 'string' },
      error: { n: 4, type: 'string' },
    },
  },
  ComponentStatus: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      conditions: { n: 2, type: '[]ComponentCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
    },
  },
  ComponentStatusList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]ComponentStatus', omit: 'never', required: true },
    },
  },
  List: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]RawExtension', omit: 'never', required: true },
    },
  },
  NodeProxyOptions: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string' },
    },
  },
  PodAttachOptions: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      stdin: { n: 1, type: 'bool' },
      stdout: { n: 2, type: 'bool' },
      stderr: { n: 3, type: 'bool' },
      tty: { n: 4, type: 'bool' },
      container: { n: 5, type: 'string' },
    },
  },
  PodExecOptions: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      stdin: { n: 1, type: 'bool' },
      stdout: { n: 2, type: 'bool' },
      stderr: { n: 3, type: 'bool' },
      tty: { n: 4, type: 'bool' },
      container: { n: 5, type: 'string' },
      command: { n: 6, type: '[]string', omit: 'never', required: true, list: 'atomic' },
    },
  },
  PodLogOptions: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      container: { n: 1, type: 'string' },
      follow: { n: 2, type: 'bool' },
      previous: { n: 3, type: 'bool' },
      sinceSeconds: { n: 4, type: '*int64', format: 'int64' },
      sinceTime: { n: 5, type: '*Time' },
      timestamps: { n: 6, type: 'bool' },
      tailLines: { n: 7, type: '*int64', format: 'int64' },
      limitBytes: { n: 8, type: '*int64', format: 'int64' },
      insecureSkipTLSVerifyBackend: { n: 9, type: 'bool' },
      stream: { n: 10, type: '*string', gate: ['PodLogsQuerySplitStreams'] },
    },
  },
  PodPortForwardOptions: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      ports: { n: 1, type: '[]int32', list: 'atomic', itemFormat: 'int32' },
    },
  },
  PodProxyOptions: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string' },
    },
  },
  Preconditions: {
    fields: {
      uid: { n: 1, type: '*string', alias: 'UID' },
    },
  },
  RangeAllocation: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      range: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      data: { n: 3, type: 'bytes', omit: 'never', required: true, format: 'byte' },
    },
  },
  SerializedReference: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      reference: { n: 1, type: 'ObjectReference' },
    },
  },
  ServiceProxyOptions: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string' },
    },
  },
}
