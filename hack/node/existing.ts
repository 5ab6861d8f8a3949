// A control plane that runs already, as nodes of this machine reach it.
import { readFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { parse } from 'yaml'
import { resources } from '../../api/gen/resources.ts'
import type { Client } from '../../lib/client/index.ts'
import type { Site } from './site.ts'

/** URL and authority of the server of a kubeconfig's present context. */
export function serverOf(kubeconfig: string): { readonly url: string; readonly caCertificate: string } {
  const config = parse(kubeconfig) as {
    'current-context': string
    contexts: { name: string; context: { cluster: string } }[]
    clusters: { name: string; cluster: Record<string, string> }[]
  }
  const context = config.contexts.find(({ name }) => name === config['current-context'])?.context
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster
  if (!cluster?.['server']) throw new Error('the kubeconfig has no cluster in its current context')
  const file = cluster['certificate-authority']
  const caCertificate = file
    ? readFileSync(file, 'utf8')
    : Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString()
  return { url: cluster['server'].replace('//localhost', '//127.0.0.1'), caCertificate }
}

/** The authority of the clients that the server trusts: kubelets trust it, too. */
export async function clientAuthorityOf(client: Client): Promise<string> {
  const place = { namespace: 'kube-system', name: 'extension-apiserver-authentication' }
  const { data } = await client.resource(resources.core.v1.configmaps).get(place)
  const found = data?.['client-ca-file']
  if (!found) throw new Error('the API server verifies no client certificates: kubelets need its --client-ca-file')
  return found
}

/** Passes connections to the site's address on to the same port of 127.0.0.1, where the server listens. */
export async function passOn(site: Site, url: string): Promise<Server | undefined> {
  const { hostname, port } = new URL(url)
  if (hostname !== '127.0.0.1') return undefined
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname)
    incoming.pipe(outgoing).pipe(incoming)
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(port), site.hostAddress, resolve)
  })
  return server
}
