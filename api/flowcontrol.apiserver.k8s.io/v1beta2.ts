import type { GroupVersionTable } from '../../lib/schema/index.ts'

/** Not served: priority levels that releases before 1.26 stored. */
export const flowcontrolV1beta2: GroupVersionTable = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1beta2',
  protoPackage: 'k8s.io.api.flowcontrol.v1beta2',
  types: {
    LimitedPriorityLevelConfiguration: {
      doc: 'Settings of a level with a limit.',
      fields: {
        assuredConcurrencyShares: { n: 1, type: 'int32', omit: 'never', format: 'int32', doc: "Share of the server's seats, in relation to those of other levels." },
        limitResponse: { n: 2, type: 'flowcontrol.apiserver.k8s.io/v1.LimitResponse', doc: 'Treatment of requests beyond the limit.' },
        lendablePercent: { n: 3, type: '*int32', format: 'int32', doc: 'How many percent of its seats other levels may borrow. Defaults to 0.' },
        borrowingLimitPercent: { n: 4, type: '*int32', format: 'int32', doc: 'Maximum number of borrowed seats, in percent of its own; unset is no limit.' },
      },
    },
    PriorityLevelConfiguration: {
      doc: 'A priority level: how many requests it may run at a time, and the treatment of the others.',
      kind: true,
      earlierVersions: ['v1beta1', 'v1alpha1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'PriorityLevelConfigurationSpec', doc: 'The limits.' },
        status: { n: 3, type: 'flowcontrol.apiserver.k8s.io/v1.PriorityLevelConfigurationStatus', doc: 'State of the level.' },
      },
    },
    PriorityLevelConfigurationSpec: {
      doc: 'Limits of a priority level.',
      unions: [{ discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } }],
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PriorityLevelEnablement', doc: 'Exempt, whose requests never wait, or Limited.' },
        limited: { n: 2, type: '*LimitedPriorityLevelConfiguration', doc: 'Settings of a Limited level.' },
        exempt: { n: 3, type: '*flowcontrol.apiserver.k8s.io/v1.ExemptPriorityLevelConfiguration', doc: 'Settings of an Exempt level.' },
      },
    },
  },
}
