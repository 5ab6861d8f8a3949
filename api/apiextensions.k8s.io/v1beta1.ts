import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiextensionsV1beta1: GroupVersionTable = {
  group: 'apiextensions.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1beta1',
  types: {
    ConversionRequest: {
      fields: {
        uid: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'UID' },
        desiredAPIVersion: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        objects: { n: 3, type: '[]RawExtension', omit: 'never', required: true, list: 'atomic' },
      },
    },
    ConversionResponse: {
      fields: {
        uid: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'UID' },
        convertedObjects: { n: 2, type: '[]RawExtension', omit: 'never', required: true, list: 'atomic' },
        result: { n: 3, type: 'meta/v1.Status', omit: 'never', required: true },
      },
    },
    ConversionReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        request: { n: 1, type: '*ConversionRequest' },
        response: { n: 2, type: '*ConversionResponse' },
      },
    },
    CustomResourceColumnDefinition: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        type: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        format: { n: 3, type: 'string' },
        description: { n: 4, type: 'string' },
        priority: { n: 5, type: 'int32', format: 'int32' },
        JSONPath: { n: 6, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    CustomResourceConversion: {
      fields: {
        strategy: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ConversionStrategyType' },
        webhookClientConfig: { n: 2, type: '*WebhookClientConfig' },
        conversionReviewVersions: { n: 3, type: '[]string', list: 'atomic' },
      },
    },
    CustomResourceDefinition: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'CustomResourceDefinitionSpec', omit: 'never', required: true },
        status: { n: 3, type: 'CustomResourceDefinitionStatus' },
      },
    },
    CustomResourceDefinitionCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'CustomResourceDefinitionConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        lastTransitionTime: { n: 3, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
        observedGeneration: { n: 6, type: 'int64', format: 'int64', gate: ['CRDObservedGenerationTracking'] },
      },
    },
    CustomResourceDefinitionList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]CustomResourceDefinition', omit: 'never', required: true },
      },
    },
    CustomResourceDefinitionNames: {
      fields: {
        plural: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        singular: { n: 2, type: 'string' },
        shortNames: { n: 3, type: '[]string', list: 'atomic' },
        kind: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
        listKind: { n: 5, type: 'string' },
        categories: { n: 6, type: '[]string', list: 'atomic' },
      },
    },
    CustomResourceDefinitionSpec: {
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        version: { n: 2, type: 'string', deprecated: true },
        names: { n: 3, type: 'CustomResourceDefinitionNames', omit: 'never', required: true },
        scope: { n: 4, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceScope' },
        validation: { n: 5, type: '*CustomResourceValidation' },
        subresources: { n: 6, type: '*CustomResourceSubresources' },
        versions: { n: 7, type: '[]CustomResourceDefinitionVersion', list: 'atomic' },
        additionalPrinterColumns: { n: 8, type: '[]CustomResourceColumnDefinition', list: 'atomic' },
        conversion: { n: 9, type: '*CustomResourceConversion' },
        preserveUnknownFields: { n: 10, type: '*bool', deprecated: true },
        selectableFields: { n: 11, type: '[]SelectableField', list: 'atomic', gate: ['CustomResourceFieldSelectors'] },
      },
    },
    CustomResourceDefinitionStatus: {
      fields: {
        conditions: { n: 1, type: '[]CustomResourceDefinitionCondition', omit: 'never', list: 'map', keys: ['type'] },
        acceptedNames: { n: 2, type: 'CustomResourceDefinitionNames', omit: 'never' },
        storedVersions: { n: 3, type: '[]string', omit: 'never', list: 'atomic' },
        observedGeneration: { n: 4, type: 'int64', format: 'int64', gate: ['CRDObservedGenerationTracking'] },
      },
    },
    CustomResourceDefinitionVersion: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        served: { n: 2, type: 'bool', omit: 'never', required: true, default: false },
        storage: { n: 3, type: 'bool', omit: 'never', required: true, default: false },
        schema: { n: 4, type: '*CustomResourceValidation' },
        subresources: { n: 5, type: '*CustomResourceSubresources' },
        additionalPrinterColumns: { n: 6, type: '[]CustomResourceColumnDefinition', list: 'atomic' },
        deprecated: { n: 7, type: 'bool', deprecated: true },
        deprecationWarning: { n: 8, type: '*string', deprecated: true },
        selectableFields: { n: 9, type: '[]SelectableField', list: 'atomic', gate: ['CustomResourceFieldSelectors'] },
      },
    },
    CustomResourceSubresourceScale: {
      fields: {
        specReplicasPath: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        statusReplicasPath: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        labelSelectorPath: { n: 3, type: '*string' },
      },
    },
    CustomResourceSubresourceStatus: {
      fields: {},
    },
    CustomResourceSubresources: {
      fields: {
        status: { n: 1, type: '*CustomResourceSubresourceStatus' },
        scale: { n: 2, type: '*CustomResourceSubresourceScale' },
      },
    },
    CustomResourceValidation: {
      fields: {
        openAPIV3Schema: { n: 1, type: '*JSONSchemaProps' },
      },
    },
    ExternalDocumentation: {
      fields: {
        description: { n: 1, type: 'string' },
        url: { n: 2, type: 'string' },
      },
    },
    JSONSchemaProps: {
      fields: {
        id: { n: 1, type: 'string' },
        $schema: { n: 2, type: 'string', protoName: 'schema', alias: 'JSONSchemaURL' },
        $ref: { n: 3, type: '*string', protoName: 'ref' },
        description: { n: 4, type: 'string' },
        type: { n: 5, type: 'string' },
        format: { n: 6, type: 'string' },
        title: { n: 7, type: 'string' },
        default: { n: 8, type: '*JSON' },
        maximum: { n: 9, type: '*double', format: 'double' },
        exclusiveMaximum: { n: 10, type: 'bool' },
        minimum: { n: 11, type: '*double', format: 'double' },
        exclusiveMinimum: { n: 12, type: 'bool' },
        maxLength: { n: 13, type: '*int64', format: 'int64' },
        minLength: { n: 14, type: '*int64', format: 'int64' },
        pattern: { n: 15, type: 'string' },
        maxItems: { n: 16, type: '*int64', format: 'int64' },
        minItems: { n: 17, type: '*int64', format: 'int64' },
        uniqueItems: { n: 18, type: 'bool' },
        multipleOf: { n: 19, type: '*double', format: 'double' },
        enum: { n: 20, type: '[]JSON', list: 'atomic' },
        maxProperties: { n: 21, type: '*int64', format: 'int64' },
        minProperties: { n: 22, type: '*int64', format: 'int64' },
        required: { n: 23, type: '[]string', list: 'atomic' },
        items: { n: 24, type: '*JSONSchemaPropsOrArray' },
        allOf: { n: 25, type: '[]JSONSchemaProps', list: 'atomic' },
        oneOf: { n: 26, type: '[]JSONSchemaProps', list: 'atomic' },
        anyOf: { n: 27, type: '[]JSONSchemaProps', list: 'atomic' },
        not: { n: 28, type: '*JSONSchemaProps' },
        properties: { n: 29, type: 'map[string]JSONSchemaProps' },
        additionalProperties: { n: 30, type: '*JSONSchemaPropsOrBool' },
        patternProperties: { n: 31, type: 'map[string]JSONSchemaProps' },
        dependencies: { n: 32, type: 'map[string]JSONSchemaPropsOrStringArray', alias: 'JSONSchemaDependencies' },
        additionalItems: { n: 33, type: '*JSONSchemaPropsOrBool' },
        definitions: { n: 34, type: 'map[string]JSONSchemaProps', alias: 'JSONSchemaDefinitions' },
        externalDocs: { n: 35, type: '*ExternalDocumentation' },
        example: { n: 36, type: '*JSON' },
        nullable: { n: 37, type: 'bool' },
        'x-kubernetes-preserve-unknown-fields': { n: 38, type: '*bool', protoName: 'xKubernetesPreserveUnknownFields' },
        'x-kubernetes-embedded-resource': { n: 39, type: 'bool', protoName: 'xKubernetesEmbeddedResource' },
        'x-kubernetes-int-or-string': { n: 40, type: 'bool', protoName: 'xKubernetesIntOrString' },
        'x-kubernetes-list-map-keys': { n: 41, type: '[]string', protoName: 'xKubernetesListMapKeys', list: 'atomic' },
        'x-kubernetes-list-type': { n: 42, type: '*string', protoName: 'xKubernetesListType' },
        'x-kubernetes-map-type': { n: 43, type: '*string', protoName: 'xKubernetesMapType' },
        'x-kubernetes-validations': { n: 44, type: '[]ValidationRule', protoName: 'xKubernetesValidations', list: 'map', keys: ['rule'], patch: 'merge', patchKey: 'rule', alias: 'ValidationRules' },
      },
    },
    JSONSchemaPropsOrArray: {
      wrapper: 'schemaOrList',
      fields: {
        schema: { n: 1, type: '*JSONSchemaProps' },
        jSONSchemas: { n: 2, type: '[]JSONSchemaProps' },
      },
    },
    JSONSchemaPropsOrBool: {
      wrapper: 'schemaOrBool',
      fields: {
        allows: { n: 1, type: 'bool' },
        schema: { n: 2, type: '*JSONSchemaProps' },
      },
    },
    JSONSchemaPropsOrStringArray: {
      wrapper: 'schemaOrStrings',
      fields: {
        schema: { n: 1, type: '*JSONSchemaProps' },
        property: { n: 2, type: '[]string' },
      },
    },
    SelectableField: {
      fields: {
        jsonPath: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    ServiceReference: {
      fields: {
        namespace: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        path: { n: 3, type: '*string' },
        port: { n: 4, type: '*int32', format: 'int32' },
      },
    },
    ValidationRule: {
      fields: {
        rule: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        message: { n: 2, type: 'string' },
        messageExpression: { n: 3, type: 'string' },
        reason: { n: 4, type: '*string', alias: 'FieldValueErrorReason', enum: ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'] },
        fieldPath: { n: 5, type: 'string' },
        optionalOldSelf: { n: 6, type: '*bool', gate: ['CRDValidationRatcheting'] },
      },
    },
    WebhookClientConfig: {
      fields: {
        service: { n: 1, type: '*ServiceReference' },
        caBundle: { n: 2, type: 'bytes', format: 'byte' },
        url: { n: 3, type: '*string' },
      },
    },
  },
}
