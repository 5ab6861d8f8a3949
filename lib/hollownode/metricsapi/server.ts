import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Closable } from '../../base/index.ts'
import { StatusError, statusErrors } from '../../object/index.ts'
import type { KeyPair } from '../../pki/index.ts'
import { answerMetrics, type Sources } from './answers.ts'

export interface MetricsServer extends Closable {
  readonly port: number
}

/**
 * Serves the resource metrics API on loopback for the API server, which has authorized its users. Like the pods that it is
 * about, its metrics are made up: it asks for no credentials.
 */
export async function startMetricsServer(
  { certificate, key }: KeyPair,
  address: string,
  sources: Sources,
): Promise<MetricsServer> {
  const server = createServer({ cert: certificate, key }, (request, response) => answer(request, response, sources))
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(0, address, listening)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function answer(request: IncomingMessage, response: ServerResponse, sources: Sources): void {
  const send = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  try {
    if (request.method !== 'GET') throw new StatusError(405, 'MethodNotAllowed', 'the metrics API can only be read')
    send(200, answerMetrics(new URL(request.url ?? '/', 'https://metrics'), sources))
  } catch (error) {
    const refusal = error instanceof StatusError ? error : statusErrors.internal('the request was not understood')
    send(refusal.code, refusal.toStatus())
  }
}
