import type { DefaultBinding, DefaultRole } from './form.ts'

/** Roles within a namespace, by namespace and name. */
export const roles: Readonly<Record<string, Readonly<Record<string, DefaultRole>>>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': {
      rules: [
        ['get list watch', 'core', 'configmaps'],
        ['update', 'core', 'configmaps', 'cluster-info'],
        ['create patch update', 'core events.k8s.io', 'events'],
      ],
    },
  },
  'kube-system': {
    'extension-apiserver-authentication-reader': {
      rules: [
        ['get list watch', 'core', 'configmaps', 'extension-apiserver-authentication'],
      ],
    },
    'system:controller:bootstrap-signer': {
      rules: [
        ['get list watch', 'core', 'secrets'],
      ],
    },
    'system:controller:cloud-provider': {
      rules: [
        ['create get list watch', 'core', 'configmaps'],
      ],
    },
    'system:controller:token-cleaner': {
      rules: [
        ['delete get list watch', 'core', 'secrets'],
        ['create patch update', 'core events.k8s.io', 'events'],
      ],
    },
    'system::leader-locking-kube-controller-manager': {
      rules: [
        ['create get list update watch', 'coordination.k8s.io', 'leases'],
        ['create get list update watch', 'coordination.k8s.io', 'leasecandidates'],
      ],
    },
    'system::leader-locking-kube-scheduler': {
      rules: [
        ['create get list update watch', 'coordination.k8s.io', 'leases'],
        ['create get list update watch', 'coordination.k8s.io', 'leasecandidates'],
      ],
    },
  },
}

/** The bindings of these roles. */
export const roleBindings: Readonly<Record<string, Readonly<Record<string, DefaultBinding>>>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': [
      'system:controller:bootstrap-signer',
      'account kube-system/bootstrap-signer',
    ],
  },
  'kube-system': {
    'system::extension-apiserver-authentication-reader': [
      'extension-apiserver-authentication-reader',
      'user system:kube-controller-manager',
      'user system:kube-scheduler',
    ],
    'system::leader-locking-kube-controller-manager': [
      'system::leader-locking-kube-controller-manager',
      'user system:kube-controller-manager',
      'account kube-system/kube-controller-manager',
      'account kube-system/leader-election-controller',
    ],
    'system::leader-locking-kube-scheduler': [
      'system::leader-locking-kube-scheduler',
      'user system:kube-scheduler',
      'account kube-system/kube-scheduler',
    ],
    'system:controller:bootstrap-signer': [
      'system:controller:bootstrap-signer',
      'account kube-system/bootstrap-signer',
    ],
    'system:controller:cloud-provider': [
      'system:controller:cloud-provider',
      'account kube-system/cloud-provider',
    ],
    'system:controller:token-cleaner': ['system:controller:token-cleaner', 'account kube-system/token-cleaner'],
  },
}
