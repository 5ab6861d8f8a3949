import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, discoverTypes, isNotFound } from '../../controller/index.ts'
import { isOver } from './plan.ts'

const periodMs = 5 * 60_000

/** Deletes requests for certificates of pods some minutes after their creation, whatever became of them. */
export const podcertificatecleaner: ControllerDefinition = {
  name: 'podcertificaterequest-cleaner-controller',
  account: 'podcertificaterequestcleaner',
  gates: ['PodCertificateRequest'],
  async start(context) {
    const { podcertificaterequests } = resources.certificates.v1beta1
    const type = (await discoverTypes(context.client, context.signal)).pick([podcertificaterequests])
    if (!type) return context.log.info('the server serves no requests for certificates of pods')
    const known = context.informer(type)
    const pass = async (): Promise<void> => {
      const over = Array.from(known.all()).filter(({ metadata }) => isOver(metadata, context.clock.now()))
      for (const { metadata } of over) {
        if (context.signal.aborted) return
        const { name = '', namespace = '', uid } = metadata
        try {
          await context.client.resource(type).delete({ name, namespace }, uid === undefined ? {} : { uid })
        } catch (error) {
          if (!isNotFound(error)) context.log.warn('a request could not be deleted', { namespace, name, error })
        }
      }
    }
    context.every(periodMs, pass, { atOnce: true })
  },
}
