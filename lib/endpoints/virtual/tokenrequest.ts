import { claimOf, claimsFor, type Lookup, type ObjectClaim, type TokenClaims } from '../../authn/index.ts'
import type { Clock, Random } from '../../base/index.ts'
import { type ApiObject, fieldErrors, formatTime, type GroupVersionKind, statusErrors } from '../../object/index.ts'
import { type Call, parseCreateOptions } from '../../request/index.ts'
import { admitCreation } from './admitcreation.ts'
import type { VirtualHandler } from './virtualhandler.ts'

interface TokenRequestDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly lookup: Lookup
  sign(claims: TokenClaims): Promise<string>
}

interface TokenRequestOptions {
  readonly issuer: string
  /** Audiences of tokens that are requested without any. */
  readonly audiences: readonly string[]
  /** Maximum lifetime; 0: no limit. */
  readonly expirationSecondsMax: number
  /** Makes the tokens of pods valid for a year, and records when they should have been renewed. */
  readonly extendExpiration: boolean
  /** Maximum of that longer lifetime. Default: expirationSecondsMax. */
  readonly extendedSecondsMax?: number
}

interface TokenRequest extends ApiObject {
  spec: {
    audiences?: readonly string[]
    expirationSeconds?: number
    boundObjectRef?: { kind?: string; apiVersion?: string; name?: string; uid?: string }
  }
  status?: { token: string; expirationTimestamp: string }
}

const gvk: GroupVersionKind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }
const creation = {
  kind: gvk,
  resource: { group: '', version: 'v1', resource: 'serviceaccounts' },
  subresource: 'token',
}
const serviceAccounts = { group: '', resource: 'serviceaccounts' }
const defaultSeconds = 3600
const secondsMin = 600
const secondsMax = 2 ** 32
/** The lifetime that kubelets request; only exactly this one is extended. */
const extendableSeconds = 3607
const extendedSeconds = 365 * 24 * 3600

/** POST to a service account's `token`. */
export function createTokenRequestHandler(
  dependencies: TokenRequestDependencies,
  options: TokenRequestOptions,
): VirtualHandler {
  return {
    gvr: { group: '', version: 'v1', resource: 'serviceaccounts' },
    subresource: 'token',
    verbs: ['create'],
    namespaced: true,
    named: true,
    async handle(call, kit) {
      const { namespace, name } = call.info
      const writeOptions = parseCreateOptions(call.query)
      // The decoded object has the kind's type.
      const request = (await kit.read(call, gvk, writeOptions.fieldValidation)) as TokenRequest
      request.spec ??= {}
      request.spec.expirationSeconds ??= defaultSeconds
      await admitCreation(call, kit, creation, request, writeOptions)
      checkSubject(request, namespace, name)
      const account = await dependencies.lookup('serviceaccounts', namespace, name, call.signal)
      if (account === undefined) throw statusErrors.notFound(serviceAccounts, name)
      complete(request, namespace, name, options)
      request.metadata.creationTimestamp = formatTime(dependencies.clock.now())
      check(request)
      await issue(call, request, account, dependencies, options)
      await kit.respond(call, 201, request)
    },
  }
}

/** Checks that name and namespace in the body are those of the path. */
function checkSubject({ metadata }: TokenRequest, namespace: string, name: string): void {
  const subject = { group: gvk.group, kind: gvk.kind }
  if (metadata.name && metadata.name !== name)
    throw statusErrors.invalid(subject, name, [
      fieldErrors.invalid('metadata.name', metadata.name, 'must match the service account name if specified'),
    ])
  if (metadata.namespace && metadata.namespace !== namespace)
    throw statusErrors.invalid(subject, name, [
      fieldErrors.invalid(
        'metadata.namespace',
        metadata.namespace,
        'must match the service account namespace if specified',
      ),
    ])
}

function complete(request: TokenRequest, namespace: string, name: string, { audiences }: TokenRequestOptions): void {
  request.metadata.name = name
  request.metadata.namespace = namespace
  if (!request.spec.audiences?.length) request.spec.audiences = audiences
  delete request.status
}

function check({ spec }: TokenRequest): void {
  const seconds = Number(spec.expirationSeconds)
  const problem =
    seconds < secondsMin
      ? 'may not specify a duration less than 10 minutes'
      : seconds > secondsMax
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined
  if (problem !== undefined)
    throw statusErrors.invalid({ group: gvk.group, kind: gvk.kind }, '', [
      fieldErrors.invalid('spec.expirationSeconds', seconds, problem),
    ])
}

interface Bound {
  readonly pod?: ApiObject | undefined
  readonly secret?: ApiObject | undefined
  readonly node?: ObjectClaim | undefined
}

/** Writes the token into the request's status. */
async function issue(
  call: Call,
  request: TokenRequest,
  account: ApiObject,
  { clock, random, lookup, sign }: TokenRequestDependencies,
  options: TokenRequestOptions,
): Promise<void> {
  const { spec } = request
  const bound = await findBound(call, request, lookup)
  let asked = Number(spec.expirationSeconds)
  if (options.expirationSecondsMax > 0 && asked > options.expirationSecondsMax) {
    call.warnings.add(`requested expiration of ${asked} seconds shortened to ${options.expirationSecondsMax} seconds`)
    asked = options.expirationSecondsMax
    spec.expirationSeconds = asked
  }
  const audiences = spec.audiences ?? []
  const isOwn = audiences.every((audience) => options.audiences.includes(audience))
  const extends_ = options.extendExpiration && bound.pod !== undefined && asked === extendableSeconds && isOwn
  const nowMs = clock.now()
  const id = random.uuid()
  const claims = claimsFor(account, {
    issuer: options.issuer,
    id,
    nowSeconds: Math.floor(nowMs / 1000),
    lifetimeSeconds: extends_ ? extended(options) : asked,
    ...(extends_ ? { warnAfterSeconds: asked } : {}),
    audiences,
    ...bound,
  })
  const token = await sign(claims)
  call.audit.annotate('authentication.kubernetes.io/issued-credential-id', `JTI=${id}`)
  request.status = { token, expirationTimestamp: formatTime(nowMs + asked * 1000) }
}

function extended({ expirationSecondsMax, extendedSecondsMax = expirationSecondsMax }: TokenRequestOptions): number {
  return extendedSecondsMax > 0 ? Math.min(extendedSeconds, extendedSecondsMax) : extendedSeconds
}

async function findBound(call: Call, { spec }: TokenRequest, lookup: Lookup): Promise<Bound> {
  const reference = spec.boundObjectRef
  if (reference === undefined) return {}
  const { kind = '', apiVersion = '', name = '', uid = '' } = reference
  const { namespace } = call.info
  const find = async (resource: 'pods' | 'secrets' | 'nodes'): Promise<ApiObject> => {
    if (name === '') throw statusErrors.badRequest('Name parameter required.')
    const found = await lookup(resource, resource === 'nodes' ? '' : namespace, name, call.signal)
    if (found === undefined) throw statusErrors.notFound({ group: '', resource }, name)
    if (uid === '' || uid === found.metadata.uid) return found
    throw statusErrors.conflict(
      { group: '', resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    )
  }
  // The core group has only one version: any version is accepted, even none.
  switch (apiVersion.includes('/') ? '' : kind) {
    case 'Pod': {
      const pod = await find('pods')
      const { serviceAccountName: runsAs = '', nodeName = '' } = (pod as PodLike).spec ?? {}
      if (runsAs !== call.info.name)
        throw statusErrors.badRequest(
          `cannot bind token for serviceaccount "${call.info.name}" to pod running with different serviceaccount name.`,
        )
      return { pod, node: nodeName === '' ? undefined : await nodeClaim(nodeName, lookup, call.signal) }
    }
    case 'Secret':
      return { secret: await find('secrets') }
    case 'Node':
      return { node: claimOf(await find('nodes')) }
    default:
      throw statusErrors.badRequest(`cannot bind token to object of type ${describeKind(apiVersion, kind)}`)
  }
}

type PodLike = ApiObject & { spec?: { serviceAccountName?: string; nodeName?: string } }

/** A pod's node may be deleted already: then only its name is known. */
async function nodeClaim(name: string, lookup: Lookup, signal: AbortSignal): Promise<ObjectClaim> {
  const node = await lookup('nodes', '', name, signal)
  return node === undefined ? { name } : claimOf(node)
}

function describeKind(apiVersion: string, kind: string): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/', 2) : ['', apiVersion]
  return `${group}/${version}, Kind=${kind}`
}
