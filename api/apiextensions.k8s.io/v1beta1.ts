import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiextensionsV1beta1: GroupVersionTable = {
  group: 'apiextensions.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1beta1',
  types: {
    ConversionRequest: {
      doc: 'Objects to convert to another version.',
      fields: {
        uid: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'Identifier of the call; the answer must repeat it.' },
        desiredAPIVersion: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Group version to convert to.' },
        objects: { n: 3, type: '[]RawExtension', omit: 'never', required: true, list: 'atomic', doc: 'The objects.' },
      },
    },
    ConversionResponse: {
      doc: 'Converted objects, or the reason of a failure.',
      fields: {
        uid: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'Identifier of the call, repeated.' },
        convertedObjects: { n: 2, type: '[]RawExtension', omit: 'never', required: true, list: 'atomic', doc: 'The converted objects, in the order of the request; only labels and annotations of metadata may differ.' },
        result: { n: 3, type: 'meta/v1.Status', omit: 'never', required: true, doc: 'Success, or the reason of a failure.' },
      },
    },
    ConversionReview: {
      doc: 'A call to a conversion webhook and its answer.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        request: { n: 1, type: '*ConversionRequest', doc: 'The call.' },
        response: { n: 2, type: '*ConversionResponse', doc: 'The answer.' },
      },
    },
    CustomResourceColumnDefinition: {
      doc: 'A column in tables of the objects.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Heading of the column.' },
        type: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'OpenAPI type of the cells: string, integer, number, boolean or date.' },
        format: { n: 3, type: 'string', doc: "OpenAPI format that refines the type; name marks the column with the object's name." },
        description: { n: 4, type: 'string', doc: 'Description of the column.' },
        priority: { n: 5, type: 'int32', format: 'int32', doc: '0 for columns that always show; higher ones show in wide output.' },
        JSONPath: { n: 6, type: 'string', omit: 'never', required: true, default: '', doc: "Simple JSON path of the cell's value in the object." },
      },
    },
    CustomResourceConversion: {
      doc: 'With a single version, objects are never converted.',
      fields: {
        strategy: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ConversionStrategyType', doc: 'None, which only changes apiVersion, or Webhook.' },
        webhookClientConfig: { n: 2, type: '*WebhookClientConfig', doc: 'How to connect to the webhook; required for Webhook.' },
        conversionReviewVersions: { n: 3, type: '[]string', list: 'atomic', doc: 'Versions of ConversionReview that the webhook accepts, the preferred first.' },
      },
    },
    CustomResourceDefinition: {
      doc: 'Defines a resource that the server then serves; its name is <plural>.<group>.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'CustomResourceDefinitionSpec', omit: 'never', required: true, doc: 'The resource.' },
        status: { n: 3, type: 'CustomResourceDefinitionStatus', doc: 'Whether the resource is served.' },
      },
    },
    CustomResourceDefinitionCondition: {
      doc: 'One aspect of a definition, such as Established or NamesAccepted.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'CustomResourceDefinitionConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        lastTransitionTime: { n: 3, type: 'Time', doc: 'When the status last changed from one value to another.' },
        reason: { n: 4, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 5, type: 'string', doc: 'Details of the last change, for people.' },
        observedGeneration: { n: 6, type: 'int64', format: 'int64', gate: ['CRDObservedGenerationTracking'], doc: 'Generation of the object that the condition was derived from.' },
      },
    },
    CustomResourceDefinitionList: {
      doc: 'A list of CustomResourceDefinition objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]CustomResourceDefinition', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    CustomResourceDefinitionNames: {
      doc: 'Each must be unique among the resources of the group.',
      fields: {
        plural: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Plural name, as in paths; lower case.' },
        singular: { n: 2, type: 'string', doc: 'Singular name. Defaults to kind in lower case.' },
        shortNames: { n: 3, type: '[]string', list: 'atomic', doc: 'Abbreviations that clients accept.' },
        kind: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the kind, in CamelCase.' },
        listKind: { n: 5, type: 'string', doc: 'Name of the kind of lists. Defaults to kind followed by List.' },
        categories: { n: 6, type: '[]string', list: 'atomic', doc: 'Groups of resources to list this one under, such as all.' },
      },
    },
    CustomResourceDefinitionSpec: {
      doc: 'Group, plural name, kind and scope cannot be changed once established.',
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'API group of the resource.' },
        version: { n: 2, type: 'string', deprecated: true, doc: 'Deprecated: first of versions; use versions.' },
        names: { n: 3, type: 'CustomResourceDefinitionNames', omit: 'never', required: true, doc: 'Names of the resource and its kind.' },
        scope: { n: 4, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceScope', doc: 'Cluster or Namespaced.' },
        validation: { n: 5, type: '*CustomResourceValidation', doc: 'Schema of all versions; excludes those of the versions.' },
        subresources: { n: 6, type: '*CustomResourceSubresources', doc: 'Subresources of all versions; excludes those of the versions.' },
        versions: { n: 7, type: '[]CustomResourceDefinitionVersion', list: 'atomic', doc: 'Versions of the resource; exactly one is stored.' },
        additionalPrinterColumns: { n: 8, type: '[]CustomResourceColumnDefinition', list: 'atomic', doc: 'Columns of tables, for all versions; excludes those of the versions.' },
        conversion: { n: 9, type: '*CustomResourceConversion', doc: 'How objects are converted between versions.' },
        preserveUnknownFields: { n: 10, type: '*bool', deprecated: true, doc: 'Deprecated: keeps fields that are not in the schema; set it in the schema instead.' },
        selectableFields: { n: 11, type: '[]SelectableField', list: 'atomic', gate: ['CustomResourceFieldSelectors'], doc: 'Fields that field selectors can use, for all versions; at most 8.' },
      },
    },
    CustomResourceDefinitionStatus: {
      doc: 'State of a definition.',
      fields: {
        conditions: { n: 1, type: '[]CustomResourceDefinitionCondition', omit: 'never', list: 'map', keys: ['type'], doc: "Aspects of the definition's state, such as Established." },
        acceptedNames: { n: 2, type: 'CustomResourceDefinitionNames', omit: 'never', doc: 'Names that are served; may differ from spec after changes and in conflicts.' },
        storedVersions: { n: 3, type: '[]string', omit: 'never', list: 'atomic', doc: 'Versions in which objects were ever stored; a version must be removed here before it is removed from spec.' },
        observedGeneration: { n: 4, type: 'int64', format: 'int64', gate: ['CRDObservedGenerationTracking'], doc: 'Newest generation of the object that its controller has acted on.' },
      },
    },
    CustomResourceDefinitionVersion: {
      doc: 'A version of a resource.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the version, such as v1beta1.' },
        served: { n: 2, type: 'bool', omit: 'never', required: true, default: false, doc: 'Whether it is served.' },
        storage: { n: 3, type: 'bool', omit: 'never', required: true, default: false, doc: 'Whether objects are stored in it; true for exactly one version.' },
        schema: { n: 4, type: '*CustomResourceValidation', doc: 'Schema of the objects.' },
        subresources: { n: 5, type: '*CustomResourceSubresources', doc: 'Subresources of the objects.' },
        additionalPrinterColumns: { n: 6, type: '[]CustomResourceColumnDefinition', list: 'atomic', doc: 'Columns of tables; the age alone when empty.' },
        deprecated: { n: 7, type: 'bool', deprecated: true, doc: 'Whether requests get a warning. Defaults to false.' },
        deprecationWarning: { n: 8, type: '*string', deprecated: true, doc: 'Text of that warning; a general one when unset.' },
        selectableFields: { n: 9, type: '[]SelectableField', list: 'atomic', gate: ['CustomResourceFieldSelectors'], doc: 'Fields that field selectors can use; at most 8.' },
      },
    },
    CustomResourceSubresourceScale: {
      doc: 'The scale subresource: paths of the counts in an object.',
      fields: {
        specReplicasPath: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'JSON path, below .spec, of the desired number.' },
        statusReplicasPath: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'JSON path, below .status, of the present number.' },
        labelSelectorPath: { n: 3, type: '*string', doc: 'JSON path, below .status or .spec, of the selector as text; autoscalers need it.' },
      },
    },
    CustomResourceSubresourceStatus: {
      doc: 'The status subresource; other requests then ignore status.',
      fields: {},
    },
    CustomResourceSubresources: {
      doc: 'Each has a path below that of the object.',
      fields: {
        status: { n: 1, type: '*CustomResourceSubresourceStatus', doc: 'Serves status separately.' },
        scale: { n: 2, type: '*CustomResourceSubresourceScale', doc: 'Serves the number of replicas separately.' },
      },
    },
    CustomResourceValidation: {
      doc: 'It must be structural: every field has a type.',
      fields: {
        openAPIV3Schema: { n: 1, type: '*JSONSchemaProps', doc: 'The schema, in OpenAPI 3.' },
      },
    },
    ExternalDocumentation: {
      doc: 'For readers of the schema; ignored by the server.',
      fields: {
        description: { n: 1, type: 'string', doc: 'Description of it.' },
        url: { n: 2, type: 'string', doc: 'URL of it.' },
      },
    },
    JSONSchemaProps: {
      doc: 'A JSON schema in the form of OpenAPI 3, with extensions.',
      fields: {
        id: { n: 1, type: 'string', doc: 'Identifier of the schema. Not allowed.' },
        $schema: { n: 2, type: 'string', protoName: 'schema', alias: 'JSONSchemaURL', doc: 'Dialect of the schema. Not allowed.' },
        $ref: { n: 3, type: '*string', protoName: 'ref', doc: 'Reference to another schema. Not allowed.' },
        description: { n: 4, type: 'string', doc: 'Meaning of the value.' },
        type: { n: 5, type: 'string', doc: 'Type of the value: object, array, string, integer, number or boolean.' },
        format: { n: 6, type: 'string', doc: 'Format that refines the type, such as date-time; unknown ones are ignored.' },
        title: { n: 7, type: 'string', doc: 'Title of the schema.' },
        default: { n: 8, type: '*JSON', doc: 'Value to fill in when the field is absent.' },
        maximum: { n: 9, type: '*double', format: 'double', doc: 'Greatest number.' },
        exclusiveMaximum: { n: 10, type: 'bool', doc: 'The number must be less than maximum.' },
        minimum: { n: 11, type: '*double', format: 'double', doc: 'Least number.' },
        exclusiveMinimum: { n: 12, type: 'bool', doc: 'The number must be greater than minimum.' },
        maxLength: { n: 13, type: '*int64', format: 'int64', doc: 'Most characters of a string.' },
        minLength: { n: 14, type: '*int64', format: 'int64', doc: 'Fewest characters of a string.' },
        pattern: { n: 15, type: 'string', doc: 'Regular expression that a string must match somewhere.' },
        maxItems: { n: 16, type: '*int64', format: 'int64', doc: 'Most items of an array.' },
        minItems: { n: 17, type: '*int64', format: 'int64', doc: 'Fewest items of an array.' },
        uniqueItems: { n: 18, type: 'bool', doc: 'Items of an array must differ. Only false is allowed.' },
        multipleOf: { n: 19, type: '*double', format: 'double', doc: 'Number that the value must be a multiple of.' },
        enum: { n: 20, type: '[]JSON', list: 'atomic', doc: 'Allowed values.' },
        maxProperties: { n: 21, type: '*int64', format: 'int64', doc: 'Most properties of an object.' },
        minProperties: { n: 22, type: '*int64', format: 'int64', doc: 'Fewest properties of an object.' },
        required: { n: 23, type: '[]string', list: 'atomic', doc: 'Required properties.' },
        items: { n: 24, type: '*JSONSchemaPropsOrArray', doc: "Schema of an array's items." },
        allOf: { n: 25, type: '[]JSONSchemaProps', list: 'atomic', doc: 'Schemas that must all hold.' },
        oneOf: { n: 26, type: '[]JSONSchemaProps', list: 'atomic', doc: 'Schemas; exactly one must hold.' },
        anyOf: { n: 27, type: '[]JSONSchemaProps', list: 'atomic', doc: 'Schemas; at least one must hold.' },
        not: { n: 28, type: '*JSONSchemaProps', doc: 'Schema that must not hold.' },
        properties: { n: 29, type: 'map[string]JSONSchemaProps', doc: 'Schemas of properties, by name.' },
        additionalProperties: { n: 30, type: '*JSONSchemaPropsOrBool', doc: 'Schema of all other properties; excludes properties.' },
        patternProperties: { n: 31, type: 'map[string]JSONSchemaProps', doc: 'Schemas of properties, by pattern of their name. Not allowed.' },
        dependencies: { n: 32, type: 'map[string]JSONSchemaPropsOrStringArray', alias: 'JSONSchemaDependencies', doc: 'Further properties that a property requires. Not allowed.' },
        additionalItems: { n: 33, type: '*JSONSchemaPropsOrBool', doc: 'Schema of items beyond those of a list of schemas. Not allowed.' },
        definitions: { n: 34, type: 'map[string]JSONSchemaProps', alias: 'JSONSchemaDefinitions', doc: 'Schemas to refer to. Not allowed.' },
        externalDocs: { n: 35, type: '*ExternalDocumentation', doc: 'Documentation elsewhere.' },
        example: { n: 36, type: '*JSON', doc: 'An example value.' },
        nullable: { n: 37, type: 'bool', doc: 'Whether null is allowed. Defaults to false.' },
        'x-kubernetes-preserve-unknown-fields': { n: 38, type: '*bool', protoName: 'xKubernetesPreserveUnknownFields', doc: 'Keeps fields without a schema; otherwise they are dropped.' },
        'x-kubernetes-embedded-resource': { n: 39, type: 'bool', protoName: 'xKubernetesEmbeddedResource', doc: 'The value is a complete object, with apiVersion, kind and metadata.' },
        'x-kubernetes-int-or-string': { n: 40, type: 'bool', protoName: 'xKubernetesIntOrString', doc: 'The value is an integer or a string; type must be unset.' },
        'x-kubernetes-list-map-keys': { n: 41, type: '[]string', protoName: 'xKubernetesListMapKeys', list: 'atomic', doc: 'Fields that identify the items of a map list.' },
        'x-kubernetes-list-type': { n: 42, type: '*string', protoName: 'xKubernetesListType', doc: 'How lists are merged: atomic (the default), set or map.' },
        'x-kubernetes-map-type': { n: 43, type: '*string', protoName: 'xKubernetesMapType', doc: 'How objects are merged: granular (the default) or atomic.' },
        'x-kubernetes-validations': { n: 44, type: '[]ValidationRule', protoName: 'xKubernetesValidations', list: 'map', keys: ['rule'], patch: 'merge', patchKey: 'rule', alias: 'ValidationRules', doc: 'Rules, in CEL, for the value.' },
      },
    },
    JSONSchemaPropsOrArray: {
      doc: 'A schema, or a list of schemas.',
      wrapper: 'schemaOrList',
      fields: {
        schema: { n: 1, type: '*JSONSchemaProps', doc: 'A schema.' },
        jSONSchemas: { n: 2, type: '[]JSONSchemaProps', doc: 'A list of schemas.' },
      },
    },
    JSONSchemaPropsOrBool: {
      doc: 'A schema, or whether anything is allowed.',
      wrapper: 'schemaOrBool',
      fields: {
        allows: { n: 1, type: 'bool', doc: 'Whether anything is allowed.' },
        schema: { n: 2, type: '*JSONSchemaProps', doc: 'A schema.' },
      },
    },
    JSONSchemaPropsOrStringArray: {
      doc: 'A schema, or a list of names of properties.',
      wrapper: 'schemaOrStrings',
      fields: {
        schema: { n: 1, type: '*JSONSchemaProps', doc: 'A schema.' },
        property: { n: 2, type: '[]string', doc: 'Names of properties.' },
      },
    },
    SelectableField: {
      doc: 'A field that field selectors can use.',
      fields: {
        jsonPath: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Simple JSON path of the field, which is a string, integer or boolean.' },
      },
    },
    ServiceReference: {
      doc: 'A service to call.',
      fields: {
        namespace: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Namespace of the service.' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the service.' },
        path: { n: 3, type: '*string', doc: 'Path of the calls.' },
        port: { n: 4, type: '*int32', format: 'int32', doc: 'Port of the service. Defaults to 443.' },
      },
    },
    ValidationRule: {
      doc: 'A rule for a value.',
      fields: {
        rule: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'CEL that must be true; self is the value, oldSelf the one before an update.' },
        message: { n: 2, type: 'string', doc: 'Message of a violation; required when the rule has line breaks.' },
        messageExpression: { n: 3, type: 'string', doc: 'CEL that returns the message of a violation; has precedence over message unless it fails.' },
        reason: { n: 4, type: '*string', alias: 'FieldValueErrorReason', enum: ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'], doc: 'Reason of the error. Defaults to FieldValueInvalid.' },
        fieldPath: { n: 5, type: 'string', doc: 'JSON path, from the value, of the field that the error names.' },
        optionalOldSelf: { n: 6, type: '*bool', gate: ['CRDValidationRatcheting'], doc: 'Runs a rule with oldSelf also on creation; oldSelf is then an optional.' },
      },
    },
    WebhookClientConfig: {
      doc: 'How to connect to a webhook: by URL or as a service.',
      fields: {
        service: { n: 1, type: '*ServiceReference', doc: 'Service of the webhook; excludes url.' },
        caBundle: { n: 2, type: 'bytes', format: 'byte', doc: 'Certificates, in PEM, to verify the webhook; those of the system when empty.' },
        url: { n: 3, type: '*string', doc: 'URL of the webhook; https only.' },
      },
    },
  },
}
