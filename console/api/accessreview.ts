import { fieldOf, text } from '../state/values.ts'
import { readJson } from './session.ts'

export interface AccessQuestion {
  readonly user: string
  readonly groups: readonly string[]
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

export interface AccessAnswer {
  readonly isAllowed: boolean
  /** The words of the authorizer that decided: of RBAC binding, role and subject. */
  readonly reason: string
}

/** Asks the server's own authorizers. Throws ApiError, such as for users who may not ask about others. */
export async function askAccess({ user, groups, ...attributes }: AccessQuestion): Promise<AccessAnswer> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, groups, resourceAttributes: attributes },
  }
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
  const { status } = await readJson(path, { method: 'POST', body: JSON.stringify(review) })
  const reason = [fieldOf(status, 'reason'), fieldOf(status, 'evaluationError')].map(text).filter((each) => each !== '')
  return { isAllowed: fieldOf(status, 'allowed') === true, reason: reason.join('; ') }
}
