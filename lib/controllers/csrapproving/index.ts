import type { SubjectAccessReview } from '../../../api/gen/authorization.k8s.io/v1.ts'
import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { readSigningRequest } from '../../pki/index.ts'
import { pemOf } from '../shared/pem.ts'
import { approved, isDecided, type Recognizer, recognizersOf } from './plan.ts'

const { certificatesigningrequests } = resources.certificates.v1
const { subjectaccessreviews } = resources.authorization.v1

/** Approves the certificate requests of kubelets whose requestor has the permission. */
export const csrapproving: ControllerDefinition = {
  name: 'certificatesigningrequest-approving-controller',
  aliases: ['csrapproving'],
  account: 'certificate-controller',
  start(context) {
    const known = context.informer(certificatesigningrequests)
    const queue = context.reconcile({
      name: 'certificate',
      workers: 5,
      async turn(name, { client }) {
        const request = known.get(name)
        if (request && !isDecided(request)) await decide(context, client, request)
      },
    })
    known.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
  },
}

async function decide(
  { clock }: ControllerContext,
  client: Client,
  request: Frozen<CertificateSigningRequest>,
): Promise<void> {
  const recognizers = recognizersOf(request, readSigningRequest(pemOf(request.spec.request)))
  for (const recognizer of recognizers) {
    if (!(await mayAsk(client, request, recognizer))) continue
    try {
      const approval = client.resource(certificatesigningrequests).subresource<CertificateSigningRequest>('approval')
      await approval.update(request.metadata, approved(request, recognizer, clock.now()))
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    return
  }
  // The permission may be granted later.
  if (recognizers.length > 0) throw new Error('recognized csr but subject access review was not approved')
}

async function mayAsk(
  client: Client,
  { spec }: Frozen<CertificateSigningRequest>,
  { permission }: Recognizer,
): Promise<boolean> {
  const review: SubjectAccessReview = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user: spec.username ?? '',
      uid: spec.uid ?? '',
      groups: [...(spec.groups ?? [])],
      extra: Object.fromEntries(Object.entries(spec.extra ?? {}).map(([key, values]) => [key, [...values]])),
      resourceAttributes: {
        group: 'certificates.k8s.io',
        version: '*',
        resource: 'certificatesigningrequests',
        verb: 'create',
        subresource: permission,
      },
    },
    status: { allowed: false },
  }
  const { status } = await client.resource(subjectaccessreviews).create(review)
  return status?.allowed === true
}
