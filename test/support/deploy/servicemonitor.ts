const text = { type: 'string' }
const secretKey = {
  type: 'object',
  required: ['key'],
  properties: { name: text, key: text, optional: { type: 'boolean' } },
}
const secretOrConfigMap = { type: 'object', properties: { secret: secretKey, configMap: secretKey } }

/**
 * The Prometheus operator's ServiceMonitor as far as deploy/ uses it: fields that are not here are refused by strict validation,
 * so fields that deploy/ begins to use have to be added, as the operator's own definition has it.
 */
export const serviceMonitorDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'servicemonitors.monitoring.coreos.com',
    annotations: { 'api-approved.kubernetes.io': 'unapproved, a part of it for tests' },
  },
  spec: {
    group: 'monitoring.coreos.com',
    scope: 'Namespaced',
    names: {
      kind: 'ServiceMonitor',
      listKind: 'ServiceMonitorList',
      plural: 'servicemonitors',
      singular: 'servicemonitor',
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['endpoints', 'selector'],
                properties: {
                  selector: {
                    type: 'object',
                    properties: { matchLabels: { type: 'object', additionalProperties: text } },
                  },
                  endpoints: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: {
                        port: text,
                        scheme: { type: 'string', enum: ['http', 'https'] },
                        interval: {
                          type: 'string',
                          pattern:
                            '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
                        },
                        tlsConfig: {
                          type: 'object',
                          properties: {
                            ca: secretOrConfigMap,
                            cert: secretOrConfigMap,
                            keySecret: secretKey,
                            serverName: text,
                            insecureSkipVerify: { type: 'boolean' },
                          },
                        },
                        relabelings: {
                          type: 'array',
                          items: {
                            type: 'object',
                            properties: { targetLabel: text, replacement: text },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
}
