import type { PodCertificateRequest } from '../../../api/gen/certificates.k8s.io/v1beta1.ts'
import type { Authorizer } from '../../authz/index.ts'
import { type ApiObject, fieldErrors, quote } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { UserInfo } from '../../request/index.ts'

/** From now on only who may `sign` for the signer of a pod's request can set its certificate. */
export function guardPodCertificates(registry: Registry, authorizer: Authorizer): void {
  registry.resource({ group: 'certificates.k8s.io', resource: 'podcertificaterequests' })?.hook({
    async authorize(object, old, { user, signal = new AbortController().signal }) {
      if (!old || chainOf(object) === chainOf(old)) return []
      const { signerName } = (old as PodCertificateRequest).spec
      for (const name of [signerName, `${signerName.split('/', 1)[0]}/*`])
        if (await maySign(authorizer, user, name, signal)) return []
      const why = `User ${quote(user.name)} is not permitted to "sign" for signer ${quote(signerName)}`
      return [fieldErrors.forbidden('spec.signerName', why)]
    },
  })
}

function chainOf(object: ApiObject): string {
  return (object as PodCertificateRequest).status?.certificateChain ?? ''
}

async function maySign(authorizer: Authorizer, user: UserInfo, name: string, signal: AbortSignal): Promise<boolean> {
  const signers = { group: 'certificates.k8s.io', version: '*', resource: 'signers', subresource: '', namespace: '' }
  const question = { user, verb: 'sign', isResource: true, path: '', ...signers, name }
  return (await authorizer.authorize(question, { signal })).decision === 'allow'
}
