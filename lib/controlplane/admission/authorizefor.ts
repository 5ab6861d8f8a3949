import type { AuthorizeFor } from '../../admission/index.ts'
import type { Authorizer } from '../../authz/index.ts'

/** Lets expressions check the permissions of a user or a service account. */
export function createAuthorizeFor(authorizer: Authorizer): AuthorizeFor {
  return (user, signal) => (query) => {
    const { serviceAccount, verb, path, group = '', resource = '', subresource = '', namespace = '', name = '' } = query
    const asked = serviceAccount
      ? {
          name: `system:serviceaccount:${serviceAccount.namespace}:${serviceAccount.name}`,
          uid: '',
          groups: [
            'system:serviceaccounts',
            `system:serviceaccounts:${serviceAccount.namespace}`,
            'system:authenticated',
          ],
          extra: {},
        }
      : user
    const question = {
      user: asked,
      verb,
      isResource: path === undefined,
      path: path ?? '',
      group,
      version: path === undefined ? '*' : '',
      resource,
      subresource,
      namespace,
      name,
      ...(query.fieldSelector ? { fieldSelector: query.fieldSelector.text } : {}),
      ...(query.labelSelector ? { labelSelector: query.labelSelector.text } : {}),
    }
    const answer = authorizer.authorize(question, { signal })
    const told = ({ decision, reason, error }: Awaited<typeof answer>) => ({
      allowed: decision === 'allow',
      reason,
      ...(error ? { error: error.message } : {}),
    })
    return answer instanceof Promise ? answer.then(told) : told(answer)
  }
}
