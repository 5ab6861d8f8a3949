import { mastersGroup } from '../../../lib/request/index.ts'

/** As kubeadm since 1.29: a ClusterRoleBinding of this name grants it the role cluster-admin. */
export const adminsGroup = 'kubeadm:cluster-admins'

/** The authorities of a cluster, below the folder, in kubeadm's layout. */
export const authorities = {
  ca: { path: 'pki/ca', commonName: 'kubernetes' },
  'etcd-ca': { path: 'pki/etcd/ca', commonName: 'etcd-ca' },
  'front-proxy-ca': { path: 'pki/front-proxy-ca', commonName: 'front-proxy-ca' },
} as const

export type AuthorityName = keyof typeof authorities

/** The server whose names are in a serving certificate. */
type Serving = 'apiserver' | 'etcd'

interface Leaf {
  readonly authority: AuthorityName
  readonly commonName: string
  readonly organizations?: readonly string[]
  readonly usage: 'client' | 'server' | 'both'
  readonly names?: Serving
}

/** A certificate and its key, as `path.crt` and `path.key`. */
export interface CertificateEntry extends Leaf {
  readonly path: string
}

/** A kubeconfig with an embedded client certificate. */
export interface KubeconfigEntry extends Leaf {
  readonly file: string
}

export const certificates: Readonly<Record<string, CertificateEntry>> = {
  apiserver: {
    path: 'pki/apiserver',
    authority: 'ca',
    commonName: 'kube-apiserver',
    usage: 'server',
    names: 'apiserver',
  },
  'apiserver-kubelet-client': {
    path: 'pki/apiserver-kubelet-client',
    authority: 'ca',
    commonName: 'kube-apiserver-kubelet-client',
    organizations: [adminsGroup],
    usage: 'client',
  },
  'front-proxy-client': {
    path: 'pki/front-proxy-client',
    authority: 'front-proxy-ca',
    commonName: 'front-proxy-client',
    usage: 'client',
  },
  'etcd-server': { path: 'pki/etcd/server', authority: 'etcd-ca', commonName: 'etcd', usage: 'both', names: 'etcd' },
  'etcd-peer': { path: 'pki/etcd/peer', authority: 'etcd-ca', commonName: 'etcd', usage: 'both', names: 'etcd' },
  'etcd-healthcheck-client': {
    path: 'pki/etcd/healthcheck-client',
    authority: 'etcd-ca',
    commonName: 'kube-etcd-healthcheck-client',
    usage: 'client',
  },
  'apiserver-etcd-client': {
    path: 'pki/apiserver-etcd-client',
    authority: 'etcd-ca',
    commonName: 'kube-apiserver-etcd-client',
    usage: 'client',
  },
}

export const kubeconfigs: Readonly<Record<string, KubeconfigEntry>> = {
  'admin.conf': {
    file: 'admin.conf',
    authority: 'ca',
    commonName: 'kubernetes-admin',
    organizations: [adminsGroup],
    usage: 'client',
  },
  // For the first binding and for emergencies: it needs no binding.
  'super-admin.conf': {
    file: 'super-admin.conf',
    authority: 'ca',
    commonName: 'kubernetes-super-admin',
    organizations: [mastersGroup],
    usage: 'client',
  },
  'controller-manager.conf': {
    file: 'controller-manager.conf',
    authority: 'ca',
    commonName: 'system:kube-controller-manager',
    usage: 'client',
  },
  'scheduler.conf': { file: 'scheduler.conf', authority: 'ca', commonName: 'system:kube-scheduler', usage: 'client' },
}

/** The pair that signs service account tokens: `sa.key` and `sa.pub`. */
export const accountKeyPath = 'pki/sa'
