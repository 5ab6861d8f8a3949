import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyStatus,
} from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { checkPolicyTypes } from '../../kinds/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { PolicyTypes } from './observe.ts'

/** The status of a policy by the types of its kinds. */
export function plan(
  { metadata, spec }: Frozen<ValidatingAdmissionPolicy>,
  { kinds, params }: PolicyTypes,
): ValidatingAdmissionPolicyStatus {
  const expressionWarnings = checkPolicyTypes(spec, kinds, params)
  return {
    observedGeneration: metadata.generation ?? 0,
    typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : {},
  }
}
