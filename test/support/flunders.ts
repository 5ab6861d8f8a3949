/** Defines the resource that a server behind another one serves in tests. */
export const flunderDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'flunders.wardle.example.com' },
  spec: {
    group: 'wardle.example.com',
    scope: 'Namespaced',
    names: { plural: 'flunders', singular: 'flunder', kind: 'Flunder', shortNames: ['fl'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer', maximum: 9, description: 'How large it is.' } },
              },
            },
          },
        },
      },
    ],
  },
}
