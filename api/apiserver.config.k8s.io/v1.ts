import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiserverConfigV1: GroupVersionTable = {
  group: 'apiserver.config.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.apiserver.v1',
  types: {
    AESConfiguration: {
      doc: 'Keys of AES.',
      fields: {
        keys: { type: '[]Key', omit: 'never', doc: 'The keys; the first one encrypts, all decrypt.' },
      },
    },
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
    EncryptionConfiguration: {
      doc: 'Which resources are encrypted in the store, and how.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        resources: { type: '[]ResourceConfiguration', omit: 'never', doc: 'The resources, with their providers.' },
      },
    },
    ExtraMapping: {
      doc: 'A further attribute of the user.',
      fields: {
        key: { type: 'string', omit: 'never', doc: 'Key of the attribute: a path below a domain, in lower case.' },
        valueExpression: { type: 'string', omit: 'never', doc: 'CEL over claims that returns a text or a list of texts; an empty result leaves the attribute out.' },
      },
    },
    IdentityConfiguration: {
      doc: 'Stores values without encryption.',
      fields: {},
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
    KMSConfiguration: {
      doc: 'Encrypts by an external key service.',
      fields: {
        apiVersion: { type: 'string', omit: 'never', doc: "Version of the service's protocol: v1 or v2." },
        name: { type: 'string', omit: 'never', doc: 'Name of the service; it is part of stored data and must not change.' },
        cachesize: { type: '*int32', doc: 'Number of keys that v1 caches. Defaults to 1000; negative is no cache.' },
        endpoint: { type: 'string', omit: 'never', doc: 'Socket of the service, such as unix:///var/run/kms.sock.' },
        timeout: { type: '*Duration', doc: 'How long a call may take. Defaults to 3s.' },
      },
    },
    Key: {
      doc: 'A key.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Name of the key; it is part of stored data.' },
        secret: { type: 'string', omit: 'never', doc: 'The key itself, in base64.' },
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
    ProviderConfiguration: {
      doc: 'A way to encrypt; exactly one of the fields is set.',
      fields: {
        aesgcm: { type: '*AESConfiguration', doc: 'AES-GCM with random nonces; keys must be changed often.' },
        aescbc: { type: '*AESConfiguration', doc: 'AES-CBC.' },
        secretbox: { type: '*SecretboxConfiguration', doc: 'XSalsa20 and Poly1305.' },
        identity: { type: '*IdentityConfiguration', doc: 'No encryption.' },
        kms: { type: '*KMSConfiguration', doc: 'An external key service.' },
      },
    },
    ResourceConfiguration: {
      doc: 'Resources and how they are encrypted.',
      fields: {
        resources: { type: '[]string', omit: 'never', doc: 'Resources as <plural>.<group>; *.<group> is a whole group and *.* everything.' },
        providers: { type: '[]ProviderConfiguration', omit: 'never', doc: 'Ways to encrypt: the first one encrypts, all decrypt.' },
      },
    },
    SecretboxConfiguration: {
      doc: 'Keys of secretbox.',
      fields: {
        keys: { type: '[]Key', omit: 'never', doc: 'The keys; the first one encrypts, all decrypt.' },
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
