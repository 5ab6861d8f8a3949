import { X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSigningRequest } from '../../../test/support/signingrequest.ts'
import type { AttackClient } from '../client.ts'
import type { Attacked, Proof } from '../proof.ts'

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const begin = '-----BEGIN CERTIFICATE REQUEST-----\n'

interface Forged {
  readonly as: 'signer' | 'node'
  readonly signerName: string
  readonly usages: readonly string[]
  /** Names that the certificate must never have. */
  readonly stolen: { readonly name: string; readonly groups: readonly string[] }
  /** Names that the user may request. */
  readonly own: { readonly name: string; readonly groups: readonly string[] }
}

const forgeries: readonly Forged[] = [
  {
    as: 'signer',
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth'],
    stolen: { name: 'eve', groups: ['system:masters'] },
    own: { name: 'eve', groups: ['devs'] },
  },
  {
    as: 'node',
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['client auth', 'digital signature'],
    stolen: { name: 'system:node:n2', groups: ['system:nodes'] },
    own: { name: 'system:node:n1', groups: ['system:nodes'] },
  },
]

/** Ways in which two readers of one text may find different requests. */
const texts: Readonly<Record<string, (stolen: string, own: string) => string>> = {
  'headers in the first block': (stolen, own) => stolen.replace(begin, `${begin}Foo: bar\n\n`) + own,
  'headers in the second block': (stolen, own) => own + stolen.replace(begin, `${begin}Foo: bar\n\n`),
  'two plain blocks': (stolen, own) => own + stolen,
  'two plain blocks, the stolen one first': (stolen, own) => stolen + own,
  'another label first': (stolen, own) => stolen.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST') + own,
  'a first block without its end': (stolen, own) => stolen.replace(/-----END.*\n/, '') + own,
  'a block within a comment': (stolen, own) => `# ${stolen.replaceAll('\n', '\n# ')}\n${own}`,
  'bytes behind the block': (stolen, own) => `${own}${stolen.replaceAll('-', '').trim()}`,
  'carriage returns': (stolen, own) => stolen.replaceAll('\n', '\r') + own,
}

export const signingRequests: Proof = {
  title: 'a signing request of two readings is refused, and never signed as the other one',
  async run({ plane }) {
    const left: string[] = []
    for (const [index, forged] of forgeries.entries())
      for (const [what, text] of Object.entries(texts)) {
        const name = `forged-${index}-${Object.keys(texts).indexOf(what)}`
        const stolen = createSigningRequest(forged.stolen.name, forged.stolen.groups).request
        const own = createSigningRequest(forged.own.name, forged.own.groups).request
        left.push(...(await forge(plane, forged, name, `${forged.as}, ${what}`, text(stolen, own))))
      }
    return left
  },
}

async function forge(
  plane: Attacked['plane'],
  forged: Forged,
  name: string,
  what: string,
  request: string,
): Promise<string[]> {
  const { signerName, usages } = forged
  const spec = { request: Buffer.from(request).toString('base64'), signerName, usages }
  const made = await plane.as(forged.as).ask('POST', requests, { metadata: { name }, spec })
  if (made.status !== 201) return []
  const left = [`${what}: accepted`]
  const { status, ...rest } = made.json
  const conditions = [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }]
  const approver = plane.as(forged.as === 'node' ? 'admin' : 'signer')
  await approver.ask('PUT', `${requests}/${name}/approval`, { ...rest, status: { ...status, conditions } })
  const certificate = await issued(plane.as('admin'), name)
  if (certificate === undefined) return left
  const { subject } = new X509Certificate(certificate)
  const { stolen } = forged
  const isStolen = stolen.groups.some((group) => !forged.own.groups.includes(group) && subject.includes(`O=${group}`))
  if (isStolen || (stolen.name !== forged.own.name && subject.includes(`CN=${stolen.name}`)))
    left.push(`${what}: issued for ${subject.replaceAll('\n', ', ')}`)
  return left
}

async function issued(admin: AttackClient, name: string): Promise<string | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const { json } = await admin.ask('GET', `${requests}/${name}`)
    const certificate: unknown = json?.status?.certificate
    if (typeof certificate === 'string') return Buffer.from(certificate, 'base64').toString()
    if (JSON.stringify(json?.status ?? {}).includes('Failed')) return undefined
    await sleep(100)
  }
  return undefined
}
