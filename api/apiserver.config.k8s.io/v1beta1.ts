import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiserverConfigV1beta1: GroupVersionTable = {
  group: 'apiserver.config.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.apiserver.v1beta1',
  types: {
    AnonymousAuthCondition: {
      doc: 'A path that anonymous requests may take.',
      fields: {
        path: { type: 'string', omit: 'never', doc: 'The path, in full.' },
      },
    },
    AnonymousAuthConfig: {
      doc: 'What becomes of requests without credentials.',
      fields: {
        enabled: { type: 'bool', omit: 'never', doc: 'Whether they are let in, as system:anonymous.' },
        conditions: { type: '[]AnonymousAuthCondition', doc: 'Paths that they are let in at; all when empty.' },
      },
    },
    AuthenticationConfiguration: {
      doc: 'How requests are authenticated.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        jwt: { type: '[]JWTAuthenticator', omit: 'never', doc: 'Issuers whose tokens are accepted.' },
        anonymous: { type: '*AnonymousAuthConfig', doc: 'What becomes of requests without credentials; the flag decides when unset.' },
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
        type: { type: 'string', omit: 'never', doc: 'Kind of it: Node, RBAC, ABAC, AlwaysAllow, AlwaysDeny or Webhook.' },
        name: { type: 'string', omit: 'never', doc: 'Name of it for metrics and logs, unique among them.' },
        webhook: { type: '*WebhookConfiguration', doc: 'Settings of a Webhook.' },
      },
    },
    ClaimMappings: {
      doc: 'Without a name there is no user; the rest may be left out.',
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
        expression: { type: 'string', doc: 'CEL over claims that makes the value.' },
      },
    },
    ClaimValidationRule: {
      doc: "Something that is required of a token's claims.",
      fields: {
        claim: { type: 'string', doc: 'Name of a claim that is required; excludes expression.' },
        requiredValue: { type: 'string', doc: 'Value that the claim must have; "" means that it must be empty.' },
        expression: { type: 'string', doc: 'CEL over claims that must be true.' },
        message: { type: 'string', doc: 'What a refusal says; for expression.' },
      },
    },
    Connection: {
      doc: 'How destinations are reached.',
      fields: {
        proxyProtocol: { type: 'string', alias: 'ProtocolType', doc: 'Direct, GRPC or HTTPConnect.' },
        transport: { type: '*Transport', doc: 'How the proxy is reached; must be unset for Direct.' },
      },
    },
    EgressSelection: {
      doc: 'How one sort of destinations is reached.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Sort of destinations: cluster, controlplane or etcd.' },
        connection: { type: 'Connection', omit: 'never', doc: 'How they are reached.' },
      },
    },
    EgressSelectorConfiguration: {
      doc: 'How the server reaches what it calls.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        egressSelections: { type: '[]EgressSelection', omit: 'never', doc: 'One entry a sort of destinations.' },
      },
    },
    ExtraMapping: {
      doc: 'A further attribute of the user.',
      fields: {
        key: { type: 'string', omit: 'never', doc: 'Key of the attribute: a path below a domain, in lower case.' },
        valueExpression: { type: 'string', omit: 'never', doc: 'CEL over claims that makes a text or a list of them; empty leaves the attribute out.' },
      },
    },
    Issuer: {
      doc: 'Who issues tokens.',
      fields: {
        url: { type: 'string', omit: 'never', doc: 'URL of the issuer, as the claim iss has it; https only.' },
        discoveryURL: { type: '*string', doc: 'URL of the discovery document; the well-known one below url when unset.' },
        certificateAuthority: { type: 'string', doc: 'Certificates, in PEM, to verify the issuer by; those of the system when empty.' },
        audiences: { type: '[]string', omit: 'never', doc: 'Names of which the claim aud must have one.' },
        audienceMatchPolicy: { type: 'string', alias: 'AudienceMatchPolicyType', doc: 'MatchAny; required with several audiences.' },
        egressSelectorType: { type: 'string', alias: 'EgressSelectorType', doc: 'How the issuer is reached: controlplane or cluster; directly when empty.' },
      },
    },
    JWTAuthenticator: {
      doc: 'Accepts tokens of one issuer.',
      fields: {
        issuer: { type: 'Issuer', omit: 'never', doc: 'The issuer.' },
        claimValidationRules: { type: '[]ClaimValidationRule', doc: 'What is required of the claims.' },
        claimMappings: { type: 'ClaimMappings', omit: 'never', doc: 'How the user is made of the claims.' },
        userValidationRules: { type: '[]UserValidationRule', doc: 'What is required of the user.' },
      },
    },
    PrefixedClaimOrExpression: {
      doc: 'A value from a token, by claim or by expression.',
      fields: {
        claim: { type: 'string', doc: 'Name of the claim; excludes expression.' },
        prefix: { type: '*string', doc: 'Put before the claim; required with it, and may be "".' },
        expression: { type: 'string', doc: 'CEL over claims that makes the value.' },
      },
    },
    TCPTransport: {
      doc: 'A proxy that is reached by TCP.',
      fields: {
        url: { type: 'string', doc: 'URL of the proxy.' },
        tlsConfig: { type: '*TLSConfig', doc: 'TLS of the connection; required for https.' },
      },
    },
    TLSConfig: {
      doc: 'TLS of a connection.',
      fields: {
        caBundle: { type: 'string', doc: 'File with the certificates to verify the other side by.' },
        clientKey: { type: 'string', doc: 'File with the key of the client.' },
        clientCert: { type: 'string', doc: 'File with the certificate of the client.' },
        tlsServerName: { type: 'string', doc: "Name that the other side's certificate must be for." },
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
      doc: 'How a proxy is reached; exactly one of the fields is set.',
      fields: {
        tcp: { type: '*TCPTransport', doc: 'By TCP.' },
        uds: { type: '*UDSTransport', doc: 'By a socket of the machine.' },
      },
    },
    UDSTransport: {
      doc: 'A proxy that is reached by a socket of the machine.',
      fields: {
        udsName: { type: 'string', doc: 'Path of the socket.' },
      },
    },
    UserValidationRule: {
      doc: 'Something that is required of the user made of a token.',
      fields: {
        expression: { type: 'string', omit: 'never', doc: 'CEL over user that must be true.' },
        message: { type: 'string', doc: 'What a refusal says.' },
      },
    },
    WebhookConfiguration: {
      doc: 'Settings of an authorizing webhook.',
      fields: {
        authorizedTTL: { type: 'Duration', omit: 'never', doc: 'How long a yes is remembered.' },
        cacheAuthorizedRequests: { type: '*bool', doc: 'Whether a yes is remembered. Defaults to true.' },
        unauthorizedTTL: { type: 'Duration', omit: 'never', doc: 'How long a no is remembered.' },
        cacheUnauthorizedRequests: { type: '*bool', doc: 'Whether a no is remembered. Defaults to true.' },
        timeout: { type: 'Duration', omit: 'never', doc: 'How long a call may take; at most 30s.' },
        subjectAccessReviewVersion: { type: 'string', omit: 'never', doc: 'Version of SubjectAccessReview that is sent: v1 or v1beta1.' },
        matchConditionSubjectAccessReviewVersion: { type: 'string', omit: 'never', doc: 'Version of SubjectAccessReview that conditions see: v1.' },
        failurePolicy: { type: 'string', omit: 'never', doc: 'When the call fails: NoOpinion to ask the next authorizer, or Deny.' },
        connectionInfo: { type: 'WebhookConnectionInfo', omit: 'never', doc: 'How to reach the webhook.' },
        matchConditions: { type: '[]WebhookMatchCondition', omit: 'never', doc: 'Conditions, in CEL, on requests to ask about; all must be true.' },
      },
    },
    WebhookConnectionInfo: {
      doc: 'By a kubeconfig, or as pods reach their own cluster.',
      fields: {
        type: { type: 'string', omit: 'never', doc: 'KubeConfigFile or InClusterConfig.' },
        kubeConfigFile: { type: '*string', omit: 'never', doc: 'The kubeconfig; required for KubeConfigFile.' },
      },
    },
    WebhookMatchCondition: {
      doc: 'A condition on requests to ask about.',
      fields: {
        expression: { type: 'string', omit: 'never', doc: 'CEL over request, a SubjectAccessReviewSpec, that must be true.' },
      },
    },
  },
}
