// A kubelet in a machine: its configuration, and how it joins a cluster by a bootstrap token.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine, Service } from './machine.ts'
import type { NodePrograms } from './programs.ts'

export interface ClusterAccess {
  /** `https://10.97.0.1:6443` */
  readonly server: string
  /** PEM; verifies the API server. */
  readonly caCertificate: string
  /** PEM; verifies the clients of kubelets. Default: the same. */
  readonly clientAuthority?: string
  /** `abcdef.0123456789abcdef` */
  readonly bootstrapToken: string
}

export interface KubeletOptions {
  /** `unix:///…` of the container runtime. */
  readonly endpoint: string
  readonly podsMax?: number
  /** More fields of its configuration file. */
  readonly configuration?: Readonly<Record<string, unknown>>
  readonly flags?: readonly string[]
}

/** Folder of static pods. */
export function manifestFolder(machine: Machine): string {
  return join(machine.folder, 'manifests')
}

/** Starts the kubelet; with the same folder again it goes on as the node that it was. */
export function startKubelet(
  machine: Machine,
  programs: NodePrograms,
  access: ClusterAccess,
  options: KubeletOptions,
): Service {
  const folder = machine.folder
  const file = (name: string): string => join(folder, name)
  mkdirSync(manifestFolder(machine), { recursive: true })
  writeFileSync(file('ca.crt'), access.caCertificate)
  writeFileSync(file('client-ca.crt'), access.clientAuthority ?? access.caCertificate)
  writeFileSync(file('resolv.conf'), '')
  writeFileSync(file('bootstrap.conf'), kubeconfigOf(access, file('ca.crt')), { mode: 0o600 })
  writeFileSync(file('kubelet.json'), JSON.stringify(configurationOf(machine, programs, options), undefined, 2))
  const isRemoteFlag = (programs.release[1] ?? 0) < 27
  return machine.start(
    'kubelet',
    [
      programs.kubelet,
      `--config=${file('kubelet.json')}`,
      `--bootstrap-kubeconfig=${file('bootstrap.conf')}`,
      `--kubeconfig=${file('kubelet.conf')}`,
      `--cert-dir=${file('pki')}`,
      `--hostname-override=${machine.name}`,
      `--node-ip=${machine.address}`,
      ...(isRemoteFlag ? ['--container-runtime=remote'] : []),
      `--container-runtime-endpoint=${options.endpoint}`,
      '--v=2',
      ...(options.flags ?? []),
    ],
    programs.environment,
  )
}

function kubeconfigOf({ server, bootstrapToken }: ClusterAccess, caFile: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster: { server, 'certificate-authority': caFile } }],
    users: [{ name: 'bootstrap', user: { token: bootstrapToken } }],
    contexts: [{ name: 'bootstrap', context: { cluster: 'cluster', user: 'bootstrap' } }],
    'current-context': 'bootstrap',
  })
}

function configurationOf(machine: Machine, programs: NodePrograms, options: KubeletOptions): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: machine.address,
    staticPodPath: manifestFolder(machine),
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true, cacheTTL: '0s' },
      x509: { clientCAFile: join(machine.folder, 'client-ca.crt') },
    },
    authorization: { mode: 'Webhook', webhook: { cacheAuthorizedTTL: '0s', cacheUnauthorizedTTL: '0s' } },
    rotateCertificates: true,
    serverTLSBootstrap: true,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${machine.cgroup}`,
    ...((programs.release[1] ?? 0) >= 35 ? { failCgroupV1: false } : {}),
    failSwapOn: false,
    resolvConf: join(machine.folder, 'resolv.conf'),
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    podCIDR: machine.podRange,
    maxPods: options.podsMax ?? 110,
    // Short enough for a test, and far from what this costs a busy machine.
    nodeStatusUpdateFrequency: '4s',
    nodeStatusReportFrequency: '30s',
    syncFrequency: '10s',
    fileCheckFrequency: '2s',
    volumeStatsAggPeriod: '30s',
    // The disk is this machine's, and its owner's.
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '100Mi', 'imagefs.available': '100Mi' },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    ...options.configuration,
  }
}
