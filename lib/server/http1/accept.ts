import type { Socket } from 'node:net'
import { type CallServices, ServerCall } from '../call.ts'
import { Flusher } from '../flusher.ts'
import type { OpenConnections } from '../openconnections.ts'
import type { ServerOptions } from '../options.ts'
import { Http1Responder } from '../responder/http1.ts'
import { AnswerEnds } from './answerhead.ts'
import type { Exchange } from './exchange.ts'
import { Http1Session } from './session.ts'

interface AcceptParts {
  readonly options: ServerOptions
  readonly connections: OpenConnections
  readonly services: CallServices
  serve(call: ServerCall): void
}

/** Serves HTTP/1.1 on each connection that it is given. */
export function acceptHttp1({ options, connections, services, serve }: AcceptParts): (socket: Socket) => void {
  const parts = {
    clock: services.clock,
    options,
    flusher: new Flusher(services.clock),
    answerEnds: new AnswerEnds(services.clock, options.idleTimeoutMs),
    onRequest(exchange: Exchange) {
      const { method, target, headers } = exchange.head
      serve(new ServerCall(services, new Http1Responder(exchange), method, target, headers))
    },
  }
  return (socket) => {
    connections.addSocket(socket)
    connections.addHttp1(new Http1Session(socket, parts))
  }
}
