import type { TypeTable } from '../../../lib/schema/index.ts'

/** Options of connections to pods, nodes and services. */
export const connectTypes: Readonly<Record<string, TypeTable>> = {
  NodeProxyOptions: {
    doc: 'Options of a request that is forwarded to a node.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string', doc: 'Path of the request at the node.' },
    },
  },
  PodAttachOptions: {
    doc: 'Options of attaching to a running container.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      stdin: { n: 1, type: 'bool', doc: 'Forwards standard input. Defaults to false.' },
      stdout: { n: 2, type: 'bool', doc: 'Forwards standard output. Defaults to true.' },
      stderr: { n: 3, type: 'bool', doc: 'Forwards standard error. Defaults to true.' },
      tty: { n: 4, type: 'bool', doc: 'Attaches to a terminal. Defaults to false.' },
      container: { n: 5, type: 'string', doc: 'Name of the container; may be empty when the pod has a single one.' },
    },
  },
  PodExecOptions: {
    doc: 'Options of running a command in a container.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      stdin: { n: 1, type: 'bool', doc: 'Forwards standard input. Defaults to false.' },
      stdout: { n: 2, type: 'bool', doc: 'Forwards standard output. Defaults to true.' },
      stderr: { n: 3, type: 'bool', doc: 'Forwards standard error. Defaults to true.' },
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
      follow: { n: 2, type: 'bool', doc: 'Continues with later lines. Defaults to false.' },
      previous: { n: 3, type: 'bool', doc: "Reads the log of the container's previous run. Defaults to false." },
      sinceSeconds: { n: 4, type: '*int64', format: 'int64', doc: 'Only lines of the last so many seconds; excludes sinceTime.' },
      sinceTime: { n: 5, type: '*Time', doc: 'Only lines since then; excludes sinceSeconds.' },
      timestamps: { n: 6, type: 'bool', doc: 'Puts a time before each line. Defaults to false.' },
      tailLines: { n: 7, type: '*int64', format: 'int64', doc: 'Only so many lines from the end.' },
      limitBytes: { n: 8, type: '*int64', format: 'int64', doc: 'Stops after so many bytes.' },
      insecureSkipTLSVerifyBackend: { n: 9, type: 'bool', doc: 'Does not verify the certificate of the node: the log may be forged.' },
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
    doc: 'Options of a request that is forwarded to a pod.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string', doc: 'Path of the request at the pod.' },
    },
  },
  ServiceProxyOptions: {
    doc: 'Options of a request that is forwarded to a service.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      path: { n: 1, type: 'string', doc: 'Path of the request at the service.' },
    },
  },
}
