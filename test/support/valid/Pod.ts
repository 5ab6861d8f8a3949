import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    activeDeadlineSeconds: 60,
    terminationGracePeriodSeconds: 10,
    restartPolicy: 'Always',
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['1.1.1.1'], searches: ['a.b'], options: [{ name: 'o' }] },
    nodeSelector: { k: 'v' },
    serviceAccountName: 'sa',
    nodeName: 'n',
    hostname: 'h',
    subdomain: 's',
    os: { name: 'linux' },
    preemptionPolicy: 'PreemptLowerPriority',
    hostPID: true,
    shareProcessNamespace: false,
    hostAliases: [{ ip: '1.2.3.4', hostnames: ['h'] }],
    readinessGates: [{ conditionType: 'a.b/c' }],
    securityContext: {
      runAsUser: 1,
      runAsGroup: 1,
      fsGroup: 1,
      fsGroupChangePolicy: 'Always',
      supplementalGroups: [1],
      supplementalGroupsPolicy: 'Merge',
      sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }],
      seccompProfile: { type: 'Localhost', localhostProfile: 'p' },
    },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }],
              matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: 'k', operator: 'Gt', values: ['1'] }] } },
        ],
      },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'k', labelSelector: { matchLabels: { a: 'b' } }, namespaces: ['default'] },
        ],
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: 'k', labelSelector: { matchLabels: { a: 'b' } } } },
        ],
      },
    },
    tolerations: [
      { key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 10 },
      { key: 'k2', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 },
    ],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 't',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { a: 'b' } },
        minDomains: 2,
        nodeAffinityPolicy: 'Honor',
        nodeTaintsPolicy: 'Honor',
      },
    ],
    initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always', readinessProbe: { tcpSocket: { port: 80 } } }],
    containers: [
      {
        name: 'c',
        image: 'i',
        ports: [{ name: 'p', containerPort: 80, hostPort: 80, hostIP: '1.2.3.4', protocol: 'TCP' }],
        env: [
          { name: 'A', value: 'b' },
          { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
          { name: 'D', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
          { name: 'E', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
        ],
        envFrom: [{ configMapRef: { name: 'c' } }],
        resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
        volumeMounts: [
          { name: 'v', mountPath: '/m', mountPropagation: 'None', readOnly: true, recursiveReadOnly: 'Disabled' },
          { name: 'e', mountPath: '/e' },
        ],
        volumeDevices: [{ name: 'pvc', devicePath: '/dev/x' }],
        livenessProbe: {
          httpGet: { path: '/', port: 80, scheme: 'HTTP', httpHeaders: [{ name: 'H', value: 'v' }] },
          initialDelaySeconds: 1,
          timeoutSeconds: 1,
          periodSeconds: 1,
          failureThreshold: 1,
          successThreshold: 1,
          terminationGracePeriodSeconds: 1,
        },
        readinessProbe: { exec: { command: ['c'] } },
        startupProbe: { grpc: { port: 80 } },
        lifecycle: { postStart: { tcpSocket: { port: 80 } }, preStop: { sleep: { seconds: 3 } } },
        imagePullPolicy: 'Always',
        terminationMessagePolicy: 'File',
        securityContext: {
          privileged: false,
          allowPrivilegeEscalation: false,
          capabilities: { add: ['X'] },
          procMount: 'Default',
          runAsUser: 1,
          seccompProfile: { type: 'RuntimeDefault' },
          appArmorProfile: { type: 'RuntimeDefault' },
        },
      },
    ],
    volumes: [
      { name: 'v', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'e', hostPath: { path: '/p', type: 'Directory' } },
      { name: 'pvc', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'v3', configMap: { name: 'c', defaultMode: 420, items: [{ key: 'k', path: 'p', mode: 420 }] } },
      { name: 'v4', secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } },
      {
        name: 'v5',
        downwardAPI: {
          items: [
            { path: 'p', fieldRef: { fieldPath: 'metadata.labels' } },
            { path: 'q', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } },
          ],
        },
      },
      {
        name: 'v6',
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { path: 't', expirationSeconds: 3600 } },
            { secret: { name: 's' } },
            { configMap: { name: 'c' } },
          ],
        },
      },
      { name: 'v7', nfs: { server: 's', path: '/p' } },
      { name: 'v8', csi: { driver: 'd.x', nodePublishSecretRef: { name: 's' } } },
      {
        name: 'eph',
        ephemeral: {
          volumeClaimTemplate: {
            spec: {
              accessModes: ['ReadWriteOnce'],
              volumeMode: 'Filesystem',
              resources: { requests: { storage: '1Gi' } },
            },
          },
        },
      },
      { name: 'v10', image: { reference: 'i', pullPolicy: 'Always' } },
      { name: 'v11', iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2000-01.com.e:x', lun: 0 } },
      { name: 'v12', fc: { targetWWNs: ['w'], lun: 0 } },
    ],
  },
}
