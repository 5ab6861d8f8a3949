import { type FieldError, fieldErrors } from '../../object/index.ts'
import { readCertificates } from '../../pki/index.ts'
import type { AuthenticationConfiguration, JwtAuthenticatorConfig } from './configuration.ts'

const authenticatorsMax = 64
type Check = (errors: FieldError[], at: string, config: JwtAuthenticatorConfig) => void

/** All problems of a configuration except those of its expressions. */
export function problemsOf(
  { jwt = [], anonymous }: AuthenticationConfiguration,
  disallowedIssuers: readonly string[],
): FieldError[] {
  const errors: FieldError[] = []
  if (jwt.length > authenticatorsMax) errors.push(fieldErrors.tooMany('jwt', jwt.length, authenticatorsMax))
  const urls = new Set<string>()
  const discoveries = new Set<string>()
  for (const [index, config] of jwt.entries()) {
    const at = `jwt[${index}]`
    const { url, discoveryURL = '' } = config.issuer
    if (urls.has(url)) errors.push(fieldErrors.duplicate(`${at}.issuer.url`, url))
    if (discoveryURL !== '' && discoveries.has(discoveryURL))
      errors.push(fieldErrors.duplicate(`${at}.issuer.discoveryURL`, discoveryURL))
    urls.add(url)
    discoveries.add(discoveryURL)
    if (disallowedIssuers.includes(url))
      errors.push(
        fieldErrors.invalid(
          `${at}.issuer.url`,
          url,
          `URL must not overlap with disallowed issuers: ${disallowedIssuers.join(', ')}`,
        ),
      )
    for (const check of checks) check(errors, at, config)
  }
  if (anonymous && !anonymous.enabled && (anonymous.conditions?.length ?? 0) > 0)
    errors.push(
      fieldErrors.invalid(
        'anonymous.conditions',
        anonymous.conditions,
        'enabled should be set to true when conditions are defined',
      ),
    )
  return errors
}

const checks: readonly Check[] = [
  (errors, at, { issuer }) => {
    if (issuer.url === '') errors.push(fieldErrors.required(`${at}.issuer.url`))
    else checkUrl(errors, `${at}.issuer.url`, issuer.url)
    const { discoveryURL } = issuer
    if (!discoveryURL) return
    if (discoveryURL.replace(/\/$/, '') === issuer.url.replace(/\/$/, ''))
      errors.push(
        fieldErrors.invalid(`${at}.issuer.discoveryURL`, discoveryURL, 'discoveryURL must be different from URL'),
      )
    checkUrl(errors, `${at}.issuer.discoveryURL`, discoveryURL)
  },
  checkAudiences,
  (errors, at, { issuer: { certificateAuthority = '', egressSelectorType = '' } }) => {
    if (certificateAuthority !== '' && !isBundle(certificateAuthority))
      errors.push(
        fieldErrors.invalid(
          `${at}.issuer.certificateAuthority`,
          '<omitted>',
          'data does not contain any valid certificates',
        ),
      )
    if (!['', 'controlplane', 'cluster'].includes(egressSelectorType)) {
      const why = 'egress selector must be either controlplane or cluster'
      errors.push(fieldErrors.invalid(`${at}.issuer.egressSelectorType`, egressSelectorType, why))
    }
  },
  checkClaimRules,
  checkUsername,
  checkGroups,
  (errors, at, { claimMappings: { uid } }) => {
    if (uid?.claim && uid.expression)
      errors.push(fieldErrors.invalid(`${at}.claimMappings.uid`, '', "claim and expression can't both be set"))
  },
  checkExtra,
  (errors, at, { userValidationRules = [] }) => {
    const seen = new Set<string>()
    for (const [index, { expression = '' }] of userValidationRules.entries()) {
      const path = `${at}.userValidationRules[${index}].expression`
      if (expression === '') errors.push(fieldErrors.required(path))
      else if (seen.has(expression)) errors.push(fieldErrors.duplicate(path, expression))
      seen.add(expression)
    }
  },
]

function checkUrl(errors: FieldError[], path: string, text: string): void {
  if (!URL.canParse(text)) {
    errors.push(fieldErrors.invalid(path, text, 'must be a URL'))
    return
  }
  const { protocol, username, password, search, hash } = new URL(text)
  const say = (problem: string): void => void errors.push(fieldErrors.invalid(path, text, problem))
  if (protocol !== 'https:') say('URL scheme must be https')
  if (username !== '' || password !== '') say('URL must not contain a username or password')
  if (search !== '') say('URL must not contain a query')
  if (hash !== '') say('URL must not contain a fragment')
}

function checkAudiences(errors: FieldError[], at: string, { issuer }: JwtAuthenticatorConfig): void {
  const { audiences, audienceMatchPolicy = '' } = issuer
  const path = `${at}.issuer.audiences`
  if (audiences.length === 0) errors.push(fieldErrors.required(path, `at least one ${path} is required`))
  const seen = new Set<string>()
  for (const [index, audience] of audiences.entries()) {
    if (audience === '') errors.push(fieldErrors.required(`${path}[${index}]`))
    if (seen.has(audience)) errors.push(fieldErrors.duplicate(`${path}[${index}]`, audience))
    seen.add(audience)
  }
  const policyPath = `${at}.issuer.audienceMatchPolicy`
  if (audiences.length > 1 && audienceMatchPolicy !== 'MatchAny')
    errors.push(
      fieldErrors.invalid(
        policyPath,
        audienceMatchPolicy,
        'audienceMatchPolicy must be MatchAny for multiple audiences',
      ),
    )
  if (audiences.length === 1 && audienceMatchPolicy !== '' && audienceMatchPolicy !== 'MatchAny')
    errors.push(
      fieldErrors.invalid(
        policyPath,
        audienceMatchPolicy,
        'audienceMatchPolicy must be empty or MatchAny for single audience',
      ),
    )
}

function isBundle(pem: string): boolean {
  try {
    return readCertificates(pem).length > 0
  } catch {
    return false
  }
}

function checkClaimRules(
  errors: FieldError[],
  at: string,
  { claimValidationRules = [] }: JwtAuthenticatorConfig,
): void {
  const claims = new Set<string>()
  const expressions = new Set<string>()
  for (const [index, rule] of claimValidationRules.entries()) {
    const path = `${at}.claimValidationRules[${index}]`
    const { claim = '', expression = '', requiredValue = '', message = '' } = rule
    if (claim !== '' && expression !== '')
      errors.push(fieldErrors.invalid(path, claim, "claim and expression can't both be set"))
    else if (claim === '' && expression === '')
      errors.push(fieldErrors.required(path, 'claim or expression is required'))
    else if (claim !== '') {
      if (message !== '')
        errors.push(fieldErrors.invalid(`${path}.message`, message, 'may not be specified when claim is set'))
      if (claims.has(claim)) errors.push(fieldErrors.duplicate(`${path}.claim`, claim))
      claims.add(claim)
    } else {
      if (requiredValue !== '')
        errors.push(
          fieldErrors.invalid(`${path}.requiredValue`, requiredValue, 'may not be specified when expression is set'),
        )
      if (expressions.has(expression)) errors.push(fieldErrors.duplicate(`${path}.expression`, expression))
      expressions.add(expression)
    }
  }
}

const emailUsed = /\bclaims\s*(?:\.\s*\??\s*email\b|\[\s*["']email["']\s*\])/
const verifiedUsed = /\bclaims\s*(?:\.\s*\??\s*email_verified\b|\[\s*["']email_verified["']\s*\])/

function checkUsername(errors: FieldError[], at: string, config: JwtAuthenticatorConfig): void {
  const { username, extra = [] } = config.claimMappings
  const path = `${at}.claimMappings.username`
  const { claim = '', expression = '', prefix } = username
  if (claim === '' && expression === '') errors.push(fieldErrors.required(path, 'claim or expression is required'))
  if (claim !== '' && prefix === undefined)
    errors.push(
      fieldErrors.required(
        `${path}.prefix`,
        'prefix is required when claim is set. It can be set to an empty string to disable prefixing',
      ),
    )
  checkExclusive(errors, path, username)
  if (!emailUsed.test(expression)) return
  const others = [
    expression,
    ...extra.map(({ valueExpression }) => valueExpression),
    ...(config.claimValidationRules ?? []).map((rule) => rule.expression ?? ''),
  ]
  if (!others.some((other) => verifiedUsed.test(other)))
    errors.push(
      fieldErrors.invalid(
        `${path}.expression`,
        expression,
        'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
      ),
    )
}

function checkGroups(errors: FieldError[], at: string, { claimMappings }: JwtAuthenticatorConfig): void {
  const { claim = '', prefix } = claimMappings.groups ?? {}
  const path = `${at}.claimMappings.groups`
  if (claim !== '' && prefix === undefined)
    errors.push(
      fieldErrors.required(
        `${path}.prefix`,
        'prefix is required when claim is set. It can be set to an empty string to disable prefixing',
      ),
    )
  checkExclusive(errors, path, claimMappings.groups ?? {})
}

function checkExclusive(
  errors: FieldError[],
  path: string,
  { claim = '', expression = '', prefix }: { claim?: string; expression?: string; prefix?: string },
): void {
  if (claim !== '' && expression !== '')
    errors.push(fieldErrors.invalid(path, '', "claim and expression can't both be set"))
  if (expression !== '' && prefix !== undefined)
    errors.push(fieldErrors.invalid(`${path}.prefix`, prefix, 'may not be specified when expression is set'))
}

const reserved = /(^|\.)(k8s\.io|kubernetes\.io)$/
const keyForm = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

function checkExtra(errors: FieldError[], at: string, { claimMappings }: JwtAuthenticatorConfig): void {
  const seen = new Set<string>()
  for (const [index, { key = '', valueExpression = '' }] of (claimMappings.extra ?? []).entries()) {
    const path = `${at}.claimMappings.extra[${index}]`
    if (key === '') errors.push(fieldErrors.required(`${path}.key`))
    else if (key !== key.toLowerCase()) errors.push(fieldErrors.invalid(`${path}.key`, key, 'must be lowercase'))
    else if (!keyForm.test(key))
      errors.push(fieldErrors.invalid(`${path}.key`, key, 'must be a domain-prefixed path (such as "acme.io/foo")'))
    if (reserved.test(key.split('/', 1)[0] ?? ''))
      errors.push(
        fieldErrors.invalid(
          `${path}.key`,
          key,
          'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
        ),
      )
    if (seen.has(key)) errors.push(fieldErrors.duplicate(`${path}.key`, key))
    seen.add(key)
    if (valueExpression === '') errors.push(fieldErrors.required(`${path}.valueExpression`))
  }
}
