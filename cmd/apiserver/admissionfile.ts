import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type * as v1 from '../../api/gen/apiserver.config.k8s.io/v1.ts'
import { createConfigCodec, reasonOf } from '../../lib/controlplane/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import { type ApiObject, quote, StatusError } from '../../lib/object/index.ts'
import { readTypeMeta } from '../../lib/scheme/index.ts'

const flag = 'admission-control-config-file'

/**
 * The plugin configurations in --admission-control-config-file, as texts by the plugin's name, either inline or from
 * the files that it names. Rejects with FlagError; also for plugins outside `configurable`, since an operator who
 * configures one relies on it.
 */
export async function readAdmissionFile(
  path: string,
  configurable: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const settings = new Map<string, string>()
  if (path === '') return settings
  const fail = (error: unknown, of = path): never => {
    throw new FlagError(`--${flag}: ${of}: ${reasonOf(error)}`, { cause: error })
  }
  const text = await readFile(path, 'utf8').catch(fail)
  const plugins = pluginsOf(text, fail)
  for (const [index, plugin] of plugins.entries()) {
    const { name, path: own, configuration } = plugin
    if (!configurable.includes(name)) fail(new Error(`plugins[${index}]: settings of ${quote(name)} are not read yet`))
    if (settings.has(name)) fail(new Error(`plugins[${index}].name: Duplicate value: ${quote(name)}`))
    if (configuration) settings.set(name, JSON.stringify(configuration))
    else if (own !== '') {
      const file = resolve(dirname(path), own)
      settings.set(name, await readFile(file, 'utf8').catch((error: unknown) => fail(error, file)))
    }
  }
  return settings
}

function pluginsOf(text: string, fail: (error: unknown) => never): readonly v1.AdmissionPluginConfiguration[] {
  try {
    const group = 'apiserver.config.k8s.io'
    const object = decodeConfig(text, group, ['v1', 'v1alpha1'], 'AdmissionConfiguration', 'v1')
    return (object as v1.AdmissionConfiguration).plugins ?? []
  } catch (error) {
    return fail(error)
  }
}

/**
 * Parses a configuration file (YAML or JSON), strictly; all of `versions` have the fields of `as`. Throws an Error of
 * one line.
 */
export function decodeConfig(
  text: string,
  group: string,
  versions: readonly string[],
  kind: string,
  as: string,
): ApiObject {
  const { apiVersion } = readTypeMeta(text)
  const isKnown = versions.some((version) => apiVersion === `${group}/${version}`)
  const known = isKnown ? text.replace(apiVersion, `${group}/${as}`) : text
  try {
    const { object } = createConfigCodec().decodeObject(Buffer.from(known), {
      mediaType: 'application/yaml',
      expected: { group, version: as, kind },
      fieldValidation: 'Strict',
    })
    if (isKnown) return object
  } catch (error) {
    throw error instanceof StatusError ? new Error(error.message.replaceAll('\n', ' '), { cause: error }) : error
  }
  throw new Error(`apiVersion: ${quote(apiVersion)} is none of ${group}/${versions.join(', ')}`)
}
