import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import { createAuthority } from '../../lib/pki/index.ts'

interface Review {
  readonly apiVersion: string
  readonly request: Readonly<Record<string, unknown>> & { readonly uid: string; readonly operation: string }
}

/** The answer on a path of the server: a response to the review (a uid is added), or anything else. */
type Behaviour = (review: Review) => Promise<HookReply> | HookReply
type HookReply =
  | { readonly response: object; readonly status?: undefined }
  | { readonly status: number; readonly body: string }

export interface HookServer {
  readonly url: string
  readonly port: number
  /** PEM in base64, as `caBundle` has it. */
  readonly caBundle: string
  /** The server's own certificate, likewise. */
  readonly certificate: string
  readonly seen: { readonly path: string; readonly review: Review; readonly authorization: string | undefined }[]
  /** Connections that were opened. */
  connections: number
  on(path: string, behaviour: Behaviour): void
  close(): Promise<void>
}

/** A server of webhooks on loopback; its certificate is for 127.0.0.1 and `names`. */
export async function startHookServer(names: readonly string[] = []): Promise<HookServer> {
  const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'hooks-ca' })
  const pair = authority.issue({ commonName: 'hooks', usage: 'server', names: ['127.0.0.1', ...names] })
  const behaviours = new Map<string, Behaviour>()
  const seen: { path: string; review: Review; authorization: string | undefined }[] = []
  const server = https.createServer(
    { cert: pair.certificate, key: pair.key, keepAliveTimeout: 0 },
    (request, response) => {
      const path = new URL(request.url ?? '', 'https://x').pathname
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const review = JSON.parse(Buffer.concat(chunks).toString()) as Review
        seen.push({ path, review, authorization: request.headers.authorization })
        const behaviour = behaviours.get(path) ?? (() => ({ status: 404, body: '' }))
        void Promise.resolve(behaviour(review)).then((reply) => {
          if (reply.status !== undefined) return void response.writeHead(reply.status).end(reply.body)
          const answer = { uid: review.request.uid, ...reply.response }
          response.end(JSON.stringify({ apiVersion: review.apiVersion, kind: 'AdmissionReview', response: answer }))
        })
      })
    },
  )
  const hooks: HookServer = {
    url: '',
    port: 0,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    certificate: Buffer.from(pair.certificate).toString('base64'),
    seen,
    connections: 0,
    on: (path, behaviour) => void behaviours.set(path, behaviour),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  server.on('secureConnection', () => hooks.connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(hooks, { port, url: `https://127.0.0.1:${port}` })
}

/** JSON patch as a response carries it. */
export function patchOf(...operations: object[]): { patch: string; patchType: string } {
  return { patch: Buffer.from(JSON.stringify(operations)).toString('base64'), patchType: 'JSONPatch' }
}
