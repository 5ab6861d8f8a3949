import {
  type CelType,
  compile,
  createEnvironment,
  type Environment,
  fromValue,
  kubernetesLibraries,
  ObjectType,
  type Program,
  types,
} from '../../cel/index.ts'
import { type FieldError, fieldErrors } from '../../object/index.ts'
import type { UserInfo } from '../../request/index.ts'
import type { JwtAuthenticatorConfig, PrefixedClaimOrExpression } from './configuration.ts'

type Claims = Readonly<Record<string, unknown>>
type Rule = { readonly program: Program; readonly message: string }

/** Compiled expressions that map claims to a user. */
export interface CompiledMappings {
  readonly claimRules: readonly Rule[]
  readonly username: Program | undefined
  readonly groups: Program | undefined
  readonly uid: Program | undefined
  readonly extra: readonly { readonly key: string; readonly program: Program }[]
  readonly userRules: readonly Rule[]
}

const userType = new ObjectType(
  'kubernetes.UserInfo',
  () =>
    new Map(
      Object.entries<CelType>({
        username: types.string,
        uid: types.string,
        groups: types.list(types.string),
        extra: types.map(types.string, types.list(types.string)),
      }).map(([name, type]) => [name, { name, type }]),
    ),
)

/** Compiles all expressions of one authenticator; reports the paths of those that do not compile. */
export function compileAuthenticator(
  { claimMappings, claimValidationRules = [], userValidationRules = [] }: JwtAuthenticatorConfig,
  at: string,
): { mappings: CompiledMappings; problems: FieldError[] } {
  const problems: FieldError[] = []
  const overClaims = createEnvironment({
    libraries: kubernetesLibraries(),
    variables: { claims: types.map(types.string, types.dyn) },
  })
  const overUser = createEnvironment({ libraries: kubernetesLibraries(), variables: { user: userType } })
  const prepare = (environment: Environment, text = '', path: string, expectedType?: CelType): Program | undefined => {
    if (text === '') return undefined
    const compiled = compile(environment, text, expectedType ? { expectedType } : {})
    if (compiled.ok) return compiled.program
    problems.push(fieldErrors.invalid(`${at}.${path}`, text, compiled.message))
    return undefined
  }
  const rules = (
    environment: Environment,
    list: readonly { readonly expression?: string; readonly message?: string }[],
    path: string,
  ): Rule[] =>
    list.flatMap(({ expression, message = '' }, index) => {
      const program = prepare(environment, expression, `${path}[${index}].expression`, types.bool)
      return program ? [{ program, message: message || `validation expression '${program.text}' failed` }] : []
    })
  const { username, groups, uid, extra = [] } = claimMappings
  const mappings = {
    claimRules: rules(overClaims, claimValidationRules, 'claimValidationRules'),
    username: prepare(overClaims, username.expression, 'claimMappings.username.expression'),
    groups: prepare(overClaims, groups?.expression, 'claimMappings.groups.expression'),
    uid: prepare(overClaims, uid?.expression, 'claimMappings.uid.expression'),
    extra: extra.flatMap(({ key, valueExpression }, index) => {
      const program = prepare(overClaims, valueExpression, `claimMappings.extra[${index}].valueExpression`)
      return program ? [{ key, program }] : []
    }),
    userRules: rules(overUser, userValidationRules, 'userValidationRules'),
  }
  return { mappings, problems }
}

/** Claims that can't be mapped to a user; the message is for the log. */
export class ClaimError extends Error {
  override readonly name = 'ClaimError'
}

/** Maps verified claims to a user. Throws ClaimError. */
export function userOf(claims: Claims, config: JwtAuthenticatorConfig, mappings: CompiledMappings): UserInfo {
  const bindings = { claims }
  for (const { claim = '', requiredValue = '' } of config.claimValidationRules ?? []) {
    if (claim !== '' && claims[claim] !== requiredValue)
      throw new ClaimError(`the claim ${claim} does not have the value that is required`)
  }
  for (const rule of mappings.claimRules) enforce(rule, bindings)
  const { username, groups, uid } = config.claimMappings
  const extra = extraOf(claims, mappings)
  const user = {
    name: mappings.username ? textOf(mappings.username, bindings, 'username') : usernameOf(claims, username),
    uid: mappings.uid ? textOf(mappings.uid, bindings, 'uid') : uid?.claim ? claimText(claims, uid.claim) : '',
    groups: mappings.groups ? listOf(mappings.groups, bindings, 'groups') : groupsOf(claims, groups),
    extra,
  }
  if (user.name === '') throw new ClaimError('the username is empty')
  const shown = { username: user.name, uid: user.uid, groups: user.groups, extra: user.extra }
  for (const rule of mappings.userRules) enforce(rule, { user: shown })
  return user
}

function evaluate(program: Program, bindings: Readonly<Record<string, unknown>>, what: string): unknown {
  const outcome = program.evaluate(bindings)
  if (!outcome.ok) throw new ClaimError(`the expression for ${what} failed: ${outcome.error.message}`)
  return fromValue(outcome.value)
}

function enforce({ program, message }: Rule, bindings: Readonly<Record<string, unknown>>): void {
  if (evaluate(program, bindings, 'a validation rule') !== true) throw new ClaimError(message)
}

function textOf(program: Program, bindings: Readonly<Record<string, unknown>>, what: string): string {
  const value = evaluate(program, bindings, what)
  if (typeof value !== 'string') throw new ClaimError(`the expression for ${what} makes no string`)
  return value
}

/** A string, a list of strings, or nothing; empty strings count as nothing. */
function listOf(program: Program, bindings: Readonly<Record<string, unknown>>, what: string): string[] {
  const value = evaluate(program, bindings, what)
  if (value === null) return []
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((each) => {
    if (typeof each !== 'string')
      throw new ClaimError(`the expression for ${what} makes neither a string nor a list of strings`)
    return each === '' ? [] : [each]
  })
}

function claimText(claims: Claims, claim: string): string {
  const value = claims[claim]
  if (typeof value !== 'string') throw new ClaimError(`the claim ${claim} is no string`)
  return value
}

function usernameOf(claims: Claims, { claim = '', prefix = '' }: PrefixedClaimOrExpression): string {
  const value = claimText(claims, claim)
  // An unverified address proves nothing: anyone may have registered it.
  if (claim === 'email' && 'email_verified' in claims && claims['email_verified'] !== true)
    throw new ClaimError('the email address is not verified')
  return value === '' ? '' : prefix + value
}

function groupsOf(claims: Claims, mapping: PrefixedClaimOrExpression | undefined): string[] {
  const claim = mapping?.claim ?? ''
  if (claim === '' || !(claim in claims)) return []
  const value = claims[claim]
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map((group) => {
    if (typeof group !== 'string') throw new ClaimError(`the claim ${claim} is neither a string nor a list of strings`)
    return `${mapping?.prefix ?? ''}${group}`
  })
}

const credentialId = 'authentication.kubernetes.io/credential-id'

function extraOf(claims: Claims, { extra }: CompiledMappings): Record<string, readonly string[]> {
  const values: Record<string, readonly string[]> = {}
  const id = claims['jti']
  if (typeof id === 'string' && id !== '') values[credentialId] = [`JTI=${id}`]
  for (const { key, program } of extra) {
    const list = listOf(program, { claims }, key)
    if (list.length > 0) values[key] = list
  }
  return values
}
