import { type AuthorizationAttributes, type Authorizer, forbiddenMessage } from '../../authz/index.ts'
import { type StatusError, statusErrors } from '../../object/index.ts'

/** Resolves where the action is allowed; rejects with a StatusError (403) otherwise. */
export type Check = (attributes: AuthorizationAttributes) => Promise<void>

/** A 403 about the attributes. */
export function refusal(attributes: AuthorizationAttributes, reason: string): StatusError {
  return statusErrors.forbidden(attributes, attributes.name, forbiddenMessage(attributes, reason))
}

const undecided = 'authorization could not be decided'

/** Asks an authorizer. That one failed is part of the message; how it failed is only logged, as it may name addresses. */
export function createCheck(authorizer: Authorizer, context: { signal: AbortSignal }): Check {
  return async (attributes) => {
    const { decision, reason, error } = await authorizer.authorize(attributes, context)
    if (decision === 'allow') return
    const reasons = [error === undefined ? '' : undecided, reason].filter((text) => text !== '')
    throw refusal(attributes, reasons.join(': '))
  }
}
