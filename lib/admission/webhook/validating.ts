import type { Candidate } from '../matching.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { Presented } from '../presented.ts'
import { Asking, type WebhookDependencies } from './asking.ts'
import type { Hook } from './hook.ts'

/** Calls all validating webhooks that match a request, concurrently. The first refusal counts. */
export function createValidatingAdmissionWebhook(dependencies: WebhookDependencies): AdmissionPlugin {
  const { versions, log } = dependencies
  const asking = new Asking(dependencies, false)

  async function all(attributes: AdmissionAttributes, candidates: readonly Candidate<Hook>[]): Promise<void> {
    const presented = new Presented(attributes, versions)
    const wanted: Candidate<Hook>[] = []
    for (const candidate of candidates)
      if (await asking.isWanted(candidate, presented)) wanted.push({ ...candidate, index: wanted.length })
    const refusals: unknown[] = []
    const ask = async (candidate: Candidate<Hook>): Promise<void> => {
      try {
        await asking.ask(candidate, presented, 0, () => {})
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
    validate: (attributes) => asking.forRequest(attributes, all),
  }
}
