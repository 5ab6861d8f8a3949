import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import type { ApiObject } from '../../lib/object/index.ts'
import { createAuthority } from '../../lib/pki/index.ts'

export interface ConversionCall {
  readonly apiVersion: string
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: ApiObject[] }
}

/** A webhook that converts. */
export interface ConversionHook {
  /** The `conversion` of definitions that use it. */
  readonly conversion: object
  /** Texts of the calls so far; to be emptied by the test. */
  calls: Buffer[]
  /** The answer to a call: a value, or its text. */
  answer: (call: Buffer) => unknown
  /** Answers in the place of `answer`, byte by byte and without an end. */
  drips: boolean
  close(): void
}

export const conversionCallOf = (call: Buffer): ConversionCall => JSON.parse(call.toString()) as ConversionCall

/** An answer with every object converted by `convert`. */
export function converting(convert: (object: ApiObject, to: string) => object): (call: Buffer) => unknown {
  return (call) => {
    const { apiVersion, request } = conversionCallOf(call)
    const { uid, desiredAPIVersion, objects } = request
    const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion))
    return { apiVersion, kind: 'ConversionReview', response: { uid, convertedObjects, result: { status: 'Success' } } }
  }
}

/** Changes nothing but the apiVersion, at as good as no cost: objects of any size. */
export function relabelling(from: string, to: string): (call: Buffer) => unknown {
  return (call) => {
    const text = call.toString('latin1')
    const uid = /"uid":"([^"]+)"/.exec(text.slice(0, 500))?.[1] ?? ''
    const [begin, end] = [text.indexOf('"objects":[') + '"objects":['.length, text.lastIndexOf(']},"response"')]
    const objects = text.slice(begin, end).replaceAll(`{"apiVersion":"${from}","kind"`, `{"apiVersion":"${to}","kind"`)
    const head = '{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{'
    return Buffer.from(
      `${head}"uid":"${uid}","result":{"status":"Success"},"convertedObjects":[${objects}]}}`,
      'latin1',
    )
  }
}

export async function createConversionHook(): Promise<ConversionHook> {
  const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'hooks' })
  const pair = authority.issue({ commonName: 'hook', usage: 'server', names: ['127.0.0.1'] })
  // An idle connection that ends after Node's five seconds could end as the next call leaves.
  const server = https.createServer(
    { cert: pair.certificate, key: pair.key, keepAliveTimeout: 0 },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const call = Buffer.concat(chunks)
        hook.calls.push(call)
        const answer = hook.answer(call)
        response.setHeader('content-type', 'application/json')
        if (hook.drips) {
          const timer = setInterval(() => response.write(' '), 5)
          response.on('close', () => clearInterval(timer))
          return
        }
        response.end(answer instanceof Uint8Array ? answer : JSON.stringify(answer))
      })
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const hook: ConversionHook = {
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: {
          url: `https://127.0.0.1:${port}/convert`,
          caBundle: Buffer.from(authority.certificate).toString('base64'),
        },
      },
    },
    calls: [],
    drips: false,
    answer: converting((object, apiVersion) => ({ ...object, apiVersion })),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return hook
}
