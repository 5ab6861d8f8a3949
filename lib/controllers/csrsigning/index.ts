import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  isNotFound,
  keyOf,
  type SigningAuthority,
} from '../../controller/index.ts'
import {
  apiserverClientSigner,
  kubeletClientSigner,
  kubeletServingSigner,
  legacyUnknownSigner,
  signerRules,
} from '../../kinds/index.ts'
import type { Frozen } from '../../object/index.ts'
import { readSigningRequest, signRequest } from '../../pki/index.ts'
import { pemOf } from '../shared/pem.ts'
import { type AuthoritySource, createAuthoritySource } from './authority.ts'
import { failed, isToSign, validity, withCertificate } from './plan.ts'

const { certificatesigningrequests } = resources.certificates.v1
const signers = [
  ['kubeletServing', kubeletServingSigner, 'csr-signing-kubelet-serving'],
  ['kubeletClient', kubeletClientSigner, 'csr-signing-kubelet-client'],
  ['kubeApiserverClient', apiserverClientSigner, 'csr-signing-kube-apiserver-client'],
  ['legacyUnknown', legacyUnknownSigner, 'csr-signing-legacy-unknown'],
] as const

/** Signs approved requests with the authority of their signer. */
export const csrsigning: ControllerDefinition = {
  name: 'certificatesigningrequest-signing-controller',
  aliases: ['csrsigning'],
  account: 'certificate-controller',
  disabled: ({ clusterSigning }) => Object.keys(clusterSigning).length === 0,
  start(context) {
    for (const [setting, signerName, queueName] of signers) {
      const authority = context.settings.clusterSigning[setting]
      if (authority !== undefined) startSigner(context, signerName, queueName, authority)
    }
  },
}

function startSigner(
  context: ControllerContext,
  signerName: string,
  queueName: string,
  authority: SigningAuthority,
): void {
  const source = createAuthoritySource(authority)
  const known = context.informer(certificatesigningrequests)
  const queue = context.reconcile({
    name: queueName,
    workers: 5,
    async turn(name, { client }) {
      const request = known.get(name)
      if (!request || !isToSign(request, signerName)) return
      await write(client, await signOrFail(context, source, request))
    },
  })
  known.subscribe(({ object, deleted }) => {
    if (!deleted && object.spec.signerName === signerName) queue.add(keyOf(object))
  })
}

/** Writes the certificate of a request, or the reason why it is not signed. */
async function signOrFail(
  { clock, random, settings }: ControllerContext,
  source: AuthoritySource,
  request: Frozen<CertificateSigningRequest>,
): Promise<Frozen<CertificateSigningRequest>> {
  const { signerName, usages = [], expirationSeconds } = request.spec
  const asked = readSigningRequest(pemOf(request.spec.request))
  const violation = signerRules[signerName]?.(asked, usages)
  if (violation !== undefined) return failed(request, violation, clock.now())
  const { pair, endMs } = await source.current()
  const times = { nowMs: clock.now(), authorityEndMs: endMs }
  const pem = signRequest(random, asked, pair, {
    usages,
    ...validity(expirationSeconds, settings.clusterSigningDuration, times),
  })
  return withCertificate(request, pem)
}

async function write(client: Client, request: Frozen<CertificateSigningRequest>): Promise<void> {
  try {
    await client.resource(certificatesigningrequests).updateStatus(request)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
