import type { Agent } from 'node:http'
import https from 'node:https'
import { type Closable, http } from '../base/index.ts'
import type { Credentials } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'

/** Connections to one endpoint, kept for as long as we show the same certificate. */
interface Connections extends Closable {
  /** For one request; `release` is called at its end. */
  take(shown: Credentials): { readonly agent: Agent; release(): void }
  close(): void
}

interface Pool {
  readonly agent: Agent
  readonly cert: string | undefined
  readonly key: string | undefined
  inUse: number
}

export function createConnections(
  { url, socketPath, ca, serverName, insecure, dial }: Endpoint,
  socketsMax: number,
): Connections {
  const options = {
    keepAlive: true,
    maxSockets: socketsMax,
    scheduling: 'lifo' as const,
    ...(socketPath === undefined ? {} : { socketPath }),
  }
  const pools = new Set<Pool>()
  let newest: Pool | undefined

  function open({ cert, key }: Credentials): Pool {
    const agent = url.startsWith('http:')
      ? new http.Agent(options)
      : new https.Agent({
          ...options,
          ...(ca === undefined ? {} : { ca }),
          ...(cert === undefined ? {} : { cert, key }),
          ...(serverName === undefined ? {} : { servername: serverName }),
          ...(insecure === true ? { rejectUnauthorized: false } : {}),
        })
    if (dial) dialElsewhere(agent, dial)
    const pool = { agent, cert, key, inUse: 0 }
    pools.add(pool)
    return pool
  }

  /** A former certificate's connections end once no request uses them. */
  function prune(): void {
    for (const pool of pools) {
      if (pool === newest || pool.inUse > 0) continue
      pool.agent.destroy()
      pools.delete(pool)
    }
  }

  return {
    take(shown) {
      if (!newest || newest.cert !== shown.cert || newest.key !== shown.key) newest = open(shown)
      const pool = newest
      pool.inUse++
      prune()
      return {
        agent: pool.agent,
        release() {
          pool.inUse--
          prune()
        },
      }
    },
    close() {
      for (const { agent } of pools) agent.destroy()
    },
  }
}

/** Connections go where `dial` says; the name that is verified and sent stays the URL's. */
function dialElsewhere(agent: Agent, dial: NonNullable<Endpoint['dial']>): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => connect({ ...options, ...dial() }, done)
}
