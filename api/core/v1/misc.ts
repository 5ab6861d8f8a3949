import type { TypeTable } from '../../../lib/schema/index.ts'

/** Options of connections, bindings, component statuses and what else has no place of its own. */
export const miscTypes: Readonly<Record<string, TypeTable>> = {
  Binding: {
    doc: 'Assigns a pod to a node.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      target: { n: 2, type: 'ObjectReference', omit: 'never', required: true, doc: 'The node.' },
    },
  },
  ComponentCondition: {
    doc: 'Health of a component.',
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ComponentConditionType', doc: 'Healthy is the only one.' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether it is healthy: True, False or Unknown.' },
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
      conditions: { n: 2, type: '[]ComponentCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'What the health checks found.' },
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
  List: {
    doc: 'A list of objects that may be of different kinds.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]RawExtension', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  NodeProxyOptions: {
    doc: 'Options of a call that is passed on to a node.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string', doc: 'Path of the call at the node.' },
    },
  },
  PodAttachOptions: {
    doc: 'Options of attaching to a running container.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      stdin: { n: 1, type: 'bool', doc: 'Passes on standard input. Defaults to false.' },
      stdout: { n: 2, type: 'bool', doc: 'Passes on standard output. Defaults to true.' },
      stderr: { n: 3, type: 'bool', doc: 'Passes on standard error. Defaults to true.' },
      tty: { n: 4, type: 'bool', doc: 'Attaches to a terminal. Defaults to false.' },
      container: { n: 5, type: 'string', doc: 'Name of the container; may be empty when the pod has a single one.' },
    },
  },
  PodExecOptions: {
    doc: 'Options of running a command in a container.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      stdin: { n: 1, type: 'bool', doc: 'Passes on standard input. Defaults to false.' },
      stdout: { n: 2, type: 'bool', doc: 'Passes on standard output. Defaults to true.' },
      stderr: { n: 3, type: 'bool', doc: 'Passes on standard error. Defaults to true.' },
      tty: { n: 4, type: 'bool', doc: 'Gives the command a terminal. Defaults to false.' },
      container: { n: 5, type: 'string', doc: 'Name of the container; may be empty when the pod has a single one.' },
      command: { n: 6, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'The command and its arguments, run without a shell.' },
    },
  },
  PodLogOptions: {
    doc: "Options of reading a container's log.",
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      container: { n: 1, type: 'string', doc: 'Name of the container; may be empty when the pod has a single one.' },
      follow: { n: 2, type: 'bool', doc: 'Goes on with what is logged from now on. Defaults to false.' },
      previous: { n: 3, type: 'bool', doc: "Reads the log of the container's previous run. Defaults to false." },
      sinceSeconds: { n: 4, type: '*int64', format: 'int64', doc: 'Only what was logged in the last so many seconds; excludes sinceTime.' },
      sinceTime: { n: 5, type: '*Time', doc: 'Only what was logged since then; excludes sinceSeconds.' },
      timestamps: { n: 6, type: 'bool', doc: 'Puts a time before each line. Defaults to false.' },
      tailLines: { n: 7, type: '*int64', format: 'int64', doc: 'Only so many lines from the end.' },
      limitBytes: { n: 8, type: '*int64', format: 'int64', doc: 'Stops after so many bytes.' },
      insecureSkipTLSVerifyBackend: { n: 9, type: 'bool', doc: 'Does not verify the certificate of the node: what comes may be forged.' },
      stream: { n: 10, type: '*string', gate: ['PodLogsQuerySplitStreams'], doc: 'All (the default), Stdout or Stderr; the latter two exclude tailLines.' },
    },
  },
  PodPortForwardOptions: {
    doc: 'Options of forwarding ports to a pod.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      ports: { n: 1, type: '[]int32', list: 'atomic', itemFormat: 'int32', doc: 'The ports; required with websockets.' },
    },
  },
  PodProxyOptions: {
    doc: 'Options of a call that is passed on to a pod.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string', doc: 'Path of the call at the pod.' },
    },
  },
  Preconditions: {
    doc: 'What must hold of an object before it is changed or deleted.',
    fields: {
      uid: { n: 1, type: '*string', alias: 'UID', doc: 'The UID that the object must have.' },
    },
  },
  RangeAllocation: {
    doc: 'Internal: which values of a range are taken.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      range: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'The range, as text.' },
      data: { n: 3, type: 'bytes', omit: 'never', required: true, format: 'byte', doc: 'Bits of the values that are taken.' },
    },
  },
  SerializedReference: {
    doc: 'A reference to an object, in a form to be stored as text.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      reference: { n: 1, type: 'ObjectReference', doc: 'The object.' },
    },
  },
  ServiceProxyOptions: {
    doc: 'Options of a call that is passed on to a service.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string', doc: 'Path of the call at the service.' },
    },
  },
}
