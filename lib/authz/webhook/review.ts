import {
  type FieldRequirement,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelSelector,
} from '../../object/index.ts'
import type { AuthorizationAttributes } from '../authorizer.ts'

interface Requirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values?: readonly string[]
}
interface Requirements {
  readonly requirements: readonly Requirement[]
}

interface ReviewResource {
  readonly namespace: string
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  readonly fieldSelector?: Requirements
  readonly labelSelector?: Requirements
}

/** The spec of a SubjectAccessReview of version v1, with every field that applies. */
export interface ReviewSpec {
  readonly resourceAttributes?: ReviewResource
  readonly nonResourceAttributes?: { readonly path: string; readonly verb: string }
  readonly user: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
  readonly uid: string
}

export function reviewSpec(attributes: AuthorizationAttributes): ReviewSpec {
  const { user, verb, isResource, path, namespace, group, version, resource, subresource, name } = attributes
  const who = { user: user.name, groups: user.groups, extra: user.extra, uid: user.uid }
  if (!isResource) return { nonResourceAttributes: { path, verb }, ...who }
  const fieldSelector = requirementsOf(attributes.fieldSelector, parseFieldSelector, fieldRequirement)
  const labelSelector = requirementsOf(attributes.labelSelector, parseLabelSelector, labelRequirement)
  const what = { namespace, verb, group, version, resource, subresource, name }
  return {
    resourceAttributes: { ...what, fieldSelector, labelSelector },
    ...who,
  }
}

/** The request's body in the webhook's version. */
export function encodeReview({ groups, ...spec }: ReviewSpec, version: 'v1' | 'v1beta1'): string {
  const of = groups.length === 0 ? {} : version === 'v1' ? { groups } : { group: groups }
  return JSON.stringify({
    kind: 'SubjectAccessReview',
    apiVersion: `authorization.k8s.io/${version}`,
    metadata: { creationTimestamp: null },
    spec: withoutEmpty({
      ...spec,
      ...of,
      resourceAttributes: spec.resourceAttributes && withoutEmpty(spec.resourceAttributes),
    }),
    status: { allowed: false },
  })
}

function withoutEmpty(fields: object): object {
  const isEmpty = (value: unknown): boolean =>
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

/** Leaves out an invalid selector: the webhook then decides on more objects than requested, not on fewer. */
function requirementsOf<Parsed>(
  text: string | undefined,
  parse: (text: string) => { readonly requirements: readonly Parsed[] },
  convert: (requirement: Parsed) => Requirement | undefined,
): Requirements | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const requirements = parse(text)
      .requirements.map(convert)
      .filter((each) => each !== undefined)
    return requirements.length === 0 ? undefined : { requirements }
  } catch {
    return undefined
  }
}

function fieldRequirement({ field, operator, value }: FieldRequirement): Requirement {
  return { key: field, operator: operator === '=' ? 'In' : 'NotIn', values: [value] }
}

function labelRequirement({ key, operator, values }: LabelRequirement): Requirement | undefined {
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return { key, operator: 'In', values }
    case '!=':
    case 'notin':
      return { key, operator: 'NotIn', values }
    case 'exists':
      return { key, operator: 'Exists' }
    case '!':
      return { key, operator: 'DoesNotExist' }
    default:
      return undefined // comparisons can't be expressed
  }
}
