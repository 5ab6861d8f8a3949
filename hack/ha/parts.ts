// The parts of a highly available control plane on one machine, as data: what runs, with which flags.
import { join } from 'node:path'
import { programFile } from '../programfile.ts'

/** One process. */
export interface Part {
  /** `etcd1`, `api2`, `manager1`, `balancer`, `prometheus`. */
  readonly name: string
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly port: number
  /** URL that answers 200 once it works; asked without credentials. Absent: it works when its port is open. */
  readonly health?: string
}

export interface Ports {
  readonly balancer: number
  readonly etcd: readonly EtcdPorts[]
  readonly api: readonly number[]
  readonly managers: readonly number[]
  readonly prometheus: number
}

interface EtcdPorts {
  readonly client: number
  readonly peer: number
  readonly metrics: number
}

export interface Programs {
  readonly etcd: string
  readonly haproxy: string
  readonly prometheus: string
  /** Runs this repository's sources. */
  readonly node: string
  /** The root of this repository. */
  readonly root: string
}

export interface PartOptions {
  /** Flags of every replica, and of every manager. */
  readonly apiFlags?: readonly string[]
  /** Further flags of one replica, by its name. */
  readonly flagsOf?: (name: string) => readonly string[]
  readonly managerFlags?: readonly string[]
  /** Flags of every etcd member. */
  readonly etcdFlags?: readonly string[]
  /** Ports at which replicas reach etcd, instead of the members' own: proxies. */
  readonly etcdPorts?: readonly number[]
  /** Flags of Node and variables of the processes of this project, by the part's name. */
  readonly nodeFlags?: (name: string) => readonly string[]
  readonly environment?: (name: string) => Readonly<Record<string, string>>
}

/** Addresses of documentation (RFC 5737): replicas on one machine need different ones to be distinguished. */
const advertised = (index: number): string => `192.0.2.${index + 1}`

/** In the order in which they are started. */
export function partsOf(folder: string, ports: Ports, programs: Programs, options: PartOptions = {}): readonly Part[] {
  const pki = (file: string): string => join(folder, 'pki', file)
  return [
    ...ports.etcd.map((own, index) => etcdPart(index, own, folder, ports, programs, options)),
    ...ports.api.map((port, index) => apiPart(index, port, pki, ports, programs, options)),
    balancerPart(pki, ports, programs),
    ...ports.managers.map((port, index) => managerPart(index, port, folder, programs, options)),
    {
      name: 'prometheus',
      command: [
        programs.prometheus,
        `--config.file=${join(folder, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(folder, 'prometheus')}`,
        `--web.listen-address=127.0.0.1:${ports.prometheus}`,
      ],
      port: ports.prometheus,
      health: `http://127.0.0.1:${ports.prometheus}/-/ready`,
    },
  ]
}

function etcdPart(
  index: number,
  own: EtcdPorts,
  folder: string,
  { etcd }: Ports,
  programs: Programs,
  { etcdFlags = [] }: PartOptions,
): Part {
  const pki = (file: string): string => join(folder, 'pki/etcd', file)
  const name = (at: number): string => `etcd${at + 1}`
  const client = `https://127.0.0.1:${own.client}`
  const peer = `https://127.0.0.1:${own.peer}`
  return {
    name: name(index),
    command: [
      programs.etcd,
      `--name=${name(index)}`,
      `--data-dir=${join(folder, name(index))}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=${etcd.map(({ peer: port }, at) => `${name(at)}=https://127.0.0.1:${port}`).join(',')}`,
      '--initial-cluster-token=pilothouse-ha',
      `--listen-metrics-urls=http://127.0.0.1:${own.metrics}`,
      `--cert-file=${pki('server.crt')}`,
      `--key-file=${pki('server.key')}`,
      `--trusted-ca-file=${pki('ca.crt')}`,
      '--client-cert-auth',
      `--peer-cert-file=${pki('peer.crt')}`,
      `--peer-key-file=${pki('peer.key')}`,
      `--peer-trusted-ca-file=${pki('ca.crt')}`,
      '--peer-client-cert-auth',
      '--log-level=warn',
      ...etcdFlags,
    ],
    port: own.client,
    health: `http://127.0.0.1:${own.metrics}/health`,
  }
}

function apiPart(
  index: number,
  port: number,
  pki: (file: string) => string,
  { etcd }: Ports,
  programs: Programs,
  {
    apiFlags = [],
    flagsOf = () => [],
    etcdPorts = etcd.map(({ client }) => client),
    nodeFlags,
    environment,
  }: PartOptions,
): Part {
  const name = `api${index + 1}`
  return {
    name,
    environment: environment?.(name) ?? {},
    command: [
      programs.node,
      ...(nodeFlags?.(name) ?? []),
      programFile('cmd/apiserver/main.ts'),
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--advertise-address=${advertised(index)}`,
      `--etcd-servers=${etcdPorts.map((port) => `https://127.0.0.1:${port}`).join(',')}`,
      `--etcd-cafile=${pki('etcd/ca.crt')}`,
      `--etcd-certfile=${pki('apiserver-etcd-client.crt')}`,
      `--etcd-keyfile=${pki('apiserver-etcd-client.key')}`,
      `--client-ca-file=${pki('ca.crt')}`,
      `--tls-cert-file=${pki('apiserver.crt')}`,
      `--tls-private-key-file=${pki('apiserver.key')}`,
      `--service-account-key-file=${pki('sa.pub')}`,
      `--service-account-signing-key-file=${pki('sa.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      '--service-cluster-ip-range=10.0.0.0/24',
      `--requestheader-client-ca-file=${pki('front-proxy-ca.crt')}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      `--proxy-client-cert-file=${pki('front-proxy-client.crt')}`,
      `--proxy-client-key-file=${pki('front-proxy-client.key')}`,
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--enable-bootstrap-token-auth=true',
      // Long enough for the balancer to see that the replica is not ready.
      '--shutdown-delay-duration=5s',
      '--goaway-chance=0.001',
      ...apiFlags,
      ...flagsOf(name),
    ],
    port,
    // Replicas answer this to everybody, but over TLS that the caller must verify: see supervisor.ts.
    health: `https://127.0.0.1:${port}/readyz`,
  }
}

function balancerPart(pki: (file: string) => string, { balancer, api }: Ports, programs: Programs): Part {
  const [api1, api2, api3] = api.map((port) => `127.0.0.1:${port}`)
  return {
    name: 'balancer',
    command: [programs.haproxy, '-db', '-f', join(programs.root, 'deploy/ha/haproxy.cfg')],
    environment: {
      BALANCER: `127.0.0.1:${balancer}`,
      API1: api1 ?? '',
      API2: api2 ?? '',
      API3: api3 ?? '',
      CLUSTER_CA: pki('ca.crt'),
    },
    port: balancer,
    health: `https://127.0.0.1:${balancer}/readyz`,
  }
}

function managerPart(
  index: number,
  port: number,
  folder: string,
  programs: Programs,
  { managerFlags = [], nodeFlags, environment }: PartOptions,
): Part {
  const kubeconfig = join(folder, 'controller-manager.conf')
  const name = `manager${index + 1}`
  const pki = (file: string): string => join(folder, 'pki', file)
  return {
    name,
    environment: environment?.(name) ?? {},
    command: [
      programs.node,
      ...(nodeFlags?.(name) ?? []),
      programFile('cmd/controller-manager/main.ts'),
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${join(folder, name)}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--use-service-account-credentials=true',
      `--root-ca-file=${pki('ca.crt')}`,
      `--service-account-private-key-file=${pki('sa.key')}`,
      `--cluster-signing-cert-file=${pki('ca.crt')}`,
      `--cluster-signing-key-file=${pki('ca.key')}`,
      ...managerFlags,
    ],
    port,
  }
}

/** JSON, which is YAML. */
export function prometheusConfig(folder: string, { etcd, api, managers }: Ports, root: string): string {
  const client = { cert_file: join(folder, 'prometheus.crt'), key_file: join(folder, 'prometheus.key') }
  const targets = (ports: readonly number[]): object[] => [{ targets: ports.map((port) => `127.0.0.1:${port}`) }]
  const config = {
    global: { scrape_interval: '5s', evaluation_interval: '15s' },
    rule_files: [join(root, 'deploy/observe/rules.yaml')],
    scrape_configs: [
      {
        job_name: 'apiserver',
        scheme: 'https',
        tls_config: { ca_file: join(folder, 'pki/ca.crt'), ...client },
        static_configs: targets(api),
      },
      {
        job_name: 'kube-controller-manager',
        scheme: 'https',
        // Managers make their own serving certificates.
        tls_config: { insecure_skip_verify: true, ...client },
        static_configs: targets(managers),
      },
      { job_name: 'etcd', static_configs: targets(etcd.map(({ metrics }) => metrics)) },
    ],
  }
  return JSON.stringify(config, undefined, 2)
}
