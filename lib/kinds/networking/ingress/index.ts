import type * as networking from '../../../../api/gen/networking.k8s.io/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { ingressFromV1beta1 } from './convert.ts'
import {
  classAnnotation,
  validateIngress,
  validateIngressCreate,
  validateIngressStatus,
  validateIngressUpdate,
} from './validate.ts'

const specOf = (object: ApiObject): networking.IngressSpec => (object['spec'] ?? {}) as networking.IngressSpec
const shownMax = 3

/** `a.example,b.example,c.example + 2 more...`, `*` for all. */
function hosts({ rules = [] }: networking.IngressSpec): string {
  const named = rules.flatMap(({ host }) => (host ? [host] : []))
  if (named.length === 0) return '*'
  const more = rules.length > shownMax ? ` + ${rules.length - shownMax} more...` : ''
  return named.slice(0, shownMax).join(',') + more
}

function addresses(object: ApiObject): string {
  const { ingress = [] } = (object['status'] as networking.IngressStatus | undefined)?.loadBalancer ?? {}
  return [...new Set(ingress.flatMap(({ ip, hostname }) => ip || hostname || []))].sort().join(',')
}

export const ingress: KindDefinition = {
  group: 'networking.k8s.io',
  kind: 'Ingress',
  convert: { v1beta1: { toHub: ingressFromV1beta1 }, 'extensions/v1beta1': { toHub: ingressFromV1beta1 } },
  nameRule: nameRules.subdomain,
  strategy: {
    ...specStrategy({ generation: true, validate: validateIngress }),
    validateCreate: validateIngressCreate,
    validateUpdate: validateIngressUpdate,
    warningsOnCreate: ({ metadata }) =>
      metadata.annotations?.[classAnnotation] === undefined
        ? []
        : [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`],
  },
  subresources: { status: statusStrategy(validateIngressStatus) },
  columns: [
    nameColumn,
    textColumn('Class', 'Who serves it.', (object) => specOf(object).ingressClassName ?? '<none>'),
    textColumn('Hosts', 'Hosts that it serves.', (object) => hosts(specOf(object))),
    textColumn('Address', 'Where the load balancer is.', addresses),
    textColumn('Ports', 'Ports that it serves.', (object) => (specOf(object).tls?.length ? '80, 443' : '80')),
    ageColumn,
  ],
}
