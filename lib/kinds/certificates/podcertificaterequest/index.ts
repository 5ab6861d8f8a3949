import type { Condition } from '../../../../api/gen/meta/v1.ts'
import { type ApiObject, formatTime } from '../../../object/index.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { keepField } from '../../meta/strategy.ts'
import { podCertificateSeconds, requestOf, validateRequest, validateRequestUpdate } from './validate.ts'
import { outcomes, validateStatusUpdate } from './validatestatus.ts'

/**
 * An outcome that a signer repeats with another text is restored. A condition without a time gets that of the same
 * condition before, or the present.
 */
function prepareStatus(object: ApiObject, old: ApiObject, { clock }: KindContext): void {
  keepField(object, old, 'spec')
  const conditions = requestOf(object).status?.conditions
  if (conditions === undefined) return
  const before = requestOf(old).status?.conditions ?? []
  const now = formatTime(clock.now())
  const timed = keepOutcomes(conditions, before).map((condition): Condition => {
    if (condition.lastTransitionTime) return condition
    const same = before.find(({ type, status }) => type === condition.type && status === condition.status)
    return { ...condition, lastTransitionTime: same?.lastTransitionTime || now }
  })
  object['status'] = { ...requestOf(object).status, conditions: timed }
}

function keepOutcomes(conditions: readonly Condition[], before: readonly Condition[]): readonly Condition[] {
  let kept = conditions
  for (const outcome of outcomes) {
    const of = (all: readonly Condition[]): Condition[] => all.filter(({ type }) => type === outcome)
    const [made, repeated] = [of(before), of(conditions)]
    if (made.length !== repeated.length) continue
    const former = new Map(repeated.map((condition, index) => [condition, made[index]]))
    kept = kept.map((condition) => former.get(condition) ?? condition)
  }
  return kept
}

function stateOf(object: ApiObject): string {
  const { conditions = [] } = requestOf(object).status ?? {}
  return conditions.findLast(({ type }) => (outcomes as readonly string[]).includes(type))?.type ?? 'Pending'
}

/** `a=b,c=d`, sorted by key. */
function describeAnnotations(object: ApiObject): string {
  const entries = Object.entries(requestOf(object).spec.unverifiedUserAnnotations ?? {})
  if (entries.length === 0) return '<none>'
  return entries
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',')
}

export const podCertificateRequest: KindDefinition = {
  group: 'certificates.k8s.io',
  kind: 'PodCertificateRequest',
  nameRule: nameRules.subdomain,
  defaults: {
    v1beta1(object) {
      requestOf(object).spec.maxExpirationSeconds ??= podCertificateSeconds.default
    },
  },
  strategy: {
    prepareForCreate(object) {
      delete object['status']
    },
    prepareForUpdate: (object, old) => keepField(object, old, 'status'),
    validateCreate: validateRequest,
    validateUpdate: validateRequestUpdate,
  },
  subresources: {
    status: {
      prepareForUpdate: prepareStatus,
      validateUpdate: (object, old, { clock }) => validateStatusUpdate(object, old, clock.now()),
    },
  },
  selectableReads: ['spec.signerName', 'spec.podName', 'spec.nodeName'],
  selectableFields: {
    'spec.signerName': (object) => requestOf(object).spec.signerName,
    'spec.podName': (object) => requestOf(object).spec.podName,
    'spec.nodeName': (object) => requestOf(object).spec.nodeName,
  },
  columns: [
    nameColumn,
    textColumn('PodName', 'Pod that the certificate is for.', (object) => requestOf(object).spec.podName),
    textColumn(
      'ServiceAccountName',
      'Service account of the pod.',
      (object) => requestOf(object).spec.serviceAccountName,
    ),
    textColumn('NodeName', 'Node that runs the pod.', (object) => requestOf(object).spec.nodeName),
    textColumn('SignerName', 'Who is asked to sign.', (object) => requestOf(object).spec.signerName),
    textColumn('State', 'What has become of the request.', stateOf),
    textColumn('UnverifiedUserAnnotations', "The pod author's words to the signer.", describeAnnotations),
  ],
}
