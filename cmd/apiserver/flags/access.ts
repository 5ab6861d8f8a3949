import { bool, commaList, durationMs, integer, keyValues, repeated, text } from '../../../lib/flags/index.ts'

export const authentication = {
  'anonymous-auth': bool(true, 'Accept requests without credentials as system:anonymous.'),
  'api-audiences': commaList([], 'Audiences that tokens may be for.'),
  'authentication-config': text('', 'File with issuers of tokens and the rules for anonymous requests.'),
  'authentication-token-webhook-cache-ttl': durationMs('2m0s', 'How long answers of the token webhook are believed.'),
  'authentication-token-webhook-config-file': text('', 'Kubeconfig of the server that reviews tokens.'),
  'authentication-token-webhook-version': text('v1beta1', 'Version of the reviews sent to it.'),
  'client-ca-file': text(
    '',
    'Certificate authorities of clients: the common name is the user, organizations are the groups.',
  ),
  'enable-bootstrap-token-auth': bool(
    false,
    'Accept tokens of secrets of type bootstrap.kubernetes.io/token in kube-system.',
  ),
  'oidc-ca-file': text('', 'Certificate authorities of the OpenID issuer.'),
  'oidc-client-id': text('', 'Client that OpenID tokens must be for.'),
  'oidc-groups-claim': text('', 'Claim with the groups.'),
  'oidc-groups-prefix': text('', 'Put before groups.'),
  'oidc-issuer-url': text('', 'URL of the OpenID issuer, https.'),
  'oidc-required-claim': keyValues('Claims that a token must have: claim=value.'),
  'oidc-signing-algs': commaList(['RS256'], 'Signatures to accept.'),
  'oidc-username-claim': text('sub', 'Claim with the user name.'),
  'oidc-username-prefix': text('', 'Put before user names; - for nothing.'),
  'requestheader-allowed-names': commaList([], 'Common names of front proxies; empty: any.'),
  'requestheader-client-ca-file': text('', 'Certificate authorities of front proxies.'),
  'requestheader-extra-headers-prefix': commaList([], 'Prefixes of headers with further attributes of the user.'),
  'requestheader-group-headers': commaList([], 'Headers with the groups.'),
  'requestheader-uid-headers': commaList([], 'Headers with the uid.'),
  'requestheader-username-headers': commaList([], 'Headers with the user name.'),
  'service-account-extend-token-expiration': bool(
    true,
    'Let tokens in pods live for a year for the sake of old clients.',
  ),
  'service-account-issuer': repeated([], 'Issuer of service account tokens; the first signs, the others are accepted.'),
  'service-account-jwks-uri': text('', 'URI of the keys in the OpenID discovery document.'),
  'service-account-key-file': repeated([], 'Keys that verify service account tokens, PEM.'),
  'service-account-lookup': bool(true, 'Refuse tokens whose service account or pod is deleted.'),
  'service-account-max-token-expiration': durationMs('0s', 'Maximum lifetime of a requested token.'),
  'token-auth-file': text('', 'File of static tokens: token,user,uid,"group,group" a line.'),
} as const

export const authorization = {
  'authorization-config': text('', 'File with the authorizers and their order.'),
  'authorization-mode': commaList(
    [],
    'Authorizers in the order in which they decide: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node. Empty: AlwaysAllow.',
  ),
  'authorization-policy-file': text('', 'Policies for ABAC, a JSON object a line.'),
  'authorization-webhook-cache-authorized-ttl': durationMs('5m0s', 'How long approvals of the webhook are cached.'),
  'authorization-webhook-cache-unauthorized-ttl': durationMs('30s', 'How long refusals of the webhook are cached.'),
  'authorization-webhook-config-file': text('', 'Kubeconfig of the server that reviews access.'),
  'authorization-webhook-version': text('v1beta1', 'Version of the reviews sent to it: v1 or v1beta1.'),
} as const

export const admission = {
  'admission-control': commaList([], 'All admission plugins to run, in any order.', {
    deprecated: 'use --enable-admission-plugins and --disable-admission-plugins',
  }),
  'admission-control-config-file': text('', 'File (AdmissionConfiguration) that configures admission plugins.'),
  'default-not-ready-toleration-seconds': integer(300, 'Seconds pods tolerate a node that is not ready.'),
  'default-unreachable-toleration-seconds': integer(300, "Seconds pods tolerate a node that can't be reached."),
  'disable-admission-plugins': commaList([], 'Admission plugins to switch off.'),
  'enable-admission-plugins': commaList([], 'Admission plugins to switch on.'),
} as const
