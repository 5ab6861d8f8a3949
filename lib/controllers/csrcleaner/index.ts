import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isNotFound } from '../../controller/index.ts'
import { isOver } from './plan.ts'

const periodMs = 3_600_000

/** Deletes certificate signing requests that are old or whose certificate has expired. */
export const csrcleaner: ControllerDefinition = {
  name: 'certificatesigningrequest-cleaner-controller',
  aliases: ['csrcleaner'],
  account: 'certificate-controller',
  start(context) {
    const { certificatesigningrequests } = resources.certificates.v1
    const known = context.informer(certificatesigningrequests)
    const pass = async (): Promise<void> => {
      const over = Array.from(known.all()).filter((request) => isOver(request, context.clock.now()))
      for (const { metadata } of over) {
        if (context.signal.aborted) return
        try {
          await context.client.resource(certificatesigningrequests).delete(metadata)
        } catch (error) {
          if (!isNotFound(error)) context.log.warn('a request could not be deleted', { name: metadata.name, error })
        }
      }
    }
    context.every(periodMs, pass, { atOnce: true })
  },
}
