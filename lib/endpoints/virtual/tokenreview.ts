import { type AuthenticationResult, invalidToken, type TokenContext } from '../../authn/index.ts'
import { type ApiObject, statusErrors } from '../../object/index.ts'
import { parseCreateOptions } from '../../request/index.ts'
import { admitCreation } from './admitcreation.ts'
import { showUser, type UserInfoObject } from './selfsubjectreview.ts'
import type { VirtualHandler } from './virtualhandler.ts'

interface TokenReviewDependencies {
  reviewToken(token: string, context: TokenContext): Promise<AuthenticationResult>
  /** The API's own audiences. */
  readonly audiences: readonly string[]
}

interface TokenReview extends ApiObject {
  spec: { token?: string; audiences?: readonly string[] }
  status?: TokenReviewStatus
}

interface TokenReviewStatus {
  authenticated?: boolean
  user?: UserInfoObject
  audiences?: readonly string[]
  error?: string
}

/** POST: the user of a token, and the requested audiences for which it is valid. */
export function createTokenReviewHandler(
  { reviewToken, audiences: own }: TokenReviewDependencies,
  version = 'v1',
): VirtualHandler {
  const gvk = { group: 'authentication.k8s.io', version, kind: 'TokenReview' }
  const gvr = { group: gvk.group, version, resource: 'tokenreviews' }
  return {
    gvr,
    subresource: '',
    verbs: ['create'],
    namespaced: false,
    named: false,
    async handle(call, kit) {
      const options = parseCreateOptions(call.query)
      // The decoded object has the kind's type.
      const review = (await kit.read(call, gvk, options.fieldValidation)) as TokenReview
      // Reviews have no namespace; a sent one is dropped.
      delete review.metadata.namespace
      const { token = '', audiences = [] } = review.spec ?? {}
      if (token === '') throw statusErrors.badRequest('token is required for TokenReview in authentication')
      await admitCreation(call, kit, { kind: gvk, resource: gvr }, review, options)
      const wanted = audiences.length > 0 ? audiences : own
      const context = wanted.length > 0 ? { signal: call.signal, audiences: wanted } : { signal: call.signal }
      review.status = statusOf(await reviewToken(token, context))
      await kit.respond(call, 201, review)
    },
  }
}

function statusOf(result: AuthenticationResult): TokenReviewStatus {
  if (result.outcome === 'none') return { user: {} }
  if (result.outcome === 'invalid') return { user: {}, error: errorOf(result.reason) }
  const { user, audiences = [] } = result
  return { authenticated: true, user: showUser(user), ...(audiences.length === 0 ? {} : { audiences }) }
}

function errorOf(reason: string): string {
  return reason === invalidToken ? invalidToken : `[${invalidToken}, ${reason}]`
}
