import { adminToken } from '../../support/apiserver.ts'
import { ask } from '../../support/plane.ts'

interface Answer {
  readonly status: number
  readonly json: Record<string, unknown> & { message?: string; status?: unknown; details?: unknown }
}

/** Asks as a user, in whose name the administrator asks. */
export async function as(
  server: { readonly url: string },
  user: string,
  path: string,
  options: { groups?: readonly string[]; method?: string; body?: object; type?: string } = {},
): Promise<Answer> {
  const { groups = [], method, body, type = 'application/json' } = options
  const headers: Record<string, string> = { 'content-type': type }
  if (user !== '') headers['impersonate-user'] = user
  if (groups.length > 0) headers['impersonate-group'] = groups as unknown as string
  const answer = await ask(server.url, path, {
    token: adminToken,
    headers,
    body,
    ...(method !== undefined && { method }),
  })
  return { status: answer.status, json: answer.body }
}

export const group = '/apis/rbac.authorization.k8s.io/v1'

export function binding(name: string, kind: string, role: string, ...users: string[]): object {
  return {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
    subjects: users.map((user) => ({ kind: 'User', name: user })),
  }
}

export function role(name: string, ...rules: object[]): object {
  return { metadata: { name }, rules }
}
