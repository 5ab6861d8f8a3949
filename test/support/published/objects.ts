// Objects of kinds that the world uses, and for each rule of their definitions one that breaks it. The definitions lie
// beside this project, where they are there.

type Spec = Readonly<Record<string, unknown>>

/** A kind of a published definition. */
export interface PublishedKind {
  readonly apiVersion: string
  readonly isClusterWide?: boolean
  readonly valid: Spec
  /** Specs by the message of the rule that they break. */
  readonly broken: Readonly<Record<string, Spec>>
  /** Patches to the valid object, for rules about changes and about the status. */
  readonly patched?: Readonly<Record<string, { readonly subresource?: 'status'; readonly patch: Spec }>>
  /** Messages of rules that no object can break, with the reason. */
  readonly unreachable?: Readonly<Record<string, string>>
}

const gateway = 'gateway.networking.k8s.io/v1'
const parents = {
  'sectionName must be specified when parentRefs includes 2 or more references to the same parent': [
    { name: 'gw' },
    { name: 'gw', sectionName: 'web' },
  ],
  'sectionName must be unique when parentRefs includes 2 or more references to the same parent': [
    { name: 'gw', sectionName: 'web' },
    { name: 'gw', sectionName: 'web' },
  ],
}

/** With each of several values in the place of a field. */
function each(base: Spec, field: string, values: Readonly<Record<string, unknown>>): Record<string, Spec> {
  return Object.fromEntries(Object.entries(values).map(([message, value]) => [message, { ...base, [field]: value }]))
}

const listener = { name: 'web', port: 80, protocol: 'HTTP' }
const brokenListeners = {
  "tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']": [{ ...listener, tls: { certificateRefs: [{ name: 'c' }] } }],
  'tls mode must be Terminate for protocol HTTPS': [{ ...listener, protocol: 'HTTPS', tls: { mode: 'Passthrough' } }],
  'tls mode must be set for protocol TLS': [{ ...listener, protocol: 'TLS' }],
  "hostname must not be specified for protocols ['TCP', 'UDP']": [{ ...listener, protocol: 'TCP', hostname: 'a.example.com' }],
  'Listener name must be unique within the Gateway': [listener, { ...listener, port: 81 }],
  'Combination of port, protocol and hostname must be unique for each listener': [listener, { ...listener, name: 'other' }],
  'certificateRefs or options must be specified when mode is Terminate': [{ ...listener, protocol: 'HTTPS', tls: { mode: 'Terminate' } }],
} // biome-ignore format: a table

const subject = { type: 'Hostname', hostname: 'a.example.com' }
const trust = { hostname: 'a.example.com', wellKnownCACertificates: 'System' }
const policy = { targetRefs: [{ group: '', kind: 'Service', name: 's' }], validation: trust }
const [target] = policy.targetRefs

const headers = { set: [{ name: 'x', value: 'y' }] }
const mirror = { backendRef: { name: 's', port: 80 } }
const extension = { group: 'example.com', kind: 'Thing', name: 't' }
const filters = {
  requestHeaderModifier: { type: 'RequestHeaderModifier', requestHeaderModifier: headers },
  responseHeaderModifier: { type: 'ResponseHeaderModifier', responseHeaderModifier: headers },
  requestMirror: { type: 'RequestMirror', requestMirror: mirror },
  extensionRef: { type: 'ExtensionRef', extensionRef: extension },
}
const httpFilters = {
  ...filters,
  cors: { type: 'CORS', cors: { allowOrigins: ['https://a.example.com'] } },
  requestRedirect: { type: 'RequestRedirect', requestRedirect: { hostname: 'a.example.com' } },
  urlRewrite: { type: 'URLRewrite', urlRewrite: { hostname: 'a.example.com' } },
}

type Filters = Readonly<Record<string, { readonly type: string }>>

/** Filters whose member is missing, or is another type's. */
function mismatched(all: Filters, route: (filters: readonly unknown[]) => Spec): Record<string, Spec> {
  const entries = Object.entries(all)
  return Object.fromEntries(
    entries.flatMap(([member, filter], index) => {
      const { type } = filter
      const [, other] = entries[(index + 1) % entries.length] ?? []
      return [
        [`filter.${member} must be specified for ${type} filter.type`, route([{ type }])],
        [`filter.${member} must be nil if the filter.type is not ${type}`, route([{ ...filter, ...other }])],
      ]
    }),
  )
}

function repeated(all: Filters, route: (filters: readonly unknown[]) => Spec): Record<string, Spec> {
  return Object.fromEntries(
    Object.values(all).flatMap((filter) =>
      ['RequestMirror', 'ExtensionRef'].includes(filter.type)
        ? []
        : [[`${filter.type} filter cannot be repeated`, route([filter, filter])]],
    ),
  )
}

const brokenMirrors = {
  'Only one of percent or fraction may be specified in HTTPRequestMirrorFilter': {
    ...mirror,
    percent: 5,
    fraction: { numerator: 1 },
  },
  'numerator must be less than or equal to denominator': { ...mirror, fraction: { numerator: 3, denominator: 2 } },
}

function mirrored(route: (filters: readonly unknown[]) => Spec): Record<string, Spec> {
  return Object.fromEntries(
    Object.entries(brokenMirrors).map(([message, requestMirror]) => [
      message,
      route([{ type: 'RequestMirror', requestMirror }]),
    ]),
  )
}

const tooManyMatches =
  'While 16 rules and 64 matches per rule are allowed, the total number of matches across all rules in a route must be less than 128'
const noPort = 'Must have port for Service reference'
const backends = [{ name: 's', port: 80 }]
const route = { parentRefs: [{ name: 'gw' }], rules: [{ backendRefs: backends }] }
const withoutPort = { ...route, rules: [{ backendRefs: [{ name: 's' }] }] }

const grpcRule = (rule: Spec): Spec => ({ ...route, rules: [{ backendRefs: backends, ...rule }] })
const grpcMethod = (method: Spec): Spec => grpcRule({ matches: [{ method }] })
const grpcFilters = (given: readonly unknown[]): Spec => grpcRule({ filters: given })

const httpRule = (rule: Spec): Spec => ({ ...route, rules: [rule] })
const httpFiltersOf = (given: readonly unknown[]): Spec => httpRule({ filters: given })
const httpPath = (type: string, value: string): Spec => httpRule({ matches: [{ path: { type, value } }] })
const redirect = (path: Spec): Spec => ({ type: 'RequestRedirect', requestRedirect: { path } })
const rewrite = (path: Spec): Spec => ({ type: 'URLRewrite', urlRewrite: { path } })
const prefix = { type: 'ReplacePrefixMatch', replacePrefixMatch: '/x' }
const full = { type: 'ReplaceFullPath', replaceFullPath: '/x' }
const exact = [{ path: { type: 'Exact', value: '/a' } }]
const cors = (given: Spec): Spec => httpFiltersOf([{ type: 'CORS', cors: given }])
const paths = "when type one of ['Exact', 'PathPrefix']"

const issuer = {
  valid: { selfSigned: {} },
  broken: {
    'exactly one of tpp, cloud, or ngts must be configured': {
      venafi: {
        zone: 'z',
        tpp: { url: 'https://tpp.example.com', credentialsRef: { name: 'c' } },
        cloud: { apiTokenSecretRef: { name: 'c', key: 'k' } },
      },
    },
  },
}

export const publishedKinds: Readonly<Record<string, PublishedKind>> = {
  BackendTLSPolicy: {
    apiVersion: gateway,
    valid: policy,
    broken: {
      ...each(policy, 'targetRefs', {
        'sectionName must be specified when targetRefs includes 2 or more references to the same target': [
          target,
          { ...target, sectionName: 'web' },
        ],
        'sectionName must be unique when targetRefs includes 2 or more references to the same target': [
          { ...target, sectionName: 'web' },
          { ...target, sectionName: 'web' },
        ],
      }),
      ...each(policy, 'validation', {
        'must not contain both CACertificateRefs and WellKnownCACertificates': {
          ...trust,
          caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'ca' }],
        },
        'must specify either CACertificateRefs or WellKnownCACertificates': { hostname: 'a.example.com' },
        'SubjectAltName element must contain Hostname, if Type is set to Hostname': {
          ...trust,
          subjectAltNames: [{ type: 'Hostname' }],
        },
        'SubjectAltName element must not contain Hostname, if Type is not set to Hostname': {
          ...trust,
          subjectAltNames: [{ ...subject, type: 'URI', uri: 'spiffe://a' }],
        },
        'SubjectAltName element must contain URI, if Type is set to URI': {
          ...trust,
          subjectAltNames: [{ type: 'URI' }],
        },
        'SubjectAltName element must not contain URI, if Type is not set to URI': {
          ...trust,
          subjectAltNames: [{ ...subject, uri: 'spiffe://a' }],
        },
      }),
    },
  },
  GatewayClass: {
    apiVersion: gateway,
    isClusterWide: true,
    valid: { controllerName: 'example.com/controller' },
    broken: {},
    patched: { 'field is immutable': { patch: { spec: { controllerName: 'example.com/other' } } } },
  },
  Gateway: {
    apiVersion: gateway,
    valid: { gatewayClassName: 'class', listeners: [listener] },
    broken: {
      ...each({ gatewayClassName: 'class' }, 'listeners', brokenListeners),
      ...each({ gatewayClassName: 'class', listeners: [listener] }, 'addresses', {
        'IPAddress values must be unique': [
          { type: 'IPAddress', value: '192.0.2.1' },
          { type: 'IPAddress', value: '192.0.2.1' },
        ],
        'Hostname values must be unique': [
          { type: 'Hostname', value: 'a.example.com' },
          { type: 'Hostname', value: 'a.example.com' },
        ],
        'Hostname value must be empty or contain only valid characters': [{ type: 'Hostname', value: 'a_b' }],
      }),
      ...each({ gatewayClassName: 'class', listeners: [listener] }, 'infrastructure', {
        'Annotation keys must be in the form of an optional DNS subdomain prefix': { annotations: { '-a!': '' } },
        "If specified, the annotation key's prefix must be a DNS subdomain not longer than 253 characters": {
          annotations: { [`${'a'.repeat(260)}/b`]: '' },
        },
        'Label keys must be in the form of an optional DNS subdomain prefix': { labels: { '-a!': '' } },
        "If specified, the label key's prefix must be a DNS subdomain not longer than 253 characters": {
          labels: { [`${'a'.repeat(260)}/b`]: '' },
        },
      }),
      'Port for TLS configuration must be unique within the Gateway': {
        gatewayClassName: 'class',
        listeners: [listener],
        tls: {
          frontend: {
            default: {},
            perPort: [
              { port: 443, tls: {} },
              { port: 443, tls: {} },
            ],
          },
        },
      },
    },
    patched: {
      'Hostname value must only contain valid characters': {
        subresource: 'status',
        patch: { status: { addresses: [{ type: 'Hostname', value: 'a_b' }] } },
      },
    },
  },
  GRPCRoute: {
    apiVersion: gateway,
    valid: grpcMethod({ type: 'Exact', service: 'a.B', method: 'C' }),
    broken: {
      ...each(route, 'parentRefs', parents),
      ...mismatched(filters, grpcFilters),
      ...repeated(filters, grpcFilters),
      ...mirrored(grpcFilters),
      [tooManyMatches]: {
        ...route,
        rules: Array.from({ length: 3 }, () => ({
          matches: Array.from({ length: 64 }, () => ({ method: { method: 'A' } })),
        })),
      },
      [noPort]: withoutPort,
      "One or both of 'service' or 'method' must be specified": grpcMethod({ type: 'Exact' }),
      'service must only contain valid characters': grpcMethod({ service: 'a b' }),
      'method must only contain valid characters': grpcMethod({ method: 'a b' }),
    },
  },
  HTTPRoute: {
    apiVersion: gateway,
    valid: { ...route, hostnames: ['a.example.com'], rules: [{ matches: exact, backendRefs: backends }] },
    broken: {
      ...each(route, 'parentRefs', parents),
      ...mismatched(httpFilters, httpFiltersOf),
      ...repeated(httpFilters, httpFiltersOf),
      ...mirrored(httpFiltersOf),
      [tooManyMatches]: {
        ...route,
        rules: Array.from({ length: 3 }, () => ({
          matches: Array.from({ length: 64 }, () => ({ method: 'GET' })),
        })),
      },
      [noPort]: withoutPort,
      'RequestRedirect filter must not be used together with backendRefs': httpRule({
        backendRefs: backends,
        filters: [httpFilters.requestRedirect],
      }),
      'When using RequestRedirect filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified':
        httpRule({ matches: exact, filters: [redirect(prefix)] }),
      'When using URLRewrite filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified':
        httpRule({ matches: exact, filters: [rewrite(prefix)] }),
      'Within backendRefs, when using RequestRedirect filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified':
        httpRule({ matches: exact, backendRefs: [{ name: 's', port: 80, filters: [redirect(prefix)] }] }),
      'Within backendRefs, When using URLRewrite filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified':
        httpRule({ matches: exact, backendRefs: [{ name: 's', port: 80, filters: [rewrite(prefix)] }] }),
      'May specify either httpRouteFilterRequestRedirect or httpRouteFilterRequestRewrite, but not both': httpFiltersOf(
        [httpFilters.requestRedirect, httpFilters.urlRewrite],
      ),
      "AllowHeaders cannot contain '*' alongside other methods": cors({ allowHeaders: ['*', 'X-A'] }),
      "AllowMethods cannot contain '*' alongside other methods": cors({ allowMethods: ['*', 'GET'] }),
      "AllowOrigins cannot contain '*' alongside other origins": cors({
        allowOrigins: ['*', 'https://a.example.com'],
      }),
      "replaceFullPath must be specified when type is set to 'ReplaceFullPath'": httpFiltersOf([
        rewrite({ type: 'ReplaceFullPath' }),
      ]),
      "type must be 'ReplaceFullPath' when replaceFullPath is set": httpFiltersOf([
        rewrite({ ...prefix, replaceFullPath: '/x' }),
      ]),
      "replacePrefixMatch must be specified when type is set to 'ReplacePrefixMatch'": httpFiltersOf([
        rewrite({ type: 'ReplacePrefixMatch' }),
      ]),
      "type must be 'ReplacePrefixMatch' when replacePrefixMatch is set": httpFiltersOf([
        rewrite({ ...full, replacePrefixMatch: '/x' }),
      ]),
      [`value must be an absolute path and start with '/' ${paths}`]: httpPath('Exact', 'a'),
      [`must not contain '//' ${paths}`]: httpPath('Exact', '/a//b'),
      [`must not contain '/./' ${paths}`]: httpPath('Exact', '/a/./b'),
      [`must not contain '/../' ${paths}`]: httpPath('PathPrefix', '/a/../b'),
      [`must not contain '%2f' ${paths}`]: httpPath('PathPrefix', '/a%2fb'),
      [`must not contain '%2F' ${paths}`]: httpPath('PathPrefix', '/a%2Fb'),
      [`must not contain '#' ${paths}`]: httpPath('Exact', '/a#b'),
      [`must not end with '/..' ${paths}`]: httpPath('Exact', '/a/..'),
      [`must not end with '/.' ${paths}`]: httpPath('Exact', '/a/.'),
      'must only contain valid characters (matching ^(?:[-A-Za-z0-9/._~': httpPath('Exact', '/a b'),
      'backendRequest timeout cannot be longer than request timeout': httpRule({
        timeouts: { request: '1s', backendRequest: '2s' },
      }),
    },
    unreachable: {
      "type must be one of ['Exact', 'PathPrefix', 'RegularExpression']": 'other values are no members of the enum',
    },
  },
  ListenerSet: {
    apiVersion: gateway,
    valid: { parentRef: { name: 'gw' }, listeners: [listener] },
    broken: each({ parentRef: { name: 'gw' } }, 'listeners', brokenListeners),
  },
  ReferenceGrant: {
    apiVersion: gateway,
    valid: { from: [{ group: '', kind: 'Service', namespace: 'a' }], to: [{ group: '', kind: 'Secret' }] },
    broken: {},
  },
  TCPRoute: {
    apiVersion: gateway,
    valid: route,
    broken: { ...each(route, 'parentRefs', parents), [noPort]: withoutPort },
  },
  TLSRoute: {
    apiVersion: gateway,
    valid: { ...route, hostnames: ['a.example.com'] },
    broken: {
      ...each({ ...route, hostnames: ['a.example.com'] }, 'parentRefs', parents),
      [noPort]: { ...withoutPort, hostnames: ['a.example.com'] },
      ...each(route, 'hostnames', {
        'Hostnames cannot contain an IP': ['192.0.2.1'],
        'Hostnames must be valid based on RFC-1123': ['a_b'],
        'Wildcards on hostnames must be the first label, and the rest of hostname must be valid based on RFC-1123': [
          'a.*.example.com',
        ],
      }),
    },
  },
  UDPRoute: {
    apiVersion: gateway,
    valid: route,
    broken: { ...each(route, 'parentRefs', parents), [noPort]: withoutPort },
  },
  Challenge: {
    apiVersion: 'acme.cert-manager.io/v1',
    valid: {
      authorizationURL: 'https://acme.example.com/a',
      dnsName: 'a.example.com',
      issuerRef: { name: 'i' },
      key: 'k',
      solver: {},
      token: 't',
      type: 'HTTP-01',
      url: 'https://acme.example.com/c',
    },
    broken: {},
  },
  Order: {
    apiVersion: 'acme.cert-manager.io/v1',
    valid: { issuerRef: { name: 'i' }, request: 'cmVxdWVzdA==', dnsNames: ['a.example.com'] },
    broken: {},
  },
  CertificateRequest: {
    apiVersion: 'cert-manager.io/v1',
    valid: { issuerRef: { name: 'i' }, request: 'cmVxdWVzdA==', usages: ['server auth'] },
    broken: {},
  },
  Certificate: {
    apiVersion: 'cert-manager.io/v1',
    valid: {
      secretName: 's',
      issuerRef: { name: 'i' },
      dnsNames: ['a.example.com'],
      privateKey: { algorithm: 'RSA' },
      revisionHistoryLimit: 2,
    },
    broken: {},
  },
  ClusterIssuer: { apiVersion: 'cert-manager.io/v1', isClusterWide: true, ...issuer },
  Issuer: { apiVersion: 'cert-manager.io/v1', ...issuer },
}
