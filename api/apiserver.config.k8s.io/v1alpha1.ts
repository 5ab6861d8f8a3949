import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiserverConfigV1alpha1: GroupVersionTable = {
  group: 'apiserver.config.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.apiserver.v1alpha1',
  types: {
    AdmissionConfiguration: {
      doc: 'Settings of admission plugins.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        plugins: { type: '[]AdmissionPluginConfiguration', omit: 'never', doc: 'One entry a plugin.' },
      },
    },
    AdmissionPluginConfiguration: {
      doc: 'Settings of one admission plugin.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Name of the plugin.' },
        path: { type: 'string', omit: 'never', doc: 'File with its settings, relative to this one.' },
        configuration: { type: '*RawExtension', omit: 'never', doc: 'Its settings inline; have precedence over path.' },
      },
    },
    AnonymousAuthCondition: {
      doc: 'A path that is open to anonymous requests.',
      fields: {
        path: { type: 'string', omit: 'never', doc: 'The path, in full.' },
      },
    },
    AnonymousAuthConfig: {
      doc: 'Treatment of requests without credentials.',
      fields: {
        enabled: { type: 'bool', omit: 'never', doc: 'Whether they are accepted, as system:anonymous.' },
        conditions: { type: '[]AnonymousAuthCondition', doc: 'Paths at which they are accepted; all when empty.' },
      },
    },
    AuthenticationConfiguration: {
      doc: 'How requests are authenticated.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        jwt: { type: '[]JWTAuthenticator', omit: 'never', doc: 'Issuers whose tokens are accepted.' },
        anonymous: { type: '*AnonymousAuthConfig', doc: 'Treatment of requests without credentials; the flag decides when unset.' },
      },
    },
    AuthorizationConfiguration: {
      doc: 'How requests are authorized.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        authorizers: { type: '[]AuthorizerConfiguration', omit: 'never', doc: 'The authorizers, asked in their order until one decides.' },
      },
    },
    AuthorizerConfiguration: {
      doc: 'An authorizer.',
      fields: {
        type: { type: 'string', omit: 'never', doc: 'Type: Node, RBAC, ABAC, AlwaysAllow, AlwaysDeny or Webhook.' },
        name: { type: 'string', omit: 'never', doc: 'Name for metrics and logs, unique among authorizers.' },
        webhook: { type: '*WebhookConfiguration', doc: 'Settings of a Webhook.' },
      },
    },
    ClaimMappings: {
      doc: 'The name of the user is required; the rest is optional.',
      fields: {
        username: { type: 'PrefixedClaimOrExpression', omit: 'never', doc: 'Name of the user. Required.' },
        groups: { type: 'PrefixedClaimOrExpression', doc: 'Groups of the user.' },
        uid: { type: 'ClaimOrExpression', omit: 'never', doc: 'UID of the user.' },
        extra: { type: '[]ExtraMapping', doc: 'Further attributes of the user.' },
      },
    },
    ClaimOrExpression: {
      doc: 'A value from a token, by claim or by expression.',
      fields: {
        claim: { type: 'string', doc: 'Name of the claim; excludes expression.' },
        expression: { type: 'string', doc: 'CEL over claims that returns the value.' },
      },
    },
    ClaimValidationRule: {
      doc: "A requirement on a token's claims.",
      fields: {
        claim: { type: 'string', doc: 'Name of a claim that is required; excludes expression.' },
        requiredValue: { type: 'string', doc: 'Value that the claim must have; "" means that it must be empty.' },
        expression: { type: 'string', doc: 'CEL over claims that must be true.' },
        message: { type: 'string', doc: 'Message of a refusal; for expression.' },
      },
    },
    Connection: {
      doc: 'How to connect to destinations.',
      fields: {
        proxyProtocol: { type: 'string', alias: 'ProtocolType', doc: 'Direct, GRPC or HTTPConnect.' },
        transport: { type: '*Transport', doc: 'How to connect to the proxy; must be unset for Direct.' },
      },
    },
    EgressSelection: {
      doc: 'How to connect to one type of destination.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Type of destination: cluster, controlplane or etcd.' },
        connection: { type: 'Connection', omit: 'never', doc: 'How to connect to them.' },
      },
    },
    EgressSelectorConfiguration: {
      doc: 'How the server connects to other servers.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        egressSelections: { type: '[]EgressSelection', omit: 'never', doc: 'One entry a type of destination.' },
      },
    },
    ExtraMapping: {
      doc: 'A further attribute of the user.',
      fields: {
        key: { type: 'string', omit: 'never', doc: 'Key of the attribute: a path below a domain, in lower case.' },
        valueExpression: { type: 'string', omit: 'never', doc: 'CEL over claims that returns a text or a list of texts; an empty result leaves the attribute out.' },
      },
    },
    Issuer: {
      doc: 'An issuer of tokens.',
      fields: {
        url: { type: 'string', omit: 'never', doc: 'URL of the issuer, equal to the claim iss; https only.' },
        discoveryURL: { type: '*string', doc: 'URL of the discovery document; the well-known one below url when unset.' },
        certificateAuthority: { type: 'string', doc: 'Certificates, in PEM, to verify the issuer; those of the system when empty.' },
        audiences: { type: '[]string', omit: 'never', doc: 'Accepted audiences; the claim aud must contain one.' },
        audienceMatchPolicy: { type: 'string', alias: 'AudienceMatchPolicyType', doc: 'MatchAny; required with several audiences.' },
        egressSelectorType: { type: 'string', alias: 'EgressSelectorType', doc: 'How to connect to the issuer: controlplane or cluster; directly when empty.' },
      },
    },
    JWTAuthenticator: {
      doc: 'Accepts tokens of one issuer.',
      fields: {
        issuer: { type: 'Issuer', omit: 'never', doc: 'The issuer.' },
        claimValidationRules: { type: '[]ClaimValidationRule', doc: 'Requirements on the claims.' },
        claimMappings: { type: 'ClaimMappings', omit: 'never', doc: 'Mapping of claims to the user.' },
        userValidationRules: { type: '[]UserValidationRule', doc: 'Requirements on the user.' },
      },
    },
    PrefixedClaimOrExpression: {
      doc: 'A value from a token, by claim or by expression.',
      fields: {
        claim: { type: 'string', doc: 'Name of the claim; excludes expression.' },
        prefix: { type: '*string', doc: 'Prefix of the claim\'s value; required with claim, and may be "".' },
        expression: { type: 'string', doc: 'CEL over claims that returns the value.' },
      },
    },
    TCPTransport: {
      doc: 'A proxy with a TCP address.',
      fields: {
        url: { type: 'string', doc: 'URL of the proxy.' },
        tlsConfig: { type: '*TLSConfig', doc: 'TLS of the connection; required for https.' },
      },
    },
    TLSConfig: {
      doc: 'TLS of a connection.',
      fields: {
        caBundle: { type: 'string', doc: 'File with the certificates to verify the other side.' },
        clientKey: { type: 'string', doc: 'File with the key of the client.' },
        clientCert: { type: 'string', doc: 'File with the certificate of the client.' },
        tlsServerName: { type: 'string', doc: "Expected name of the other side's certificate." },
      },
    },
    TracingConfiguration: {
      doc: 'Where traces are sent.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        TracingConfiguration: { type: 'tracing.config.k8s.io/v1.TracingConfiguration', inline: true },
      },
    },
    Transport: {
      doc: 'How to connect to a proxy; exactly one of the fields is set.',
      fields: {
        tcp: { type: '*TCPTransport', doc: 'By TCP.' },
        uds: { type: '*UDSTransport', doc: 'By a Unix socket.' },
      },
    },
    UDSTransport: {
      doc: 'A proxy with a Unix socket.',
      fields: {
        udsName: { type: 'string', doc: 'Path of the socket.' },
      },
    },
    UserValidationRule: {
      doc: 'A requirement on the user of a token.',
      fields: {
        expression: { type: 'string', omit: 'never', doc: 'CEL over user that must be true.' },
        message: { type: 'string', doc: 'Message of a refusal.' },
      },
    },
    WebhookConfiguration: {
      doc: 'Settings of an authorizing webhook.',
      fields: {
        authorizedTTL: { type: 'Duration', omit: 'never', doc: 'How long positive answers are cached.' },
        cacheAuthorizedRequests: { type: '*bool', doc: 'Whether positive answers are cached. Defaults to true.' },
        unauthorizedTTL: { type: 'Duration', omit: 'never', doc: 'How long negative answers are cached.' },
        cacheUnauthorizedRequests: { type: '*bool', doc: 'Whether negative answers are cached. Defaults to true.' },
        timeout: { type: 'Duration', omit: 'never', doc: 'How long a call may take; at most 30s.' },
        subjectAccessReviewVersion: { type: 'string', omit: 'never', doc: 'Version of SubjectAccessReview that is sent: v1 or v1beta1.' },
        matchConditionSubjectAccessReviewVersion: { type: 'string', omit: 'never', doc: 'Version of SubjectAccessReview in conditions: v1.' },
        failurePolicy: { type: 'string', omit: 'never', doc: 'When the call fails: NoOpinion to ask the next authorizer, or Deny.' },
        connectionInfo: { type: 'WebhookConnectionInfo', omit: 'never', doc: 'How to connect to the webhook.' },
        matchConditions: { type: '[]WebhookMatchCondition', omit: 'never', doc: 'Conditions, in CEL, on the requests for which it is called; all must be true.' },
      },
    },
    WebhookConnectionInfo: {
      doc: 'By a kubeconfig, or as pods connect to their own cluster.',
      fields: {
        type: { type: 'string', omit: 'never', doc: 'KubeConfigFile or InClusterConfig.' },
        kubeConfigFile: { type: '*string', omit: 'never', doc: 'The kubeconfig; required for KubeConfigFile.' },
      },
    },
    WebhookMatchCondition: {
      doc: 'A condition on the requests for which the webhook is called.',
      fields: {
        expression: { type: 'string', omit: 'never', doc: 'CEL over request, a SubjectAccessReviewSpec, that must be true.' },
      },
    },
  },
}
