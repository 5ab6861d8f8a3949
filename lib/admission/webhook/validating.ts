import { ConvertedObjects } from '../convertedobjects.ts'
import type { Candidate } from '../matching.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import type { AdmissionHook } from './hook.ts'
import { type WebhookDependencies, WebhookDispatcher } from './webhookdispatcher.ts'

/** Calls all validating webhooks that match a request, concurrently. The first refusal counts. */
export function createValidatingAdmissionWebhook(dependencies: WebhookDependencies): AdmissionPlugin {
  const { versions, log } = dependencies
  const dispatcher = new WebhookDispatcher(dependencies, false)

  async function all(attributes: AdmissionAttributes, candidates: readonly Candidate<AdmissionHook>[]): Promise<void> {
    const converted = new ConvertedObjects(attributes, versions)
    const wanted: Candidate<AdmissionHook>[] = []
    for (const candidate of candidates)
      if (await dispatcher.isWanted(candidate, converted)) wanted.push({ ...candidate, index: wanted.length })
    const refusals: unknown[] = []
    const ask = async (candidate: Candidate<AdmissionHook>): Promise<void> => {
      try {
        await dispatcher.ask(candidate, converted, 0, () => {})
      } catch (error) {
        refusals.push(error)
      }
    }
    await Promise.all(wanted.map(ask))
    if (refusals.length > 1) log.info('several webhooks refused a request', { refusals: refusals.length })
    if (refusals.length > 0) throw refusals[0]
  }

  return {
    name: 'ValidatingAdmissionWebhook',
    handles: () => true,
    validate: (attributes) => dispatcher.forRequest(attributes, all),
  }
}
