import type { AdmissionAttributes } from './plugin.ts'

/** Whether the user of a write may use this verb on a signer. The resource is `signers` of certificates.k8s.io. */
export interface SignerQuestions {
  isAllowed(attributes: AdmissionAttributes, verb: string, signer: string): Promise<boolean>
}

/** Checks the signer itself, then all signers of its domain (`example.com/*`). */
export async function mayForSigner(
  { isAllowed }: SignerQuestions,
  attributes: AdmissionAttributes,
  verb: string,
  signer: string,
): Promise<boolean> {
  if (await isAllowed(attributes, verb, signer)) return true
  return await isAllowed(attributes, verb, `${signer.split('/', 1)[0]}/*`)
}

export const requestsGroup = 'certificates.k8s.io'
const requestsResource = 'certificatesigningrequests'

/** The write addresses this subresource of signing requests. */
export function concernsSigningRequests({ resource, subresource }: AdmissionAttributes, part: string): boolean {
  return subresource === part && resource.resource === requestsResource && resource.group === requestsGroup
}
