import { appendAll } from '../base/index.ts'
/** Checks one value: returns error messages for clients, none when it is valid. */
export type Validator = (value: string) => string[]

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
const underscoreLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'

const label1123 = pattern(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  label,
  ['my-name', '123-abc'],
)
const subdomain1123 = pattern(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain,
  ['example.com'],
)
const subdomainCaseless = pattern(
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain,
  ['example.com'],
  'i',
)
const subdomainUnderscore = pattern(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  `${underscoreLabel}(\\.${underscoreLabel})*`,
  ['example.com'],
)
const label1035 = pattern(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  ['my-name', 'abc-123'],
)
const wildcard = pattern(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  `\\*\\.${subdomain}`,
  ['*.example.com'],
)
const namePart = pattern(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualified,
  ['MyName', 'my.name', '123-abc'],
)
const labelText = pattern(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${qualified})?`,
  ['MyValue', 'my_value', '12345'],
)
const configKeyText = pattern(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  '[-._a-zA-Z0-9]+',
  ['key.name', 'KEY_NAME', 'key-name'],
)
const reasonText = pattern(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?',
  ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
)
const envText = pattern(
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  '[-._a-zA-Z][-._a-zA-Z0-9]*',
  ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'],
)
const cText = pattern(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  '[A-Za-z_][A-Za-z0-9_]*',
  ['my_name', 'MY_NAME', 'MyName'],
)
const percentText = pattern("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', [
  '1%',
  '93%',
])
const headerText = pattern("a valid HTTP header must consist of alphanumeric characters or '-'", '[-A-Za-z0-9]+', [
  'X-Header-Name',
])
const httpPath = pattern('Invalid path', "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+", [])

export const validateDns1123Label: Validator = (value) => {
  const findings = tooLong(value, 63, 'characters')
  if (!label1123.matches(value)) {
    findings.push(subdomain1123.matches(value) ? 'must not contain dots' : label1123.message)
  }
  return findings
}
export const validateDns1123Subdomain = limited(subdomain1123, 253)
export const validateDns1123SubdomainCaseless = limited(subdomainCaseless, 253)
/** Search domains of a pod's DNS configuration. */
export const validateDns1123SubdomainWithUnderscore = limited(subdomainUnderscore, 253)
export const validateDns1035Label = limited(label1035, 63)
export const validateWildcardSubdomain = limited(wildcard, 253)

/** Names of webhooks: at least three segments. */
export const validateFullyQualifiedName: Validator = (value) => {
  const findings = validateDns1123Subdomain(value)
  if (findings.length === 0 && value.split('.').length < 3) {
    findings.push('should be a domain with at least three segments separated by dots')
  }
  return findings
}

/** `acme.io/foo`. */
export const validateDomainPrefixedPath: Validator = (value) => {
  const slash = value.indexOf('/')
  const host = value.slice(0, slash)
  const path = value.slice(slash + 1)
  if (slash <= 0 || path === '') return ['must be a domain-prefixed path (such as "acme.io/foo")']
  const findings = validateDns1123Subdomain(host)
  if (!httpPath.matches(path)) findings.push(httpPath.message)
  return findings
}

/** `name` or `prefix/name`: label keys, annotation keys, finalizers. */
export const validateQualifiedName: Validator = (value) => {
  const slash = value.indexOf('/')
  if (slash >= 0 && value.includes('/', slash + 1)) {
    return [
      `a valid label key ${namePart.message} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const findings: string[] = []
  if (slash === 0) findings.push('prefix part must be non-empty')
  else if (slash > 0) {
    for (const finding of subdomainFindings(value.slice(0, slash))) findings.push(`prefix part ${finding}`)
  }
  const name = value.slice(slash + 1)
  if (name === '') findings.push('name part must be non-empty')
  else if (byteLength(name) > 63) findings.push('name part must be no more than 63 bytes')
  if (!namePart.matches(name)) findings.push(`name part ${namePart.message}`)
  return findings
}

export const validateLabelValue: Validator = (value) => {
  const findings = tooLong(value, 63, 'bytes')
  if (!labelText.matches(value)) findings.push(labelText.message)
  return findings
}

/** Names that only need to be one segment of a URL's path: roles, signing requests. */
export const validatePathSegmentName: Validator = (value) => {
  if (value === '.') return ["may not be '.'"]
  if (value === '..') return ["may not be '..'"]
  return validatePathSegmentPrefix(value)
}
export const validatePathSegmentPrefix: Validator = (value) => {
  const findings: string[] = []
  for (const illegal of ['/', '%']) if (value.includes(illegal)) findings.push(`may not contain '${illegal}'`)
  return findings
}

export const validateConfigKey: Validator = (value) => {
  const findings = tooLong(value, 253, 'characters')
  if (!configKeyText.matches(value)) findings.push(configKeyText.message)
  return findings.concat(directorySteps(value))
}

/** The strict form: identifiers in most shells. */
export const validateEnvName: Validator = (value) =>
  (envText.matches(value) ? [] : [envText.message]).concat(directorySteps(value))

/** Any printable ASCII but '='. */
export const validateRelaxedEnvName: Validator = (value) => {
  if (value === '') return ['environment variable name must be non-empty']
  return /^[ -<>-~]+$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}

export const validateCIdentifier: Validator = (value) => (cText.matches(value) ? [] : [cText.message])
export const validatePercent: Validator = (value) => (percentText.matches(value) ? [] : [percentText.message])
export const validateHttpHeaderName: Validator = (value) => (headerText.matches(value) ? [] : [headerText.message])

export const validatePortName: Validator = (value) => {
  const findings = tooLong(value, 15, 'characters')
  if (!/^[-a-z0-9]+$/.test(value)) {
    findings.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(value)) findings.push('must contain at least one letter (a-z)')
  if (value.includes('--')) findings.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) findings.push('must not begin or end with a hyphen')
  return findings
}

export function validatePortNumber(port: number): string[] {
  return inRange(port, 1, 65535)
}
/** User ids. */
export function validateUserId(id: number): string[] {
  return inRange(id, 0, 2147483647)
}
export function validateGroupId(id: number): string[] {
  return inRange(id, 0, 2147483647)
}

/** The reason of a condition: one word for programs. */
export const validateConditionReason: Validator = (value) => (reasonText.matches(value) ? [] : [reasonText.message])

/** `example.com/signer-name`. */
export const validateSignerName: Validator = (value) => {
  const parts = value.split('/')
  const [domain = '', path = ''] = parts
  if (parts.length !== 2 || domain === '' || path === '') {
    return ["must be a fully qualified domain and path of the form 'example.com/signer-name'"]
  }
  const findings: string[] = []
  if (domain.length > 253) findings.push('may not be more than 253 bytes')
  const labels = domain.split('.')
  for (const part of labels) appendAll(findings, labelFindings(part, validateDns1123Label))
  if (labels.length < 2) findings.push('should be a domain with at least two segments separated by dots')
  for (const part of path.split('.')) appendAll(findings, labelFindings(part, validateDns1123Subdomain))
  if (value.length > 571) findings.push('may not be more than 571 bytes')
  return findings
}

interface Pattern {
  matches(value: string): boolean
  readonly message: string
}

function pattern(rule: string, regex: string, examples: readonly string[], flags = ''): Pattern {
  const compiled = new RegExp(`^(?:${regex})$`, flags)
  const shown = flags === 'i' ? `(?i)${regex}` : regex
  const list = examples.length === 0 ? '' : `e.g. ${examples.map((example) => `'${example}'`).join(',  or ')}, `
  // `$` must not match before a final newline, and JavaScript's doesn't.
  return {
    matches: (value) => compiled.test(value),
    message: `${rule} (${list}regex used for validation is '${shown}')`,
  }
}

function limited(rule: Pattern, bytesMax: number): Validator {
  return (value) => {
    const findings = tooLong(value, bytesMax, 'characters')
    if (!rule.matches(value)) findings.push(rule.message)
    return findings
  }
}

function subdomainFindings(value: string): string[] {
  const findings = tooLong(value, 253, 'bytes')
  if (!subdomain1123.matches(value)) findings.push(subdomain1123.message)
  return findings
}

function tooLong(value: string, bytesMax: number, unit: 'characters' | 'bytes'): string[] {
  return byteLength(value) > bytesMax ? [`must be no more than ${bytesMax} ${unit}`] : []
}

function byteLength(value: string): number {
  return Buffer.byteLength(value)
}

function labelFindings(part: string, validate: Validator): string[] {
  return validate(part).map((finding) => `validating label "${part}": ${finding}`)
}

function directorySteps(value: string): string[] {
  if (value === '.') return ["must not be '.'"]
  if (value === '..') return ["must not be '..'"]
  return value.startsWith('..') ? ["must not start with '..'"] : []
}

function inRange(value: number, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [`must be between ${low} and ${high}, inclusive`]
}
