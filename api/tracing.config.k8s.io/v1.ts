import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const tracingConfigV1: GroupVersionTable = {
  group: 'tracing.config.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.component_base.tracing.api.v1',
  types: {
    TracingConfiguration: {
      fields: {
        endpoint: { type: '*string' },
        samplingRatePerMillion: { type: '*int32', format: 'int32' },
      },
    },
  },
}
