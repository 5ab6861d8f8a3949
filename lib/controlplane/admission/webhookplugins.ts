import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import {
  type AvailablePlugin,
  conditionsEnvironment,
  createHookClients,
  createMutatingAdmissionWebhook,
  createValidatingAdmissionWebhook,
  type HookClients,
  HookSet,
  type Reinvocation,
  type WebhookDependencies,
} from '../../admission/index.ts'
import { followCache } from '../../cache/index.ts'
import { lazily } from '../../kinds/index.ts'
import type { ApiserverConfig, WebhookPlugin } from '../config.ts'
import type { AdmissionServices } from './admission.ts'
import type { FromFiles } from './fromfiles.ts'
import type { RequestServices } from './requestservices.ts'

const group = 'admissionregistration.k8s.io'

/** Webhooks that clients configure, and those from files. */
export function webhookPlugins(
  { admission }: ApiserverConfig,
  services: AdmissionServices &
    RequestServices & { readonly fromFiles: FromFiles; readonly reinvocation: Reinvocation },
): AvailablePlugin[] {
  const { clock, tracer, registry, resolve, egress, opened, versions, fromFiles } = services
  const environment = lazily(conditionsEnvironment)
  function clientsOf(plugin: WebhookPlugin): HookClients {
    const clients = createHookClients({
      clock,
      tracer,
      resolve,
      egress,
      credentials: admission.webhookCredentials?.[plugin] ?? (() => ({})),
    })
    opened.defer(() => clients.close())
    return clients
  }

  function follow(resource: string): Pick<WebhookDependencies, 'hooks' | 'loading'> {
    const hooks = new HookSet(versions, environment)
    const stored = registry.resource({ group, resource })
    if (!stored) return { hooks, loading: () => undefined }
    const follower = followCache(services, stored.cache, {
      set: (object) => hooks.set(object as v1.MutatingWebhookConfiguration),
      remove: (namespace, name) => hooks.remove(namespace, name),
    })
    opened.defer(() => follower.close())
    let pending: Promise<void> | undefined = follower.ready
    void follower.ready.then(() => (pending = undefined)).catch(() => {})
    return { hooks, loading: () => pending }
  }

  const [mutating, validating] = [clientsOf('MutatingAdmissionWebhook'), clientsOf('ValidatingAdmissionWebhook')]
  return [
    {
      name: 'MutatingAdmissionWebhook',
      onByDefault: true,
      create: () =>
        createMutatingAdmissionWebhook({
          ...services,
          clients: mutating,
          ...follow('mutatingwebhookconfigurations'),
          hooksFromFiles: fromFiles.mutatingHooks,
        }),
    },
    {
      name: 'ValidatingAdmissionWebhook',
      onByDefault: true,
      create: () =>
        createValidatingAdmissionWebhook({
          ...services,
          clients: validating,
          ...follow('validatingwebhookconfigurations'),
          hooksFromFiles: fromFiles.validatingHooks,
        }),
    },
  ]
}
