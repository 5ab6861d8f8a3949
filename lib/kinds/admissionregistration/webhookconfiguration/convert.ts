import type * as v1 from '../../../../api/gen/admissionregistration.k8s.io/v1.ts'
import type { ApiObject } from '../../../object/index.ts'

type Webhook = v1.ValidatingWebhook & v1.MutatingWebhook
type Filled = Pick<
  Webhook,
  'failurePolicy' | 'matchPolicy' | 'sideEffects' | 'timeoutSeconds' | 'admissionReviewVersions'
>

const defaults: Filled = {
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  sideEffects: 'Unknown',
  timeoutSeconds: 30,
  admissionReviewVersions: ['v1beta1'],
}

/** The same webhooks as v1, which has other defaults. Fields that are newer than the stored object are left unset. */
export function webhooksFromV1beta1(object: ApiObject): ApiObject {
  const { webhooks } = object as { webhooks?: readonly Webhook[] }
  if (!webhooks) return object
  const filled = webhooks.map((webhook) => {
    const { admissionReviewVersions: versions = [] } = webhook
    const result = { ...defaults, ...webhook }
    return versions.length > 0 ? result : { ...result, admissionReviewVersions: defaults.admissionReviewVersions }
  })
  return { ...object, webhooks: filled } as ApiObject
}
