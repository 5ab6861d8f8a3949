import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './client.ts'
import type { Attacked } from './proof.ts'

/** Time for controllers to finish a small task: much more than they need on a busy machine. */
const waitMsMax = 30_000
/** Limit for the longest turn of a controller, in seconds. */
const turnSecondsMax = 5

let number = 0

/**
 * Checks that controllers still work, in a new namespace: it gets its account and its authority's certificate, a
 * Deployment its pod, and all of it is deleted with the namespace. Also checks that none of their queues is stuck.
 */
export async function checkControllers({ plane }: Attacked): Promise<string[]> {
  const admin = plane.as('admin')
  const name = `alive-${number++}`
  const path = `/api/v1/namespaces/${name}`
  const until = async (what: string, url: string, holds: (answer: Answer) => boolean): Promise<string[]> => {
    const endMs = performance.now() + waitMsMax
    let last = ''
    while (performance.now() < endMs) {
      const answer = await admin.ask('GET', url)
      if (holds(answer)) return []
      last = `${answer.status} ${answer.broken} ${answer.text.slice(0, 300)}`
      await sleep(50)
    }
    return [`controllers: ${what} isn't there within ${waitMsMax / 1000} s: ${last}`]
  }
  const made = await admin.ask('POST', '/api/v1/namespaces', { metadata: { name } })
  if (made.status !== 201) return [`no namespace can be made: ${made.status} ${made.text.slice(0, 300)}`]
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const left = [
    ...(await until('the account of a namespace', `${path}/serviceaccounts/default`, ({ status }) => status === 200)),
    ...(await until('the certificate', `${path}/configmaps/kube-root-ca.crt`, ({ status }) => status === 200)),
  ]
  const spec = { replicas: 1, selector: { matchLabels: labels }, template }
  await admin.ask('POST', `/apis/apps/v1/namespaces/${name}/deployments`, { metadata: { name }, spec })
  left.push(...(await until('the pod of a Deployment', `${path}/pods`, ({ json }) => json?.items?.length === 1)))
  await admin.ask('DELETE', path)
  left.push(...(await until('the end of a namespace', path, ({ status }) => status === 404)))
  return [...left, ...stuckQueues(await admin.ask('GET', '/metrics'))]
}

function stuckQueues({ text }: Answer): string[] {
  const rows = text.matchAll(/^workqueue_longest_running_processor_seconds\{name="([^"]+)"\} (\S+)$/gm)
  return Array.from(rows).flatMap(([, name = '', seconds = '']) =>
    Number(seconds) > turnSecondsMax ? [`the queue ${name} works on one object for ${seconds} s`] : [],
  )
}
