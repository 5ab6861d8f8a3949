import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors, validateDns1035Label } from '../../../object/index.ts'
import { checkClientConfig } from '../../admissionregistration/clientconfig.ts'
import { checkFormat, checkRequiredChoice } from '../../check.ts'

const recognized = ['v1', 'v1beta1']

/** Errors use the field names of v1beta1 for the webhook's parts. */
export function checkConversion(errors: FieldError[], conversion: v1.CustomResourceConversion, path: FieldPath): void {
  const { strategy, webhook } = conversion
  checkRequiredChoice(errors, strategy, path.child('strategy'), ['None', 'Webhook'])
  const config = path.child('webhookClientConfig')
  const versions = path.child('conversionReviewVersions')
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig) checkClientConfig(errors, webhook.clientConfig, config)
    else errors.push(fieldErrors.required(config, 'required when strategy is set to Webhook'))
    checkReviewVersions(errors, webhook?.conversionReviewVersions ?? [], versions)
    return
  }
  const why = 'should not be set when strategy is not set to Webhook'
  if (webhook?.clientConfig) errors.push(fieldErrors.forbidden(config, why))
  if (webhook?.conversionReviewVersions?.length) errors.push(fieldErrors.forbidden(versions, why))
}

function checkReviewVersions(errors: FieldError[], versions: readonly string[], path: FieldPath): void {
  if (versions.length === 0) {
    errors.push(fieldErrors.required(path))
    return
  }
  const seen = new Set<string>()
  versions.forEach((version, index) => {
    if (seen.has(version)) errors.push(fieldErrors.invalid(path.index(index), version, 'duplicate version'))
    else checkFormat(errors, version, path.index(index), validateDns1035Label)
    seen.add(version)
  })
  if (!versions.some((version) => recognized.includes(version)))
    errors.push(fieldErrors.invalid(path, versions, `must include at least one of ${recognized.join(', ')}`))
}
