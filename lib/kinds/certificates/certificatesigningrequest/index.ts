import type * as certificates from '../../../../api/gen/certificates.k8s.io/v1.ts'
import { type ApiObject, formatTime, humanDuration } from '../../../object/index.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { keepField } from '../../meta/strategy.ts'
import { requestFromV1beta1 } from './convert.ts'
import { decisions, requestOf, validateRequest, validateRequestUpdate } from './validate.ts'

/** The signer decides by the requesting user, so the server records that user, whatever the client sent. */
function prepareForCreate(object: ApiObject, { user }: KindContext): void {
  const { spec } = requestOf(object)
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = spec
  const extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]))
  object['spec'] = {
    ...asked,
    ...(user.name === '' ? {} : { username: user.name }),
    ...(user.uid === '' ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
  object['status'] = {}
}

/** Sets the times of conditions without them; unchanged conditions keep their old times. */
function fillConditionTimes(object: ApiObject, old: ApiObject, { clock }: KindContext): void {
  const now = formatTime(clock.now())
  const before = requestOf(old).status.conditions ?? []
  const fill = (condition: certificates.CertificateSigningRequestCondition) => {
    const same = before.find(({ type, status }) => type === condition.type && status === condition.status)
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime ?? now,
      lastTransitionTime: condition.lastTransitionTime ?? same?.lastTransitionTime ?? now,
    }
  }
  const { status } = requestOf(object)
  if (status.conditions) object['status'] = { ...status, conditions: status.conditions.map(fill) }
}

/**
 * Restores decisions that a signer repeats with another text or without times. Validation refuses added and removed
 * decisions.
 */
function keepDecisions(object: ApiObject, old: ApiObject): void {
  const { status } = requestOf(object)
  const before = requestOf(old).status.conditions ?? []
  let conditions = status.conditions ?? []
  for (const decision of decisions) {
    const made = before.filter(({ type }) => type === decision)
    const repeated = conditions.filter(({ type }) => type === decision)
    if (made.length !== repeated.length) continue
    const kept = new Map(repeated.map((condition, index) => [condition, made[index]]))
    conditions = conditions.map((condition) => kept.get(condition) ?? condition)
  }
  if (status.conditions) object['status'] = { ...status, conditions }
}

function describe(object: ApiObject): string {
  const { conditions = [], certificate } = requestOf(object).status
  const has = (type: string): boolean => conditions.some((condition) => condition.type === type)
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  return decision + (has('Failed') ? ',Failed' : '') + (certificate ? ',Issued' : '')
}

export const certificateSigningRequest: KindDefinition = {
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  convert: { v1beta1: { toHub: requestFromV1beta1 } },
  nameRule: nameRules.pathSegment,
  strategy: {
    prepareForCreate,
    // A request doesn't change: other specs and statuses are ignored silently.
    prepareForUpdate(object, old) {
      keepField(object, old, 'spec')
      keepField(object, old, 'status')
    },
    validateCreate: validateRequest,
    validateUpdate: (object, old) => validateRequestUpdate(object, old, {}),
  },
  subresources: {
    status: {
      prepareForUpdate(object, old, context) {
        keepField(object, old, 'spec')
        keepDecisions(object, old)
        fillConditionTimes(object, old, context)
      },
      validateUpdate: (object, old) => validateRequestUpdate(object, old, { issues: true }),
    },
    approval: {
      prepareForUpdate(object, old, context) {
        keepField(object, old, 'spec')
        const { conditions } = requestOf(object).status
        object['status'] = { ...requestOf(old).status, ...(conditions ? { conditions } : {}) }
        if (!conditions) delete requestOf(object).status.conditions
        fillConditionTimes(object, old, context)
      },
      validateUpdate: (object, old) => validateRequestUpdate(object, old, { approves: true }),
    },
  },
  selectableReads: ['spec.signerName'],
  selectableFields: { 'spec.signerName': (object) => requestOf(object).spec.signerName },
  columns: [
    nameColumn,
    ageColumn,
    textColumn('SignerName', 'Who is asked to sign.', (object) => requestOf(object).spec.signerName || '<none>'),
    textColumn('Requestor', 'Who asks.', (object) => requestOf(object).spec.username ?? ''),
    textColumn('RequestedDuration', 'How long the certificate should be good.', (object) => {
      const seconds = requestOf(object).spec.expirationSeconds
      return seconds === undefined ? '<none>' : humanDuration(seconds * 1000)
    }),
    textColumn('Condition', 'What has become of the request.', describe),
  ],
}
