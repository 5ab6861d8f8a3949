import { splitServiceAccountName } from '../../authn/index.ts'
import type { AuthorizationAttributes } from '../../authz/index.ts'
import type { UserInfo } from '../../request/index.ts'
import { type ImpersonationVerb, nodeNameOf } from './authorizewanted.ts'

/**
 * One way in which a user may be impersonated (KEP-5284). A constrained mode needs two permissions: to act so
 * (`impersonate-on:<name>:<verb of the request>`, on what is requested) and to be the user (`impersonate:<name>`).
 */
export interface ImpersonationMode extends ImpersonationVerb {
  readonly name: string
  /** Whether this mode decides about the user. Runs before any look at a cache. */
  covers(wanted: UserInfo, requestor: UserInfo): boolean
  /** Another view of what authorizers are asked and caches are keyed by. */
  generalize?(attributes: AuthorizationAttributes): AuthorizationAttributes
}

const nodeNameKey = 'authentication.kubernetes.io/node-name'
const nodeKeysKey = 'authentication.kubernetes.io/associated-node-keys'

/** The node on which the pod of this service account runs; undefined for other users. */
function nodeOfAccount({ name, extra }: UserInfo): string | undefined {
  const nodes = extra[nodeNameKey]
  return nodes?.length === 1 && splitServiceAccountName(name) !== undefined ? nodes[0] : undefined
}

function onlyNamed({ uid, groups, extra }: UserInfo): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0
}

function constrained(
  name: string,
  covers: ImpersonationMode['covers'],
  generalize?: ImpersonationMode['generalize'],
): ImpersonationMode {
  return { name, verb: `impersonate:${name}`, constrained: true, covers, ...(generalize && { generalize }) }
}

/** In the order in which they are tried. */
export const impersonationModes: readonly ImpersonationMode[] = [
  constrained(
    'associated-node',
    (wanted, requestor) => {
      const node = nodeNameOf(wanted.name)
      return node !== undefined && onlyNamed(wanted) && nodeOfAccount(requestor) === node
    },
    // An agent on every node: its permission is that of its service account, whatever the node. So authorizers see no
    // node, and one cached decision is good for all of them.
    (attributes) => ({
      ...attributes,
      user: { ...attributes.user, extra: { [nodeKeysKey]: Object.keys(attributes.user.extra).sort() } },
      ...(attributes.verb === 'impersonate:associated-node' && { name: '*' }),
    }),
  ),
  constrained('arbitrary-node', (wanted) => onlyNamed(wanted) && nodeNameOf(wanted.name) !== undefined),
  constrained('serviceaccount', (wanted) => onlyNamed(wanted) && splitServiceAccountName(wanted.name) !== undefined),
  constrained('user-info', ({ name }) => nodeNameOf(name) === undefined && splitServiceAccountName(name) === undefined),
  { name: 'legacy', verb: 'impersonate', constrained: false, covers: () => true },
]

/** The mode in whose name authorizers are asked with this verb. */
export function modeOfVerb(verb: string): string {
  const [what = '', name = ''] = verb.split(':', 2)
  return what === 'impersonate' && name === '' ? 'legacy' : name
}
