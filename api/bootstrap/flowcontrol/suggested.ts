import type * as flowcontrol from '../../gen/flowcontrol.apiserver.k8s.io/v1.ts'
import { everybody, everythingOf } from './mandatory.ts'

const nodes: flowcontrol.Subject = { kind: 'Group', group: { name: 'system:nodes' } }
const controllerManager: flowcontrol.Subject = { kind: 'User', user: { name: 'system:kube-controller-manager' } }
const scheduler: flowcontrol.Subject = { kind: 'User', user: { name: 'system:kube-scheduler' } }
const systemAccounts: flowcontrol.Subject = {
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'kube-system', name: '*' },
}
const allAccounts: flowcontrol.Subject = { kind: 'Group', group: { name: 'system:serviceaccounts' } }

function schema(
  level: string,
  matchingPrecedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  rules: flowcontrol.PolicyRulesWithSubjects,
): flowcontrol.FlowSchemaSpec {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(distinguisher ? { distinguisherMethod: { type: distinguisher } } : {}),
    rules: [rules],
  }
}

const leases = (verbs: string[]): flowcontrol.ResourcePolicyRule => ({
  verbs,
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  namespaces: ['*'],
})

/** The initial flow schemas of a cluster; administrators may change them. In the order in which they are created. */
export const suggestedSchemas: Readonly<Record<string, flowcontrol.FlowSchemaSpec>> = {
  'system-nodes': schema('system', 500, 'ByUser', everythingOf(nodes)),
  'system-node-high': schema('node-high', 400, 'ByUser', {
    subjects: [nodes],
    resourceRules: [
      { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
      leases(['*']),
    ],
  }),
  probes: schema('exempt', 2, undefined, {
    subjects: [...everybody],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  'system-leader-election': schema('leader-election', 100, 'ByUser', {
    subjects: [controllerManager, scheduler, systemAccounts],
    resourceRules: [leases(['get', 'create', 'update'])],
  }),
  'kube-controller-manager': schema('workload-high', 800, 'ByNamespace', everythingOf(controllerManager)),
  'kube-scheduler': schema('workload-high', 800, 'ByNamespace', everythingOf(scheduler)),
  'kube-system-service-accounts': schema('workload-high', 900, 'ByNamespace', everythingOf(systemAccounts)),
  'service-accounts': schema('workload-low', 9000, 'ByUser', everythingOf(allAccounts)),
  'global-default': schema('global-default', 9900, 'ByUser', everythingOf(...everybody)),
}

function level(
  nominalConcurrencyShares: number,
  lendablePercent: number,
  [queues, handSize]: readonly [number, number],
): flowcontrol.PriorityLevelConfigurationSpec {
  const queuing = { queues, handSize, queueLengthLimit: 50 }
  return {
    type: 'Limited',
    limited: { nominalConcurrencyShares, limitResponse: { type: 'Queue', queuing }, lendablePercent },
  }
}

/** The initial priority levels of a cluster. */
export const suggestedLevels: Readonly<Record<string, flowcontrol.PriorityLevelConfigurationSpec>> = {
  system: level(30, 33, [64, 6]),
  'node-high': level(40, 25, [64, 6]),
  'leader-election': level(10, 0, [16, 4]),
  'workload-high': level(40, 50, [128, 6]),
  'workload-low': level(100, 90, [128, 6]),
  'global-default': level(20, 50, [128, 6]),
}
