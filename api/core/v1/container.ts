import type { TypeTable } from '../../../lib/schema/index.ts'

/** Containers and their parts. */
export const containerTypes: Readonly<Record<string, TypeTable>> = {
  AppArmorProfile: {
    doc: 'Source of the profile.',
    unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }],
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'AppArmorProfileType', enum: ['Localhost', 'RuntimeDefault', 'Unconfined'], doc: 'RuntimeDefault, Localhost, or Unconfined for none.' },
      localhostProfile: { n: 2, type: '*string', doc: 'Name of a profile that is loaded on the node; only with Localhost.' },
    },
  },
  Capabilities: {
    doc: 'Linux capabilities of a container.',
    fields: {
      add: { n: 1, type: '[]string', list: 'atomic', alias: 'Capability', doc: 'Capabilities beyond those of the runtime.' },
      drop: { n: 2, type: '[]string', list: 'atomic', alias: 'Capability', doc: 'Capabilities to remove.' },
    },
  },
  ConfigMapEnvSource: {
    doc: 'Environment variables from the entries of a config map.',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      optional: { n: 2, type: '*bool', doc: 'The config map may be missing.' },
    },
  },
  ConfigMapKeySelector: {
    doc: "Names the config map, in the pod's namespace, and the key.",
    map: 'atomic',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      key: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the entry.' },
      optional: { n: 3, type: '*bool', doc: 'The config map or the key may be missing.' },
    },
  },
  Container: {
    doc: 'A container of a pod.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the container, unique in the pod. Cannot be changed.' },
      image: { n: 2, type: 'string', doc: 'Image to run.' },
      command: { n: 3, type: '[]string', list: 'atomic', doc: "Command instead of the image's entry point; $(NAME) is replaced with a variable." },
      args: { n: 4, type: '[]string', list: 'atomic', doc: "Arguments instead of the image's; $(NAME) is replaced with a variable." },
      workingDir: { n: 5, type: 'string', doc: 'Working directory; that of the image when empty.' },
      ports: { n: 6, type: '[]ContainerPort', list: 'map', keys: ['containerPort', 'protocol'], patch: 'merge', patchKey: 'containerPort', doc: 'Ports that the container listens on; mainly for information.' },
      envFrom: { n: 19, type: '[]EnvFromSource', list: 'atomic', doc: 'Sources whose entries all become environment variables; env has precedence, then the last source.' },
      env: { n: 7, type: '[]EnvVar', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Environment variables.' },
      resources: { n: 8, type: 'ResourceRequirements', doc: 'Requests and limits of compute resources.' },
      resizePolicy: { n: 23, type: '[]ContainerResizePolicy', list: 'atomic', gate: ['InPlacePodVerticalScaling'], doc: 'Whether a change of each resource requires a restart.' },
      restartPolicy: { n: 24, type: '*string', alias: 'ContainerRestartPolicy', doc: 'Overrides that of the pod; Always on an init container makes it a sidecar.' },
      restartPolicyRules: { n: 25, type: '[]ContainerRestartRule', list: 'atomic', gate: ['ContainerRestartRules'], doc: 'Rules by exit code with precedence over restartPolicy; the first that matches decides.' },
      volumeMounts: { n: 9, type: '[]VolumeMount', list: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath', doc: 'Volumes to mount in the filesystem.' },
      volumeDevices: { n: 21, type: '[]VolumeDevice', list: 'map', keys: ['devicePath'], patch: 'merge', patchKey: 'devicePath', doc: 'Raw block volumes to make available.' },
      livenessProbe: { n: 10, type: '*Probe', doc: 'Check that the container is alive; it is restarted on failure.' },
      readinessProbe: { n: 11, type: '*Probe', doc: 'Check that the container can serve; on failure, services exclude it.' },
      startupProbe: { n: 22, type: '*Probe', doc: 'Check that the container has started; no other probe runs before it succeeds.' },
      lifecycle: { n: 12, type: '*Lifecycle', doc: 'Actions after the start and before the stop.' },
      terminationMessagePath: { n: 13, type: 'string', doc: "File with the container's termination message, at most 4 KiB. Defaults to /dev/termination-log." },
      terminationMessagePolicy: { n: 20, type: 'string', alias: 'TerminationMessagePolicy', enum: ['FallbackToLogsOnError', 'File'], doc: 'File (the default), or FallbackToLogsOnError to take the end of the log when the file is empty.' },
      imagePullPolicy: { n: 14, type: 'string', alias: 'PullPolicy', enum: ['Always', 'IfNotPresent', 'Never'], doc: 'When to pull. Defaults to Always for the tag latest, to IfNotPresent otherwise.' },
      securityContext: { n: 15, type: '*SecurityContext', doc: 'Security settings; they override those of the pod.' },
      stdin: { n: 16, type: 'bool', doc: 'Keeps a buffer for standard input; otherwise reads meet the end at once. Defaults to false.' },
      stdinOnce: { n: 17, type: 'bool', doc: 'Closes standard input after the first client detaches. Defaults to false.' },
      tty: { n: 18, type: 'bool', doc: 'Gives the container a terminal; needs stdin. Defaults to false.' },
    },
  },
  ContainerExtendedResourceRequest: {
    doc: "Ties a container's extended resource to a request of a claim.",
    fields: {
      containerName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the container.' },
      resourceName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the extended resource.' },
      requestName: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the request in the claim.' },
    },
  },
  ContainerPort: {
    doc: 'A port that a container listens on.',
    fields: {
      name: { n: 1, type: 'string', doc: 'Name to refer to the port by, unique in the pod.' },
      hostPort: { n: 2, type: 'int32', format: 'int32', doc: 'Port of the node that is forwarded to this one; with hostNetwork the same as containerPort.' },
      containerPort: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of the port, 1 to 65535.' },
      protocol: { n: 4, type: 'string', default: 'TCP', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'], doc: 'TCP (the default), UDP or SCTP.' },
      hostIP: { n: 5, type: 'string', doc: 'Address of the node that hostPort is bound to.' },
    },
  },
  ContainerResizePolicy: {
    doc: 'Whether a change of a resource requires a restart.',
    fields: {
      resourceName: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'The resource: cpu or memory.' },
      restartPolicy: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceResizeRestartPolicy', doc: 'NotRequired, or RestartContainer. Defaults to NotRequired.' },
    },
  },
  ContainerRestartRule: {
    doc: 'Action when a container exits in a certain way.',
    fields: {
      action: { n: 1, type: 'string', required: true, alias: 'ContainerRestartRuleAction', doc: 'Restart, or RestartAllContainers of the pod.' },
      exitCodes: { n: 2, type: '*ContainerRestartRuleOnExitCodes', doc: 'Exit codes that the rule is for.' },
    },
  },
  ContainerRestartRuleOnExitCodes: {
    doc: 'A set of exit codes.',
    fields: {
      operator: { n: 1, type: 'string', required: true, alias: 'ContainerRestartRuleOnExitCodesOperator', doc: 'In or NotIn.' },
      values: { n: 2, type: '[]int32', list: 'set', itemFormat: 'int32', doc: 'The exit codes; at most 255.' },
    },
  },
  ContainerState: {
    doc: 'State of a container; exactly one of the fields is set, else it is waiting.',
    fields: {
      waiting: { n: 1, type: '*ContainerStateWaiting', doc: 'It does not run yet.' },
      running: { n: 2, type: '*ContainerStateRunning', doc: 'It runs.' },
      terminated: { n: 3, type: '*ContainerStateTerminated', doc: 'It has ended.' },
    },
  },
  ContainerStateRunning: {
    doc: 'A container that runs.',
    fields: {
      startedAt: { n: 1, type: 'Time', doc: 'When it was last started.' },
    },
  },
  ContainerStateTerminated: {
    doc: 'How it terminated; it may be restarted.',
    fields: {
      exitCode: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Exit code of the last run.' },
      signal: { n: 2, type: 'int32', format: 'int32', doc: 'Signal that ended the last run.' },
      reason: { n: 3, type: 'string', doc: 'Machine-readable cause of the end, such as OOMKilled.' },
      message: { n: 4, type: 'string', doc: "The container's termination message." },
      startedAt: { n: 5, type: 'Time', doc: 'When the last run began.' },
      finishedAt: { n: 6, type: 'Time', doc: 'When the last run ended.' },
      containerID: { n: 7, type: 'string', doc: 'Identifier of the container, as <runtime>://<id>.' },
    },
  },
  ContainerStateWaiting: {
    doc: 'Such as while its image is pulled, or before it is restarted.',
    fields: {
      reason: { n: 1, type: 'string', doc: 'Machine-readable cause, such as ImagePullBackOff.' },
      message: { n: 2, type: 'string', doc: 'Details, for people.' },
    },
  },
  ContainerStatus: {
    doc: 'State of a container.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the container.' },
      state: { n: 2, type: 'ContainerState', doc: 'Present state.' },
      lastState: { n: 3, type: 'ContainerState', doc: 'End of its previous run.' },
      ready: { n: 4, type: 'bool', omit: 'never', required: true, default: false, doc: 'Its readiness probe succeeds, or it runs and has none.' },
      restartCount: { n: 5, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'How often it was restarted, as far as the node remembers.' },
      image: { n: 6, type: 'string', omit: 'never', required: true, default: '', doc: 'Running image; may have another name than in the spec.' },
      imageID: { n: 7, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the image in the runtime.' },
      containerID: { n: 8, type: 'string', doc: 'Identifier of the container, as <runtime>://<id>.' },
      started: { n: 9, type: '*bool', doc: 'Its startup probe has succeeded, or it runs and has none.' },
      allocatedResources: { n: 10, type: 'map[string]Quantity', doc: 'Resources that the node has allocated to it.' },
      resources: { n: 11, type: '*ResourceRequirements', gate: ['InPlacePodVerticalScaling'], doc: 'Requests and limits that are in force.' },
      volumeMounts: { n: 12, type: '[]VolumeMountStatus', list: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath', doc: 'How its volumes are mounted.' },
      user: { n: 13, type: '*ContainerUser', gate: ['SupplementalGroupsPolicy'], doc: 'User of its first process at the start.' },
      allocatedResourcesStatus: { n: 14, type: '[]ResourceStatus', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', gate: ['ResourceHealthStatus'], doc: 'Health of its allocated devices.' },
      stopSignal: { n: 15, type: '*string', alias: 'Signal', enum: ['SIGABRT', 'SIGALRM', 'SIGBUS', 'SIGCHLD', 'SIGCLD', 'SIGCONT', 'SIGFPE', 'SIGHUP', 'SIGILL', 'SIGINT', 'SIGIO', 'SIGIOT', 'SIGKILL', 'SIGPIPE', 'SIGPOLL', 'SIGPROF', 'SIGPWR', 'SIGQUIT', 'SIGRTMAX', 'SIGRTMAX-1', 'SIGRTMAX-10', 'SIGRTMAX-11', 'SIGRTMAX-12', 'SIGRTMAX-13', 'SIGRTMAX-14', 'SIGRTMAX-2', 'SIGRTMAX-3', 'SIGRTMAX-4', 'SIGRTMAX-5', 'SIGRTMAX-6', 'SIGRTMAX-7', 'SIGRTMAX-8', 'SIGRTMAX-9', 'SIGRTMIN', 'SIGRTMIN+1', 'SIGRTMIN+10', 'SIGRTMIN+11', 'SIGRTMIN+12', 'SIGRTMIN+13', 'SIGRTMIN+14', 'SIGRTMIN+15', 'SIGRTMIN+2', 'SIGRTMIN+3', 'SIGRTMIN+4', 'SIGRTMIN+5', 'SIGRTMIN+6', 'SIGRTMIN+7', 'SIGRTMIN+8', 'SIGRTMIN+9', 'SIGSEGV', 'SIGSTKFLT', 'SIGSTOP', 'SIGSYS', 'SIGTERM', 'SIGTRAP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGUSR1', 'SIGUSR2', 'SIGVTALRM', 'SIGWINCH', 'SIGXCPU', 'SIGXFSZ'], gate: ['ContainerStopSignals'], doc: 'Signal that stops it.' },
    },
  },
  ContainerUser: {
    doc: 'Set when the container starts; a process may change it later.',
    fields: {
      linux: { n: 1, type: '*LinuxContainerUser', doc: 'User and groups on Linux.' },
    },
  },
  EnvFromSource: {
    doc: 'A source whose entries all become environment variables.',
    fields: {
      prefix: { n: 1, type: 'string', doc: 'Put before each name.' },
      configMapRef: { n: 2, type: '*ConfigMapEnvSource', doc: 'A config map.' },
      secretRef: { n: 3, type: '*SecretEnvSource', doc: 'A secret.' },
    },
  },
  EnvVar: {
    doc: 'An environment variable.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the variable.' },
      value: { n: 2, type: 'string', doc: 'Value; $(NAME) is replaced with an earlier variable and $$ with $. Defaults to "".' },
      valueFrom: { n: 3, type: '*EnvVarSource', doc: 'Where the value comes from; excludes value.' },
    },
  },
  EnvVarSource: {
    doc: 'Where the value of a variable comes from; exactly one of the fields is set.',
    fields: {
      fieldRef: { n: 1, type: '*ObjectFieldSelector', doc: 'A field of the pod: name, namespace, labels, annotations, node or addresses, among others.' },
      resourceFieldRef: { n: 2, type: '*ResourceFieldSelector', doc: 'A resource limit or request of a container.' },
      configMapKeyRef: { n: 3, type: '*ConfigMapKeySelector', doc: 'An entry of a config map.' },
      secretKeyRef: { n: 4, type: '*SecretKeySelector', doc: 'An entry of a secret.' },
      fileKeyRef: { n: 5, type: '*FileKeySelector', gate: ['EnvFiles'], doc: 'A line of a file that another container of the pod wrote.' },
    },
  },
  EphemeralContainer: {
    doc: 'A container for debugging, added to a running pod. It has no ports, probes or guaranteed resources.',
    fields: {
      ephemeralContainerCommon: { n: 1, type: 'EphemeralContainerCommon', inline: true },
      targetContainerName: { n: 2, type: 'string', doc: 'Container whose processes it sees; only its own when empty.' },
    },
  },
  EphemeralContainerCommon: {
    doc: 'Fields that ephemeral containers share with others.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the container, unique among all containers of the pod.' },
      image: { n: 2, type: 'string', doc: 'Image to run.' },
      command: { n: 3, type: '[]string', list: 'atomic', doc: "Command instead of the image's entry point; $(NAME) is replaced with a variable." },
      args: { n: 4, type: '[]string', list: 'atomic', doc: "Arguments instead of the image's; $(NAME) is replaced with a variable." },
      workingDir: { n: 5, type: 'string', doc: 'Working directory; that of the image when empty.' },
      ports: { n: 6, type: '[]ContainerPort', list: 'map', keys: ['containerPort', 'protocol'], patch: 'merge', patchKey: 'containerPort', doc: 'Not allowed for ephemeral containers.' },
      envFrom: { n: 19, type: '[]EnvFromSource', list: 'atomic', doc: 'Sources whose entries all become environment variables; env has precedence, then the last source.' },
      env: { n: 7, type: '[]EnvVar', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Environment variables.' },
      resources: { n: 8, type: 'ResourceRequirements', doc: 'Not allowed for ephemeral containers; they use what the pod has left.' },
      resizePolicy: { n: 23, type: '[]ContainerResizePolicy', list: 'atomic', gate: ['InPlacePodVerticalScaling'], doc: 'Not allowed for ephemeral containers.' },
      restartPolicy: { n: 24, type: '*string', alias: 'ContainerRestartPolicy', doc: 'Not allowed for ephemeral containers.' },
      restartPolicyRules: { n: 25, type: '[]ContainerRestartRule', list: 'atomic', gate: ['ContainerRestartRules'], doc: 'Not allowed for ephemeral containers.' },
      volumeMounts: { n: 9, type: '[]VolumeMount', list: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath', doc: 'Volumes to mount in the filesystem; without subPath.' },
      volumeDevices: { n: 21, type: '[]VolumeDevice', list: 'map', keys: ['devicePath'], patch: 'merge', patchKey: 'devicePath', doc: 'Raw block volumes to make available.' },
      livenessProbe: { n: 10, type: '*Probe', doc: 'Not allowed for ephemeral containers.' },
      readinessProbe: { n: 11, type: '*Probe', doc: 'Not allowed for ephemeral containers.' },
      startupProbe: { n: 22, type: '*Probe', doc: 'Not allowed for ephemeral containers.' },
      lifecycle: { n: 12, type: '*Lifecycle', doc: 'Not allowed for ephemeral containers.' },
      terminationMessagePath: { n: 13, type: 'string', doc: "File with the container's termination message, at most 4 KiB. Defaults to /dev/termination-log." },
      terminationMessagePolicy: { n: 20, type: 'string', alias: 'TerminationMessagePolicy', enum: ['FallbackToLogsOnError', 'File'], doc: 'File (the default), or FallbackToLogsOnError to take the end of the log when the file is empty.' },
      imagePullPolicy: { n: 14, type: 'string', alias: 'PullPolicy', enum: ['Always', 'IfNotPresent', 'Never'], doc: 'When to pull. Defaults to Always for the tag latest, to IfNotPresent otherwise.' },
      securityContext: { n: 15, type: '*SecurityContext', doc: 'Security settings; they override those of the pod.' },
      stdin: { n: 16, type: 'bool', doc: 'Keeps a buffer for standard input; otherwise reads meet the end at once. Defaults to false.' },
      stdinOnce: { n: 17, type: 'bool', doc: 'Closes standard input after the first client detaches. Defaults to false.' },
      tty: { n: 18, type: 'bool', doc: 'Gives the container a terminal; needs stdin. Defaults to false.' },
    },
  },
  ExecAction: {
    doc: 'A command that is run in a container, without a shell.',
    fields: {
      command: { n: 1, type: '[]string', list: 'atomic', doc: 'The command and its arguments, run without a shell. Exit code 0 is success.' },
    },
  },
  FileKeySelector: {
    doc: 'A line of a file of variables in a volume.',
    map: 'atomic',
    fields: {
      volumeName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: "Name of the pod's volume." },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'File in the volume, as a relative path.' },
      key: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the variable in the file.' },
      optional: { n: 4, type: '*bool', default: false, doc: 'The file or the key may be missing.' },
    },
  },
  GRPCAction: {
    doc: 'A call of the standard health service; the answer must be SERVING.',
    fields: {
      port: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Port of the service, 1 to 65535.' },
      service: { n: 2, type: '*string', omit: 'never', default: '', doc: 'Service to check; "" checks the server as a whole.' },
    },
  },
  HTTPGetAction: {
    doc: 'Sends a GET request; codes from 200 to 399 are success.',
    fields: {
      path: { n: 1, type: 'string', doc: 'Path of the request.' },
      port: { n: 2, type: 'IntOrString', omit: 'never', required: true, doc: 'Port by number or name.' },
      host: { n: 3, type: 'string', doc: 'Host to connect to. Defaults to the address of the pod.' },
      scheme: { n: 4, type: 'string', alias: 'URIScheme', enum: ['HTTP', 'HTTPS'], doc: 'HTTP (the default) or HTTPS.' },
      httpHeaders: { n: 5, type: '[]HTTPHeader', list: 'atomic', doc: 'Headers of the request; names may repeat.' },
    },
  },
  HTTPHeader: {
    doc: 'A header of a request.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the header.' },
      value: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Value of the header.' },
    },
  },
  Lifecycle: {
    doc: 'Actions around the life of a container.',
    fields: {
      postStart: { n: 1, type: '*LifecycleHandler', doc: 'Runs directly after the start; on failure the container is killed.' },
      preStop: { n: 2, type: '*LifecycleHandler', doc: 'Runs before the stop signal, within the grace period.' },
      stopSignal: { n: 3, type: '*string', alias: 'Signal', enum: ['SIGABRT', 'SIGALRM', 'SIGBUS', 'SIGCHLD', 'SIGCLD', 'SIGCONT', 'SIGFPE', 'SIGHUP', 'SIGILL', 'SIGINT', 'SIGIO', 'SIGIOT', 'SIGKILL', 'SIGPIPE', 'SIGPOLL', 'SIGPROF', 'SIGPWR', 'SIGQUIT', 'SIGRTMAX', 'SIGRTMAX-1', 'SIGRTMAX-10', 'SIGRTMAX-11', 'SIGRTMAX-12', 'SIGRTMAX-13', 'SIGRTMAX-14', 'SIGRTMAX-2', 'SIGRTMAX-3', 'SIGRTMAX-4', 'SIGRTMAX-5', 'SIGRTMAX-6', 'SIGRTMAX-7', 'SIGRTMAX-8', 'SIGRTMAX-9', 'SIGRTMIN', 'SIGRTMIN+1', 'SIGRTMIN+10', 'SIGRTMIN+11', 'SIGRTMIN+12', 'SIGRTMIN+13', 'SIGRTMIN+14', 'SIGRTMIN+15', 'SIGRTMIN+2', 'SIGRTMIN+3', 'SIGRTMIN+4', 'SIGRTMIN+5', 'SIGRTMIN+6', 'SIGRTMIN+7', 'SIGRTMIN+8', 'SIGRTMIN+9', 'SIGSEGV', 'SIGSTKFLT', 'SIGSTOP', 'SIGSYS', 'SIGTERM', 'SIGTRAP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGUSR1', 'SIGUSR2', 'SIGVTALRM', 'SIGWINCH', 'SIGXCPU', 'SIGXFSZ'], doc: 'Signal that stops the container; spec.os.name must be set.' },
    },
  },
  LifecycleHandler: {
    doc: 'Action of a lifecycle hook; exactly one of the fields is set.',
    fields: {
      exec: { n: 1, type: '*ExecAction', doc: 'Runs a command in the container.' },
      httpGet: { n: 2, type: '*HTTPGetAction', doc: 'Sends an HTTP request.' },
      tcpSocket: { n: 3, type: '*TCPSocketAction', deprecated: true, doc: 'Deprecated: not supported, and fails when the hook runs.' },
      sleep: { n: 4, type: '*SleepAction', doc: 'Waits.' },
    },
  },
  LinuxContainerUser: {
    doc: 'User and groups of a process.',
    fields: {
      uid: { n: 1, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64', doc: 'User id.' },
      gid: { n: 2, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64', doc: 'Primary group id.' },
      supplementalGroups: { n: 3, type: '[]int64', list: 'atomic', itemFormat: 'int64', doc: 'Further group ids.' },
    },
  },
  ObjectFieldSelector: {
    doc: 'A field of an object.',
    map: 'atomic',
    fields: {
      apiVersion: { n: 1, type: 'string', doc: 'Version that the path is written in. Defaults to v1.' },
      fieldPath: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Path of the field, such as metadata.name.' },
    },
  },
  PodResourceClaim: {
    doc: 'A claim of devices that containers can refer to; one of the two sources is set.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name to refer to the claim by, unique in the pod.' },
      resourceClaimName: { n: 3, type: '*string', doc: 'Name of a claim that exists in the namespace.' },
      resourceClaimTemplateName: { n: 4, type: '*string', doc: 'Template of a claim for this pod; the claim is deleted with the pod.' },
    },
  },
  PodSecurityContext: {
    doc: 'Security settings of a pod; those of a container have precedence.',
    fields: {
      seLinuxOptions: { n: 1, type: '*SELinuxOptions', doc: 'SELinux context of the containers; the runtime picks one when unset.' },
      windowsOptions: { n: 8, type: '*WindowsSecurityContextOptions', doc: 'Settings for Windows.' },
      runAsUser: { n: 2, type: '*int64', format: 'int64', doc: 'User id of the processes; that of the image when unset.' },
      runAsGroup: { n: 6, type: '*int64', format: 'int64', doc: "Primary group id of the processes; the runtime's default when unset." },
      runAsNonRoot: { n: 3, type: '*bool', doc: 'Refuses to start containers that would run as user 0.' },
      supplementalGroups: { n: 4, type: '[]int64', list: 'atomic', itemFormat: 'int64', doc: 'Further group ids of the processes.' },
      supplementalGroupsPolicy: { n: 12, type: '*string', alias: 'SupplementalGroupsPolicy', enum: ['Merge', 'Strict'], gate: ['SupplementalGroupsPolicy'], doc: 'Whether the groups that the image gives its user are added: Merge (the default) or Strict.' },
      fsGroup: { n: 5, type: '*int64', format: 'int64', doc: 'Group that owns the files of volumes that can be owned; all processes get it too.' },
      sysctls: { n: 7, type: '[]Sysctl', list: 'atomic', doc: 'Kernel parameters to set for the pod.' },
      fsGroupChangePolicy: { n: 9, type: '*string', alias: 'PodFSGroupChangePolicy', enum: ['Always', 'OnRootMismatch'], doc: 'Whether ownership is set at each mount: Always (the default) or OnRootMismatch.' },
      seccompProfile: { n: 10, type: '*SeccompProfile', doc: 'Filter of system calls.' },
      appArmorProfile: { n: 11, type: '*AppArmorProfile', doc: 'AppArmor profile of the containers.' },
      seLinuxChangePolicy: { n: 13, type: '*string', alias: 'PodSELinuxChangePolicy', gate: ['SELinuxChangePolicy'], doc: 'How volumes get the SELinux label: MountOption (the default) or Recursive.' },
    },
  },
  Probe: {
    doc: 'A check that is repeated.',
    fields: {
      handler: { n: 1, type: 'ProbeHandler', inline: true },
      initialDelaySeconds: { n: 2, type: 'int32', format: 'int32', doc: 'Seconds from the start to the first check.' },
      timeoutSeconds: { n: 3, type: 'int32', format: 'int32', doc: 'Seconds after which a check has failed. Defaults to 1.' },
      periodSeconds: { n: 4, type: 'int32', format: 'int32', doc: 'Seconds from one check to the next. Defaults to 10.' },
      successThreshold: { n: 5, type: 'int32', format: 'int32', doc: 'Successes in a row that end a failure. Defaults to 1; must be 1 for liveness and startup.' },
      failureThreshold: { n: 6, type: 'int32', format: 'int32', doc: 'Failures in a row to fail. Defaults to 3.' },
      terminationGracePeriodSeconds: { n: 7, type: '*int64', format: 'int64', doc: 'Seconds from the stop signal to the kill after a failure; those of the pod when unset.' },
    },
  },
  ProbeHandler: {
    doc: 'Action of a check; exactly one of the fields is set.',
    fields: {
      exec: { n: 1, type: '*ExecAction', doc: 'Runs a command in the container.' },
      httpGet: { n: 2, type: '*HTTPGetAction', doc: 'Sends an HTTP request.' },
      tcpSocket: { n: 3, type: '*TCPSocketAction', doc: 'Opens a connection.' },
      grpc: { n: 4, type: '*GRPCAction', doc: 'Asks the gRPC health service.' },
    },
  },
  ResourceClaim: {
    doc: "Lets a container use one of the pod's claims.",
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the entry in spec.resourceClaims.' },
      request: { n: 2, type: 'string', doc: 'Request of the claim to use; all of them when empty.' },
    },
  },
  ResourceFieldSelector: {
    doc: 'Names the container and one of its resources.',
    map: 'atomic',
    fields: {
      containerName: { n: 1, type: 'string', doc: 'Name of the container; required in volumes.' },
      resource: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'The resource, such as limits.cpu or requests.memory.' },
      divisor: { n: 3, type: 'Quantity', doc: 'Unit that the value is given in. Defaults to 1.' },
    },
  },
  ResourceHealth: {
    doc: 'Health of one device.',
    fields: {
      resourceID: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceID', doc: 'Identifier of the device.' },
      health: { n: 2, type: 'string', alias: 'ResourceHealthStatus', doc: 'Healthy, Unhealthy or Unknown.' },
      message: { n: 6, type: '*string', gate: ['ResourceHealthStatusMessage'], doc: 'Details, for people.' },
    },
  },
  ResourceRequirements: {
    doc: 'Compute resources of a container.',
    fields: {
      limits: { n: 1, type: 'map[string]Quantity', doc: 'Maximum of each resource.' },
      requests: { n: 2, type: 'map[string]Quantity', doc: 'Guaranteed amount of each resource. Defaults to the limit.' },
      claims: { n: 3, type: '[]ResourceClaim', list: 'map', keys: ['name'], gate: ['DynamicResourceAllocation'], doc: 'Claims of the pod that the container uses.' },
    },
  },
  ResourceStatus: {
    doc: "Health of one of a container's resources.",
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, or claim:<claim>/<request>.' },
      resources: { n: 2, type: '[]ResourceHealth', list: 'map', keys: ['resourceID'], doc: 'One entry a device.' },
    },
  },
  SELinuxOptions: {
    doc: 'The label user:role:type:level by which the kernel checks access.',
    fields: {
      user: { n: 1, type: 'string', doc: 'User part.' },
      role: { n: 2, type: 'string', doc: 'Role part.' },
      type: { n: 3, type: 'string', doc: 'Type part.' },
      level: { n: 4, type: 'string', doc: 'Level part.' },
    },
  },
  SeccompProfile: {
    doc: 'Which system calls are allowed.',
    unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }],
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'SeccompProfileType', enum: ['Localhost', 'RuntimeDefault', 'Unconfined'], doc: 'RuntimeDefault, Localhost, or Unconfined for none.' },
      localhostProfile: { n: 2, type: '*string', doc: "File with the profile, below the node's directory for them; only with Localhost." },
    },
  },
  SecretEnvSource: {
    doc: 'Environment variables from the entries of a secret.',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      optional: { n: 2, type: '*bool', doc: 'The secret may be missing.' },
    },
  },
  SecretKeySelector: {
    doc: "Names the secret, in the pod's namespace, and the key.",
    map: 'atomic',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      key: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the entry.' },
      optional: { n: 3, type: '*bool', doc: 'The secret or the key may be missing.' },
    },
  },
  SecurityContext: {
    doc: "Permissions of a container's processes.",
    fields: {
      capabilities: { n: 1, type: '*Capabilities', doc: 'Linux capabilities to add and drop.' },
      privileged: { n: 2, type: '*bool', doc: 'Runs with the rights of root on the node. Defaults to false.' },
      seLinuxOptions: { n: 3, type: '*SELinuxOptions', doc: 'SELinux context of the container.' },
      windowsOptions: { n: 10, type: '*WindowsSecurityContextOptions', doc: 'Settings for Windows.' },
      runAsUser: { n: 4, type: '*int64', format: 'int64', doc: 'User id of the processes; that of the image when unset.' },
      runAsGroup: { n: 8, type: '*int64', format: 'int64', doc: "Primary group id of the processes; the runtime's default when unset." },
      runAsNonRoot: { n: 5, type: '*bool', doc: 'Refuses to start containers that would run as user 0.' },
      readOnlyRootFilesystem: { n: 6, type: '*bool', doc: "Mounts the container's own filesystem read-only. Defaults to false." },
      allowPrivilegeEscalation: { n: 7, type: '*bool', doc: 'Whether a process can gain more privileges than its parent; always true when privileged.' },
      procMount: { n: 9, type: '*string', alias: 'ProcMountType', enum: ['Default', 'Unmasked'], doc: 'How /proc is masked: Default, or Unmasked for none.' },
      seccompProfile: { n: 11, type: '*SeccompProfile', doc: 'Filter of system calls.' },
      appArmorProfile: { n: 12, type: '*AppArmorProfile', doc: 'AppArmor profile of the container.' },
    },
  },
  SleepAction: {
    doc: 'A pause.',
    fields: {
      seconds: { n: 1, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64', doc: 'Seconds to wait.' },
    },
  },
  TCPSocketAction: {
    doc: 'A connection that is opened and closed again.',
    fields: {
      port: { n: 1, type: 'IntOrString', omit: 'never', required: true, doc: 'Port by number or name.' },
      host: { n: 2, type: 'string', doc: 'Host to connect to. Defaults to the address of the pod.' },
    },
  },
  WindowsSecurityContextOptions: {
    doc: 'Not allowed for pods of Linux.',
    fields: {
      gmsaCredentialSpecName: { n: 1, type: '*string', doc: 'Name of the GMSA credential spec.' },
      gmsaCredentialSpec: { n: 2, type: '*string', doc: 'The GMSA credential spec itself, filled in by a webhook.' },
      runAsUserName: { n: 3, type: '*string', doc: 'User that the processes run as; that of the image when unset.' },
      hostProcess: { n: 4, type: '*bool', doc: 'Runs on the host itself; all containers of a pod alike, and with hostNetwork.' },
    },
  },
}
