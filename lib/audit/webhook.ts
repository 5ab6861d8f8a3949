import { type Clock, type Random, retry } from '../base/index.ts'
import { type EndpointClient, webhookBackoff } from '../client/index.ts'
import type { Delivery } from './sink.ts'

const listPrefix = '{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":['

/** Posts events as an EventList; retries after any failure. */
export function createWebhookDelivery(
  services: { clock: Clock; random: Random },
  client: EndpointClient,
  { initialBackoffMs }: { initialBackoffMs: number },
): Delivery {
  const closing = new AbortController()

  async function post(body: string): Promise<void> {
    const { status } = await client.post(body)
    if (status < 200 || status > 299) throw new Error(`the audit webhook answered ${status}`)
  }

  return {
    name: 'webhook',
    async deliver(events) {
      const body = `${listPrefix}${events.map(({ text }) => `{${text}`).join(',')}]}`
      await retry(services, { ...webhookBackoff, firstMs: initialBackoffMs, signal: closing.signal }, () => post(body))
    },
    close() {
      closing.abort(new Error('the server stops'))
      client.close()
    },
  }
}
