import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  conditionsEnvironment,
  HookSet,
  mutatingPolicies,
  type ObjectVersions,
  type ParamSources,
  type PolicySetDependencies,
  validatingPolicies,
} from '../../admission/index.ts'
import { hashForMetrics } from '../../authn/index.ts'
import { FileError, followFiles, unlimitedWork } from '../../base/index.ts'
import { createPolicyEnvironments, type KindContext, type KindSet, lazily } from '../../kinds/index.ts'
import { type ApiObject, quote } from '../../object/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { ownUser } from '../hooks/ownwrites.ts'
import { serverId } from '../peers/serverid.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import type { AdmissionServices } from './admission.ts'
import { readManifests } from './manifests.ts'

/** The present webhooks and policies in the operator's files: in force before the first request is served. */
export interface FromFiles {
  readonly mutatingHooks?: () => HookSet
  readonly validatingHooks?: () => HookSet
  readonly mutatingPolicies?: () => ReturnType<typeof mutatingPolicies>
  readonly validatingPolicies?: () => ReturnType<typeof validatingPolicies>
}

type Services = AdmissionServices & { readonly versions: ObjectVersions; readonly kinds: KindSet }

/** The stock server polls once a minute. */
const pollMs = 2000
const endings = /\.(yaml|yml|json)$/

/** Policies from files have no parameters. */
const noParams: ParamSources = { source: () => undefined, keep() {} }

/** Opens and follows the configured folders. Rejects with StartError. */
export async function openFromFiles(config: ApiserverConfig, services: Services): Promise<FromFiles> {
  const { versions } = services
  const environment = lazily(conditionsEnvironment)
  const policies = (patches: boolean): PolicySetDependencies => ({
    ...services,
    params: noParams,
    environments: createPolicyEnvironments({ patches }),
  })
  function hooksOf(objects: readonly ApiObject[]): HookSet {
    const hooks = new HookSet(versions, environment)
    for (const object of objects) hooks.set(object as Parameters<HookSet['set']>[0])
    return hooks
  }
  const follow = <Value>(plugin: string, kinds: readonly string[], make: Make<Value>) =>
    followFolder(plugin, kinds, make, config, services)
  return {
    ...named('mutatingHooks', await follow('MutatingAdmissionWebhook', ['MutatingWebhookConfiguration'], hooksOf)),
    ...named(
      'validatingHooks',
      await follow('ValidatingAdmissionWebhook', ['ValidatingWebhookConfiguration'], hooksOf),
    ),
    ...named(
      'mutatingPolicies',
      await follow('MutatingAdmissionPolicy', policyKinds('Mutating'), (objects) =>
        compiled(mutatingPolicies(policies(true)), objects),
      ),
    ),
    ...named(
      'validatingPolicies',
      await follow('ValidatingAdmissionPolicy', policyKinds('Validating'), (objects) =>
        compiled(validatingPolicies(policies(false)), objects),
      ),
    ),
  }
}

function policyKinds(type: 'Mutating' | 'Validating'): readonly string[] {
  return [`${type}AdmissionPolicy`, `${type}AdmissionPolicyBinding`]
}

function named<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value }
}

async function compiled<
  Policies extends {
    setPolicy(object: ApiObject): void
    setBinding(object: ApiObject): void
    readonly compiling: Promise<void> | undefined
  },
>(policies: Policies, objects: readonly ApiObject[]): Promise<Policies> {
  for (const object of objects)
    if (object.kind.endsWith('Binding')) policies.setBinding(object)
    else policies.setPolicy(object)
  await policies.compiling
  return policies
}

type Make<Value> = (objects: readonly ApiObject[]) => Value | Promise<Value>

/** Undefined: the configuration has no folder for the plugin. */
async function followFolder<Value>(
  plugin: string,
  kinds: readonly string[],
  make: Make<Value>,
  { admission, gates, hostName }: ApiserverConfig,
  services: Services,
): Promise<(() => Value) | undefined> {
  const folder = admission.staticManifests?.[plugin]
  if (folder === undefined) return undefined
  const { clock, random, log, scheme, opened } = services
  const context: KindContext = {
    clock,
    random,
    user: ownUser,
    namespace: '',
    gate: (name) => gates.gate(name),
    warn: (text) => log.warn(text),
    work: unlimitedWork,
  }
  const what = `static ${plugin.endsWith('Webhook') ? 'webhook' : 'policy'} manifests`
  try {
    const followed = await followFiles<Value>(
      { ...services, log: log.named('admission') },
      {
        what: `${what} of ${plugin}`,
        paths: () => filesOf(folder),
        pollMs,
        metrics: {
          prefix: 'apiserver_manifest_admission_config_controller',
          stability: 'ALPHA',
          labels: { plugin, apiserver_id_hash: hashForMetrics(serverId(hostName)) },
        },
        load: (textOf, paths) => {
          const files = paths.map((path) => ({ path, text: textOf(path) }))
          return make(readManifests(files, kinds, { scheme, kinds: services.kinds, context }))
        },
      },
    )
    opened.defer(() => followed.close())
    return () => followed.current()
  } catch (error) {
    throw new StartError(`failed to load ${what} from ${quote(folder)}: ${reasonOf(error)}`, { cause: error })
  }
}

/** Files of the folder itself, sorted by name. Rejects with FileError. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new FileError(folder, '', reasonOf(cause), { cause })
  })
  const files = entries.filter((entry) => !entry.isDirectory() && endings.test(entry.name))
  return files.map(({ name }) => join(folder, name)).sort()
}
