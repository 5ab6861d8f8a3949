import type * as flowcontrol from '../../gen/flowcontrol.apiserver.k8s.io/v1.ts'

type Rules = flowcontrol.PolicyRulesWithSubjects

const group = (name: string): flowcontrol.Subject => ({ kind: 'Group', group: { name } })

/** Every request of these subjects. */
export function everythingOf(...subjects: flowcontrol.Subject[]): Rules {
  return {
    subjects,
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  }
}

export const everybody: readonly flowcontrol.Subject[] = [group('system:unauthenticated'), group('system:authenticated')]

/** These must always exist unchanged, or no request would be handled. */
export const mandatorySchemas: Readonly<Record<string, flowcontrol.FlowSchemaSpec>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [everythingOf(group('system:masters'))],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [everythingOf(...everybody)],
  },
}

export const mandatoryLevels: Readonly<Record<string, flowcontrol.PriorityLevelConfigurationSpec>> = {
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  },
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
}
