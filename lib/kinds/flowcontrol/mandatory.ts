import type * as flowcontrol from '../../../api/gen/flowcontrol.apiserver.k8s.io/v1.ts'

/** What must always be there, as it is, or no request would be handled. */

const everything: Omit<flowcontrol.PolicyRulesWithSubjects, 'subjects'> = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
}

const group = (name: string): flowcontrol.Subject => ({ kind: 'Group', group: { name } })

export const mandatorySchemas: Readonly<Record<string, flowcontrol.FlowSchemaSpec>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [{ subjects: [group('system:masters')], ...everything }],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ subjects: [group('system:unauthenticated'), group('system:authenticated')], ...everything }],
  },
}

export const mandatoryLevels: Readonly<Record<string, flowcontrol.PriorityLevelConfigurationSpec>> = {
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  },
}
