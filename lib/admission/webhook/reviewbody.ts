import type { ConvertedObjects } from '../convertedobjects.ts'
import { admissionRequest } from '../review.ts'
import type { ServedForm } from '../versions.ts'
import type { AdmissionHook } from './hook.ts'

/** The JSON body of the AdmissionReview that a webhook is sent. */
export function reviewBody(
  { reviewVersion = 'v1' }: Pick<AdmissionHook, 'reviewVersion'>,
  converted: ConvertedObjects,
  form: ServedForm,
  uid: string,
): string {
  const { options, ...request } = admissionRequest(converted.attributes, form, uid)
  const head = JSON.stringify(request).slice(0, -1)
  const objects = `"object":${converted.text(form)},"oldObject":${converted.oldText(form)}`
  const kind = `"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${reviewVersion}"`
  return `{${kind},"request":${head},${objects},"options":${JSON.stringify(options)}}}`
}
