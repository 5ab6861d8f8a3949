import { parseFieldSelector, quote } from '../../object/index.ts'
import { nodeOf } from '../../request/index.ts'
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, RuleResolver } from '../authorizer.ts'
import { nodeRules } from '../rbac/defaults.ts'
import { pathAction, RuleIndex, resourceAction } from '../rbac/rules.ts'
import type { GraphKind, NodeGraph } from './graph.ts'

interface NodeAuthorizerOptions {
  /** Resources of which a node may read only its own Node and its own pods. */
  readonly selectors: boolean
  /** A node may get the service accounts of its pods. */
  readonly serviceAccounts: boolean
  /** Gate PodCertificateRequest. */
  readonly podCertificates: boolean
}

type Answer = AuthorizationResult | Promise<AuthorizationResult>
type Rule = (node: string, attributes: AuthorizationAttributes) => Answer

/** A graph whose pods of a node may be read when the node asks first. A rejection allows nothing. */
export interface NodeReach {
  reaches(...about: Parameters<NodeGraph['reaches']>): boolean | Promise<boolean>
}

const allowed: AuthorizationResult = { decision: 'allow', reason: '' }
const noOpinion = (reason = ''): AuthorizationResult => ({ decision: 'no-opinion', reason })
const leaseNamespace = 'kube-node-lease'

/** Mode Node: a kubelet may read what the pods on its node need, and maintain the objects of its own node. */
export function createNodeAuthorizer(
  { graph }: { graph: NodeReach },
  options: NodeAuthorizerOptions,
): Authorizer & RuleResolver {
  const general = new RuleIndex<true>()
  for (const rule of nodeRules()) general.add(rule, true)
  const byResource = rulesOf(graph, options)
  return {
    name: 'node',
    authorize(attributes) {
      const { user, isResource, group, resource, subresource, verb, path, name } = attributes
      const node = nodeOf(user)
      if (node === undefined) return noOpinion()
      if (node === '') return noOpinion(`unknown node for user ${quote(user.name)}`)
      const rule = isResource ? byResource.get(`${group}/${resource}`) : undefined
      if (rule) return rule(node, attributes)
      const action = isResource ? resourceAction(verb, group, resource, subresource, name) : pathAction(verb, path)
      return general.find(action) ? allowed : noOpinion()
    },
    rulesFor(user) {
      const isNode = nodeOf(user) !== undefined
      const errors = isNode ? ['node authorizer does not support user rule resolution'] : []
      return Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: isNode, errors })
    },
  }
}

function rulesOf(graph: NodeReach, options: NodeAuthorizerOptions): ReadonlyMap<string, Rule> {
  const related =
    (kind: GraphKind): Rule =>
    (node, { namespace, name }) => {
      if (name === '') return noOpinion('No Object name found')
      const related = graph.reaches(node, kind, namespace, name)
      return typeof related === 'boolean' ? relation(related, node) : related.then((known) => relation(known, node))
    }
  const get =
    (kind: GraphKind): Rule =>
    (node, attributes) => {
      if (attributes.verb !== 'get') return noOpinion('can only get individual resources of this type')
      if (attributes.subresource !== '') return noOpinion('cannot get subresource')
      return related(kind)(node, attributes)
    }
  const read =
    (kind: GraphKind): Rule =>
    (node, attributes) => {
      if (!isRead(attributes.verb)) return noOpinion('can only read resources of this type')
      if (attributes.subresource !== '') return noOpinion('cannot read subresource')
      if (attributes.namespace === '') return noOpinion('can only read namespaced object of this type')
      return related(kind)(node, attributes)
    }
  const claims: Rule = (node, attributes) => {
    if (attributes.subresource !== 'status') return get('claim')(node, attributes)
    // The message says get, which is refused as well: clients know it so.
    if (attributes.verb !== 'update' && attributes.verb !== 'patch')
      return noOpinion('can only get/update/patch this type')
    return related('claim')(node, attributes)
  }
  const serviceAccounts: Rule = (node, attributes) => {
    const { verb, name, subresource } = attributes
    if (options.serviceAccounts && subresource === '') return get('serviceaccount')(node, attributes)
    if (verb !== 'create' || name === '') return noOpinion('can only create tokens for individual service accounts')
    if (subresource !== 'token') return noOpinion('can only create token subresource of serviceaccount')
    return related('serviceaccount')(node, attributes)
  }
  const slices: Rule = (node, attributes) => {
    const { verb, subresource } = attributes
    if (subresource !== '') return noOpinion('cannot authorize ResourceSlice subresources')
    if (verb === 'create') return allowed
    if (['get', 'update', 'patch', 'delete'].includes(verb)) return related('resourceslice')(node, attributes)
    if (!['list', 'watch', 'deletecollection'].includes(verb))
      return noOpinion(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      )
    if (selectsNode(attributes, node)) return allowed
    return noOpinion('can only list/watch/deletecollection resourceslices with nodeName field selector')
  }
  const certificateRequests: Rule = (node, attributes) => {
    const { verb, subresource } = attributes
    if (!options.podCertificates) return noOpinion()
    if (subresource !== '') return noOpinion('nodes may not access the status subresource of PodCertificateRequests')
    if (verb === 'create') return allowed // admission checks which pod and node the request names
    if (verb === 'get') return related('podcertificaterequest')(node, attributes)
    if (!isRead(verb)) return noOpinion(`nodes may not ${verb} podcertificaterequests`)
    if (selectsNode(attributes, node)) return allowed
    return noOpinion('can only list/watch podcertificaterequests with nodeName field selector')
  }
  const rules: [string, Rule][] = [
    ['/secrets', read('secret')],
    ['/configmaps', read('configmap')],
    ['/persistentvolumeclaims', claims],
    ['/persistentvolumes', get('volume')],
    ['/serviceaccounts', serviceAccounts],
    ['resource.k8s.io/resourceclaims', get('resourceclaim')],
    ['resource.k8s.io/resourceslices', slices],
    ['certificates.k8s.io/podcertificaterequests', certificateRequests],
    ['storage.k8s.io/volumeattachments', get('attachment')],
    ['storage.k8s.io/csinodes', ownCsiNode],
    ['coordination.k8s.io/leases', ownLease],
  ]
  if (options.selectors) rules.push(['/nodes', ownNode], ['/pods', podsOf(get('pod'), related('pod'))])
  return new Map(rules)
}

function relation(isKnown: boolean, node: string): AuthorizationResult {
  return isKnown ? allowed : noOpinion(`no relationship found between node '${node}' and this object`)
}

const keepVerbs = new Set(['get', 'create', 'update', 'patch', 'delete'])

const ownLease: Rule = (node, { verb, namespace, name }) => {
  if (!keepVerbs.has(verb)) return noOpinion('can only get, create, update, patch, or delete a node lease')
  if (namespace !== leaseNamespace)
    return noOpinion(`can only access leases in the ${quote(leaseNamespace)} system namespace`)
  if (verb !== 'create' && name !== node)
    return noOpinion('can only access node lease with the same name as the requesting node')
  return allowed
}

const ownCsiNode: Rule = (node, { verb, subresource, name }) => {
  if (!keepVerbs.has(verb)) return noOpinion('can only get, create, update, patch, or delete a CSINode')
  if (subresource !== '') return noOpinion('cannot authorize CSINode subresources')
  if (verb !== 'create' && name !== node)
    return noOpinion('can only access CSINode with the same name as the requesting node')
  return allowed
}

/** Admission (NodeRestriction) checks that a node writes only its own Node. */
const ownNode: Rule = (node, { verb, subresource, name }) => {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : noOpinion()
  if (subresource !== '') return noOpinion()
  if (verb === 'create' || verb === 'update' || verb === 'patch') return allowed
  if (!isRead(verb)) return noOpinion()
  if (name === node) return allowed
  const what = name === '' ? 'all nodes' : `'${name}'`
  return noOpinion(`node '${node}' cannot read ${what}, only its own Node object`)
}

const podsOf =
  (get: Rule, related: Rule): Rule =>
  (node, attributes) => {
    const { verb, subresource, name } = attributes
    if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : noOpinion()
    if (subresource === 'eviction') return verb === 'create' ? allowed : noOpinion()
    if (subresource !== '') return noOpinion()
    if (verb === 'create' || verb === 'delete') return allowed
    if (verb === 'get') return get(node, attributes)
    if (!isRead(verb)) return noOpinion()
    if (selectsNode(attributes, node)) return allowed
    if (name !== '') return related(node, attributes)
    return noOpinion('can only list/watch pods with spec.nodeName field selector')
  }

function isRead(verb: string): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch'
}

function selectsNode({ fieldSelector = '' }: AuthorizationAttributes, node: string): boolean {
  if (fieldSelector === '') return false
  try {
    return parseFieldSelector(fieldSelector).exactMatch('spec.nodeName') === node
  } catch {
    return false // the endpoint reports the invalid selector
  }
}
