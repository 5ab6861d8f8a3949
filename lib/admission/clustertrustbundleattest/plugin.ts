import type * as certificates from '../../../api/gen/certificates.k8s.io/v1beta1.ts'
import { type ApiObject, quote, semanticEqual } from '../../object/index.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { mayForSigner, requestsGroup, type SignerQuestions } from '../signers.ts'

/** A bundle for a signer requires the permission to `attest` for it. */
export function createClusterTrustBundleAttest(questions: SignerQuestions): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      if (!concernsResource(attributes, 'clustertrustbundles', requestsGroup)) return undefined
      return check(questions, attributes)
    },
  }
}

async function check(questions: SignerQuestions, attributes: AdmissionAttributes): Promise<void> {
  const { object, oldObject } = attributes
  if (!object) return
  const { spec } = object as certificates.ClusterTrustBundle
  if (!spec.signerName || (oldObject && semanticEqual(attested(object), attested(oldObject)))) return
  if (await mayForSigner(questions, attributes, 'attest', spec.signerName)) return
  throw refusal(attributes, `user not permitted to attest for signerName ${quote(spec.signerName)}`)
}

/** The object without the metadata that the garbage collector and the server change. */
function attested({ metadata, ...rest }: ApiObject): object {
  const {
    ownerReferences: _,
    finalizers: _1,
    managedFields: _2,
    resourceVersion: _3,
    generation: _4,
    ...kept
  } = metadata
  return { ...rest, metadata: kept }
}
