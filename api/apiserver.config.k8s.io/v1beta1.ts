import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiserverConfigV1beta1: GroupVersionTable = {
  group: 'apiserver.config.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.apiserver.v1beta1',
  types: {
    AnonymousAuthCondition: {
      fields: {
        path: { type: 'string', omit: 'never' },
      },
    },
    AnonymousAuthConfig: {
      fields: {
        enabled: { type: 'bool', omit: 'never' },
        conditions: { type: '[]AnonymousAuthCondition' },
      },
    },
    AuthenticationConfiguration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        jwt: { type: '[]JWTAuthenticator', omit: 'never' },
        anonymous: { type: '*AnonymousAuthConfig' },
      },
    },
    AuthorizationConfiguration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        authorizers: { type: '[]AuthorizerConfiguration', omit: 'never' },
      },
    },
    AuthorizerConfiguration: {
      fields: {
        type: { type: 'string', omit: 'never' },
        name: { type: 'string', omit: 'never' },
        webhook: { type: '*WebhookConfiguration' },
      },
    },
    ClaimMappings: {
      fields: {
        username: { type: 'PrefixedClaimOrExpression', omit: 'never' },
        groups: { type: 'PrefixedClaimOrExpression' },
        uid: { type: 'ClaimOrExpression', omit: 'never' },
        extra: { type: '[]ExtraMapping' },
      },
    },
    ClaimOrExpression: {
      fields: {
        claim: { type: 'string' },
        expression: { type: 'string' },
      },
    },
    ClaimValidationRule: {
      fields: {
        claim: { type: 'string' },
        requiredValue: { type: 'string' },
        expression: { type: 'string' },
        message: { type: 'string' },
      },
    },
    Connection: {
      fields: {
        proxyProtocol: { type: 'string', alias: 'ProtocolType' },
        transport: { type: '*Transport' },
      },
    },
    EgressSelection: {
      fields: {
        name: { type: 'string', omit: 'never' },
        connection: { type: 'Connection', omit: 'never' },
      },
    },
    EgressSelectorConfiguration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        egressSelections: { type: '[]EgressSelection', omit: 'never' },
      },
    },
    ExtraMapping: {
      fields: {
        key: { type: 'string', omit: 'never' },
        valueExpression: { type: 'string', omit: 'never' },
      },
    },
    Issuer: {
      fields: {
        url: { type: 'string', omit: 'never' },
        discoveryURL: { type: '*string' },
        certificateAuthority: { type: 'string' },
        audiences: { type: '[]string', omit: 'never' },
        audienceMatchPolicy: { type: 'string', alias: 'AudienceMatchPolicyType' },
        egressSelectorType: { type: 'string', alias: 'EgressSelectorType' },
      },
    },
    JWTAuthenticator: {
      fields: {
        issuer: { type: 'Issuer', omit: 'never' },
        claimValidationRules: { type: '[]ClaimValidationRule' },
        claimMappings: { type: 'ClaimMappings', omit: 'never' },
        userValidationRules: { type: '[]UserValidationRule' },
      },
    },
    PrefixedClaimOrExpression: {
      fields: {
        claim: { type: 'string' },
        prefix: { type: '*string' },
        expression: { type: 'string' },
      },
    },
    TCPTransport: {
      fields: {
        url: { type: 'string' },
        tlsConfig: { type: '*TLSConfig' },
      },
    },
    TLSConfig: {
      fields: {
        caBundle: { type: 'string' },
        clientKey: { type: 'string' },
        clientCert: { type: 'string' },
        tlsServerName: { type: 'string' },
      },
    },
    TracingConfiguration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        TracingConfiguration: { type: 'tracing.config.k8s.io/v1.TracingConfiguration', inline: true },
      },
    },
    Transport: {
      fields: {
        tcp: { type: '*TCPTransport' },
        uds: { type: '*UDSTransport' },
      },
    },
    UDSTransport: {
      fields: {
        udsName: { type: 'string' },
      },
    },
    UserValidationRule: {
      fields: {
        expression: { type: 'string', omit: 'never' },
        message: { type: 'string' },
      },
    },
    WebhookConfiguration: {
      fields: {
        authorizedTTL: { type: 'Duration', omit: 'never' },
        cacheAuthorizedRequests: { type: '*bool' },
        unauthorizedTTL: { type: 'Duration', omit: 'never' },
        cacheUnauthorizedRequests: { type: '*bool' },
        timeout: { type: 'Duration', omit: 'never' },
        subjectAccessReviewVersion: { type: 'string', omit: 'never' },
        matchConditionSubjectAccessReviewVersion: { type: 'string', omit: 'never' },
        failurePolicy: { type: 'string', omit: 'never' },
        connectionInfo: { type: 'WebhookConnectionInfo', omit: 'never' },
        matchConditions: { type: '[]WebhookMatchCondition', omit: 'never' },
      },
    },
    WebhookConnectionInfo: {
      fields: {
        type: { type: 'string', omit: 'never' },
        kubeConfigFile: { type: '*string', omit: 'never' },
      },
    },
    WebhookMatchCondition: {
      fields: {
        expression: { type: 'string', omit: 'never' },
      },
    },
  },
}
