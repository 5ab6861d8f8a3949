import type { DefaultBinding } from './form.ts'

/** Bindings of cluster roles in the whole cluster, by name. */
export const clusterRoleBindings: Readonly<Record<string, DefaultBinding>> = {
  'cluster-admin': ['cluster-admin', 'group system:masters'],
  'system:monitoring': ['system:monitoring', 'group system:monitoring'],
  'system:discovery': ['system:discovery', 'group system:authenticated'],
  'system:basic-user': ['system:basic-user', 'group system:authenticated'],
  'system:public-info-viewer': [
    'system:public-info-viewer',
    'group system:authenticated',
    'group system:unauthenticated',
  ],
  'system:node-proxier': ['system:node-proxier', 'user system:kube-proxy'],
  'system:kube-controller-manager': ['system:kube-controller-manager', 'user system:kube-controller-manager'],
  'system:kube-dns': ['system:kube-dns', 'account kube-system/kube-dns'],
  'system:kube-scheduler': ['system:kube-scheduler', 'user system:kube-scheduler'],
  'system:volume-scheduler': ['system:volume-scheduler', 'user system:kube-scheduler'],
  'system:node': ['system:node'],
  'system:service-account-issuer-discovery': [
    'system:service-account-issuer-discovery',
    'group system:serviceaccounts',
  ],
}
