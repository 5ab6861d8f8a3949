import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const tracingConfigV1: GroupVersionTable = {
  group: 'tracing.config.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.component_base.tracing.api.v1',
  types: {
    TracingConfiguration: {
      doc: 'Where traces are sent.',
      fields: {
        endpoint: { type: '*string', doc: 'Address of the collector, which speaks OTLP over gRPC. Defaults to localhost:4317.' },
        samplingRatePerMillion: { type: '*int32', format: 'int32', doc: 'Traced requests of a million, in addition to those whose caller requests it. Defaults to 0.' },
      },
    },
  },
}
