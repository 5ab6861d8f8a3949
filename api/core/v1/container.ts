import type { TypeTable } from '../../../lib/schema/index.ts'

/** Containers and what stands inside them. */
export const containerTypes: Readonly<Record<string, TypeTable>> = {
  AppArmorProfile: {
    unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }],
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'AppArmorProfileType', enum: ['Localhost', 'RuntimeDefault', 'Unconfined'] },
      localhostProfile: { n: 2, type: '*string' },
    },
  },
  Capabilities: {
    fields: {
      add: { n: 1, type: '[]string', list: 'atomic', alias: 'Capability' },
      drop: { n: 2, type: '[]string', list: 'atomic', alias: 'Capability' },
    },
  },
  ConfigMapEnvSource: {
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      optional: { n: 2, type: '*bool' },
    },
  },
  ConfigMapKeySelector: {
    map: 'atomic',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      key: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      optional: { n: 3, type: '*bool' },
    },
  },
  Container: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      image: { n: 2, type: 'string' },
      command: { n: 3, type: '[]string', list: 'atomic' },
      args: { n: 4, type: '[]string', list: 'atomic' },
      workingDir: { n: 5, type: 'string' },
      ports: { n: 6, type: '[]ContainerPort', list: 'map', keys: ['containerPort', 'protocol'], patch: 'merge', patchKey: 'containerPort' },
      envFrom: { n: 19, type: '[]EnvFromSource', list: 'atomic' },
      env: { n: 7, type: '[]EnvVar', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      resources: { n: 8, type: 'ResourceRequirements' },
      resizePolicy: { n: 23, type: '[]ContainerResizePolicy', list: 'atomic', gate: ['InPlacePodVerticalScaling'] },
      restartPolicy: { n: 24, type: '*string', alias: 'ContainerRestartPolicy' },
      restartPolicyRules: { n: 25, type: '[]ContainerRestartRule', list: 'atomic', gate: ['ContainerRestartRules'] },
      volumeMounts: { n: 9, type: '[]VolumeMount', list: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' },
      volumeDevices: { n: 21, type: '[]VolumeDevice', list: 'map', keys: ['devicePath'], patch: 'merge', patchKey: 'devicePath' },
      livenessProbe: { n: 10, type: '*Probe' },
      readinessProbe: { n: 11, type: '*Probe' },
      startupProbe: { n: 22, type: '*Probe' },
      lifecycle: { n: 12, type: '*Lifecycle' },
      terminationMessagePath: { n: 13, type: 'string' },
      terminationMessagePolicy: { n: 20, type: 'string', alias: 'TerminationMessagePolicy', enum: ['FallbackToLogsOnError', 'File'] },
      imagePullPolicy: { n: 14, type: 'string', alias: 'PullPolicy', enum: ['Always', 'IfNotPresent', 'Never'] },
      securityContext: { n: 15, type: '*SecurityContext' },
      stdin: { n: 16, type: 'bool' },
      stdinOnce: { n: 17, type: 'bool' },
      tty: { n: 18, type: 'bool' },
    },
  },
  ContainerExtendedResourceRequest: {
    fields: {
      containerName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      resourceName: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      requestName: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  ContainerPort: {
    fields: {
      name: { n: 1, type: 'string' },
      hostPort: { n: 2, type: 'int32', format: 'int32' },
      containerPort: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      protocol: { n: 4, type: 'string', default: 'TCP', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'] },
      hostIP: { n: 5, type: 'string' },
    },
  },
  ContainerResizePolicy: {
    fields: {
      resourceName: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
      restartPolicy: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceResizeRestartPolicy' },
    },
  },
  ContainerRestartRule: {
    fields: {
      action: { n: 1, type: 'string', required: true, alias: 'ContainerRestartRuleAction' },
      exitCodes: { n: 2, type: '*ContainerRestartRuleOnExitCodes' },
    },
  },
  ContainerRestartRuleOnExitCodes: {
    fields: {
      operator: { n: 1, type: 'string', required: true, alias: 'ContainerRestartRuleOnExitCodesOperator' },
      values: { n: 2, type: '[]int32', list: 'set', itemFormat: 'int32' },
    },
  },
  ContainerState: {
    fields: {
      waiting: { n: 1, type: '*ContainerStateWaiting' },
      running: { n: 2, type: '*ContainerStateRunning' },
      terminated: { n: 3, type: '*ContainerStateTerminated' },
    },
  },
  ContainerStateRunning: {
    fields: {
      startedAt: { n: 1, type: 'Time' },
    },
  },
  ContainerStateTerminated: {
    fields: {
      exitCode: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      signal: { n: 2, type: 'int32', format: 'int32' },
      reason: { n: 3, type: 'string' },
      message: { n: 4, type: 'string' },
      startedAt: { n: 5, type: 'Time' },
      finishedAt: { n: 6, type: 'Time' },
      containerID: { n: 7, type: 'string' },
    },
  },
  ContainerStateWaiting: {
    fields: {
      reason: { n: 1, type: 'string' },
      message: { n: 2, type: 'string' },
    },
  },
  ContainerStatus: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      state: { n: 2, type: 'ContainerState' },
      lastState: { n: 3, type: 'ContainerState' },
      ready: { n: 4, type: 'bool', omit: 'never', required: true, default: false },
      restartCount: { n: 5, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      image: { n: 6, type: 'string', omit: 'never', required: true, default: '' },
      imageID: { n: 7, type: 'string', omit: 'never', required: true, default: '' },
      containerID: { n: 8, type: 'string' },
      started: { n: 9, type: '*bool' },
      allocatedResources: { n: 10, type: 'map[string]Quantity' },
      resources: { n: 11, type: '*ResourceRequirements', gate: ['InPlacePodVerticalScaling'] },
      volumeMounts: { n: 12, type: '[]VolumeMountStatus', list: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' },
      user: { n: 13, type: '*ContainerUser', gate: ['SupplementalGroupsPolicy'] },
      allocatedResourcesStatus: { n: 14, type: '[]ResourceStatus', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', gate: ['ResourceHealthStatus'] },
      stopSignal: { n: 15, type: '*string', alias: 'Signal', enum: ['SIGABRT', 'SIGALRM', 'SIGBUS', 'SIGCHLD', 'SIGCLD', 'SIGCONT', 'SIGFPE', 'SIGHUP', 'SIGILL', 'SIGINT', 'SIGIO', 'SIGIOT', 'SIGKILL', 'SIGPIPE', 'SIGPOLL', 'SIGPROF', 'SIGPWR', 'SIGQUIT', 'SIGRTMAX', 'SIGRTMAX-1', 'SIGRTMAX-10', 'SIGRTMAX-11', 'SIGRTMAX-12', 'SIGRTMAX-13', 'SIGRTMAX-14', 'SIGRTMAX-2', 'SIGRTMAX-3', 'SIGRTMAX-4', 'SIGRTMAX-5', 'SIGRTMAX-6', 'SIGRTMAX-7', 'SIGRTMAX-8', 'SIGRTMAX-9', 'SIGRTMIN', 'SIGRTMIN+1', 'SIGRTMIN+10', 'SIGRTMIN+11', 'SIGRTMIN+12', 'SIGRTMIN+13', 'SIGRTMIN+14', 'SIGRTMIN+15', 'SIGRTMIN+2', 'SIGRTMIN+3', 'SIGRTMIN+4', 'SIGRTMIN+5', 'SIGRTMIN+6', 'SIGRTMIN+7', 'SIGRTMIN+8', 'SIGRTMIN+9', 'SIGSEGV', 'SIGSTKFLT', 'SIGSTOP', 'SIGSYS', 'SIGTERM', 'SIGTRAP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGUSR1', 'SIGUSR2', 'SIGVTALRM', 'SIGWINCH', 'SIGXCPU', 'SIGXFSZ'], gate: ['ContainerStopSignals'] },
    },
  },
  ContainerUser: {
    fields: {
      linux: { n: 1, type: '*LinuxContainerUser' },
    },
  },
  EnvFromSource: {
    fields: {
      prefix: { n: 1, type: 'string' },
      configMapRef: { n: 2, type: '*ConfigMapEnvSource' },
      secretRef: { n: 3, type: '*SecretEnvSource' },
    },
  },
  EnvVar: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      value: { n: 2, type: 'string' },
      valueFrom: { n: 3, type: '*EnvVarSource' },
    },
  },
  EnvVarSource: {
    fields: {
      fieldRef: { n: 1, type: '*ObjectFieldSelector' },
      resourceFieldRef: { n: 2, type: '*ResourceFieldSelector' },
      configMapKeyRef: { n: 3, type: '*ConfigMapKeySelector' },
      secretKeyRef: { n: 4, type: '*SecretKeySelector' },
      fileKeyRef: { n: 5, type: '*FileKeySelector', gate: ['EnvFiles'] },
    },
  },
  EphemeralContainer: {
    fields: {
      ephemeralContainerCommon: { n: 1, type: 'EphemeralContainerCommon', inline: true },
      targetContainerName: { n: 2, type: 'string' },
    },
  },
  EphemeralContainerCommon: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      image: { n: 2, type: 'string' },
      command: { n: 3, type: '[]string', list: 'atomic' },
      args: { n: 4, type: '[]string', list: 'atomic' },
      workingDir: { n: 5, type: 'string' },
      ports: { n: 6, type: '[]ContainerPort', list: 'map', keys: ['containerPort', 'protocol'], patch: 'merge', patchKey: 'containerPort' },
      envFrom: { n: 19, type: '[]EnvFromSource', list: 'atomic' },
      env: { n: 7, type: '[]EnvVar', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      resources: { n: 8, type: 'ResourceRequirements' },
      resizePolicy: { n: 23, type: '[]ContainerResizePolicy', list: 'atomic', gate: ['InPlacePodVerticalScaling'] },
      restartPolicy: { n: 24, type: '*string', alias: 'ContainerRestartPolicy' },
      restartPolicyRules: { n: 25, type: '[]ContainerRestartRule', list: 'atomic', gate: ['ContainerRestartRules'] },
      volumeMounts: { n: 9, type: '[]VolumeMount', list: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' },
      volumeDevices: { n: 21, type: '[]VolumeDevice', list: 'map', keys: ['devicePath'], patch: 'merge', patchKey: 'devicePath' },
      livenessProbe: { n: 10, type: '*Probe' },
      readinessProbe: { n: 11, type: '*Probe' },
      startupProbe: { n: 22, type: '*Probe' },
      lifecycle: { n: 12, type: '*Lifecycle' },
      terminationMessagePath: { n: 13, type: 'string' },
      terminationMessagePolicy: { n: 20, type: 'string', alias: 'TerminationMessagePolicy', enum: ['FallbackToLogsOnError', 'File'] },
      imagePullPolicy: { n: 14, type: 'string', alias: 'PullPolicy', enum: ['Always', 'IfNotPresent', 'Never'] },
      securityContext: { n: 15, type: '*SecurityContext' },
      stdin: { n: 16, type: 'bool' },
      stdinOnce: { n: 17, type: 'bool' },
      tty: { n: 18, type: 'bool' },
    },
  },
  ExecAction: {
    fields: {
      command: { n: 1, type: '[]string', list: 'atomic' },
    },
  },
  FileKeySelector: {
    map: 'atomic',
    fields: {
      volumeName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      key: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      optional: { n: 4, type: '*bool', default: false },
    },
  },
  GRPCAction: {
    fields: {
      port: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      service: { n: 2, type: '*string', omit: 'never', default: '' },
    },
  },
  HTTPGetAction: {
    fields: {
      path: { n: 1, type: 'string' },
      port: { n: 2, type: 'IntOrString', omit: 'never', required: true },
      host: { n: 3, type: 'string' },
      scheme: { n: 4, type: 'string', alias: 'URIScheme', enum: ['HTTP', 'HTTPS'] },
      httpHeaders: { n: 5, type: '[]HTTPHeader', list: 'atomic' },
    },
  },
  HTTPHeader: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      value: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  Lifecycle: {
    fields: {
      postStart: { n: 1, type: '*LifecycleHandler' },
      preStop: { n: 2, type: '*LifecycleHandler' },
      stopSignal: { n: 3, type: '*string', alias: 'Signal', enum: ['SIGABRT', 'SIGALRM', 'SIGBUS', 'SIGCHLD', 'SIGCLD', 'SIGCONT', 'SIGFPE', 'SIGHUP', 'SIGILL', 'SIGINT', 'SIGIO', 'SIGIOT', 'SIGKILL', 'SIGPIPE', 'SIGPOLL', 'SIGPROF', 'SIGPWR', 'SIGQUIT', 'SIGRTMAX', 'SIGRTMAX-1', 'SIGRTMAX-10', 'SIGRTMAX-11', 'SIGRTMAX-12', 'SIGRTMAX-13', 'SIGRTMAX-14', 'SIGRTMAX-2', 'SIGRTMAX-3', 'SIGRTMAX-4', 'SIGRTMAX-5', 'SIGRTMAX-6', 'SIGRTMAX-7', 'SIGRTMAX-8', 'SIGRTMAX-9', 'SIGRTMIN', 'SIGRTMIN+1', 'SIGRTMIN+10', 'SIGRTMIN+11', 'SIGRTMIN+12', 'SIGRTMIN+13', 'SIGRTMIN+14', 'SIGRTMIN+15', 'SIGRTMIN+2', 'SIGRTMIN+3', 'SIGRTMIN+4', 'SIGRTMIN+5', 'SIGRTMIN+6', 'SIGRTMIN+7', 'SIGRTMIN+8', 'SIGRTMIN+9', 'SIGSEGV', 'SIGSTKFLT', 'SIGSTOP', 'SIGSYS', 'SIGTERM', 'SIGTRAP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGUSR1', 'SIGUSR2', 'SIGVTALRM', 'SIGWINCH', 'SIGXCPU', 'SIGXFSZ'] },
    },
  },
  LifecycleHandler: {
    fields: {
      exec: { n: 1, type: '*ExecAction' },
      httpGet: { n: 2, type: '*HTTPGetAction' },
      tcpSocket: { n: 3, type: '*TCPSocketAction', deprecated: true },
      sleep: { n: 4, type: '*SleepAction' },
    },
  },
  LinuxContainerUser: {
    fields: {
      uid: { n: 1, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64' },
      gid: { n: 2, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64' },
      supplementalGroups: { n: 3, type: '[]int64', list: 'atomic', itemFormat: 'int64' },
    },
  },
  ObjectFieldSelector: {
    map: 'atomic',
    fields: {
      apiVersion: { n: 1, type: 'string' },
      fieldPath: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  PodResourceClaim: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      resourceClaimName: { n: 3, type: '*string' },
      resourceClaimTemplateName: { n: 4, type: '*string' },
    },
  },
  PodSecurityContext: {
    fields: {
      seLinuxOptions: { n: 1, type: '*SELinuxOptions' },
      windowsOptions: { n: 8, type: '*WindowsSecurityContextOptions' },
      runAsUser: { n: 2, type: '*int64', format: 'int64' },
      runAsGroup: { n: 6, type: '*int64', format: 'int64' },
      runAsNonRoot: { n: 3, type: '*bool' },
      supplementalGroups: { n: 4, type: '[]int64', list: 'atomic', itemFormat: 'int64' },
      supplementalGroupsPolicy: { n: 12, type: '*string', alias: 'SupplementalGroupsPolicy', enum: ['Merge', 'Strict'], gate: ['SupplementalGroupsPolicy'] },
      fsGroup: { n: 5, type: '*int64', format: 'int64' },
      sysctls: { n: 7, type: '[]Sysctl', list: 'atomic' },
      fsGroupChangePolicy: { n: 9, type: '*string', alias: 'PodFSGroupChangePolicy', enum: ['Always', 'OnRootMismatch'] },
      seccompProfile: { n: 10, type: '*SeccompProfile' },
      appArmorProfile: { n: 11, type: '*AppArmorProfile' },
      seLinuxChangePolicy: { n: 13, type: '*string', alias: 'PodSELinuxChangePolicy', gate: ['SELinuxChangePolicy'] },
    },
  },
  Probe: {
    fields: {
      handler: { n: 1, type: 'ProbeHandler', inline: true },
      initialDelaySeconds: { n: 2, type: 'int32', format: 'int32' },
      timeoutSeconds: { n: 3, type: 'int32', format: 'int32' },
      periodSeconds: { n: 4, type: 'int32', format: 'int32' },
      successThreshold: { n: 5, type: 'int32', format: 'int32' },
      failureThreshold: { n: 6, type: 'int32', format: 'int32' },
      terminationGracePeriodSeconds: { n: 7, type: '*int64', format: 'int64' },
    },
  },
  ProbeHandler: {
    fields: {
      exec: { n: 1, type: '*ExecAction' },
      httpGet: { n: 2, type: '*HTTPGetAction' },
      tcpSocket: { n: 3, type: '*TCPSocketAction' },
      grpc: { n: 4, type: '*GRPCAction' },
    },
  },
  ResourceClaim: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      request: { n: 2, type: 'string' },
    },
  },
  ResourceFieldSelector: {
    map: 'atomic',
    fields: {
      containerName: { n: 1, type: 'string' },
      resource: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      divisor: { n: 3, type: 'Quantity' },
    },
  },
  ResourceHealth: {
    fields: {
      resourceID: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceID' },
      health: { n: 2, type: 'string', alias: 'ResourceHealthStatus' },
      message: { n: 6, type: '*string', gate: ['ResourceHealthStatusMessage'] },
    },
  },
  ResourceRequirements: {
    fields: {
      limits: { n: 1, type: 'map[string]Quantity' },
      requests: { n: 2, type: 'map[string]Quantity' },
      claims: { n: 3, type: '[]ResourceClaim', list: 'map', keys: ['name'], gate: ['DynamicResourceAllocation'] },
    },
  },
  ResourceStatus: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
      resources: { n: 2, type: '[]ResourceHealth', list: 'map', keys: ['resourceID'] },
    },
  },
  SELinuxOptions: {
    fields: {
      user: { n: 1, type: 'string' },
      role: { n: 2, type: 'string' },
      type: { n: 3, type: 'string' },
      level: { n: 4, type: 'string' },
    },
  },
  SeccompProfile: {
    unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }],
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'SeccompProfileType', enum: ['Localhost', 'RuntimeDefault', 'Unconfined'] },
      localhostProfile: { n: 2, type: '*string' },
    },
  },
  SecretEnvSource: {
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      optional: { n: 2, type: '*bool' },
    },
  },
  SecretKeySelector: {
    map: 'atomic',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      key: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      optional: { n: 3, type: '*bool' },
    },
  },
  SecurityContext: {
    fields: {
      capabilities: { n: 1, type: '*Capabilities' },
      privileged: { n: 2, type: '*bool' },
      seLinuxOptions: { n: 3, type: '*SELinuxOptions' },
      windowsOptions: { n: 10, type: '*WindowsSecurityContextOptions' },
      runAsUser: { n: 4, type: '*int64', format: 'int64' },
      runAsGroup: { n: 8, type: '*int64', format: 'int64' },
      runAsNonRoot: { n: 5, type: '*bool' },
      readOnlyRootFilesystem: { n: 6, type: '*bool' },
      allowPrivilegeEscalation: { n: 7, type: '*bool' },
      procMount: { n: 9, type: '*string', alias: 'ProcMountType', enum: ['Default', 'Unmasked'] },
      seccompProfile: { n: 11, type: '*SeccompProfile' },
      appArmorProfile: { n: 12, type: '*AppArmorProfile' },
    },
  },
  SleepAction: {
    fields: {
      seconds: { n: 1, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64' },
    },
  },
  TCPSocketAction: {
    fields: {
      port: { n: 1, type: 'IntOrString', omit: 'never', required: true },
      host: { n: 2, type: 'string' },
    },
  },
  WindowsSecurityContextOptions: {
    fields: {
      gmsaCredentialSpecName: { n: 1, type: '*string' },
      gmsaCredentialSpec: { n: 2, type: '*string' },
      runAsUserName: { n: 3, type: '*string' },
      hostProcess: { n: 4, type: '*bool' },
    },
  },
}
