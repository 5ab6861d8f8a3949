import type * as v1 from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors, quote } from '../../object/index.ts'
import type { Plugin } from '../contract.ts'
import { plugins } from '../plugins/index.ts'
import { createProfile, type Profile } from '../profile.ts'
import { choosePlugins } from './pluginsets.ts'

/** Decodes the arguments of a plugin as an object of this kind, strictly. Throws an Error of one line. */
type DecodeArgs = (kind: string, args: unknown) => ApiObject

/** The settings of a scheduler, made from its configuration file. */
export interface SchedulerSettings {
  readonly profiles: readonly Profile[]
  readonly backoffFirstMs: number
  readonly backoffMaxMs: number
}

const defaultName = 'default-scheduler'
const profilesMax = 100
const root = (name: string): FieldPath => FieldPath.root(name)

/** Throws an Error of one line with all mistakes, in stock words. */
export function schedulerSettings(given: v1.KubeSchedulerConfiguration, decodeArgs: DecodeArgs): SchedulerSettings {
  const { podInitialBackoffSeconds: first = 1, podMaxBackoffSeconds: most = 10, parallelism = 16 } = given
  const problems = [
    ...(parallelism > 0
      ? []
      : [fieldErrors.invalid(root('parallelism'), parallelism, 'should be an integer value greater than zero')]),
    ...percentageProblems(given.percentageOfNodesToScore, root('percentageOfNodesToScore')),
    ...(first > 0 ? [] : [fieldErrors.invalid(root('podInitialBackoffSeconds'), first, 'must be greater than 0')]),
    ...(most >= first
      ? []
      : [
          fieldErrors.invalid(
            root('podMaxBackoffSeconds'),
            most,
            'must be greater than or equal to PodInitialBackoffSeconds',
          ),
        ]),
    ...((given.extenders ?? []).length === 0
      ? []
      : [fieldErrors.forbidden(root('extenders'), 'this scheduler asks no web services')]),
  ]
  const profiles = profilesOf(given, decodeArgs, problems)
  if (problems.length > 0) throw new Error(problems.map(({ field, message }) => `${field}: ${message}`).join('; '))
  return { profiles, backoffFirstMs: first * 1000, backoffMaxMs: most * 1000 }
}

function profilesOf(given: v1.KubeSchedulerConfiguration, decodeArgs: DecodeArgs, problems: FieldError[]): Profile[] {
  const listed: v1.KubeSchedulerProfile[] = given.profiles?.length ? given.profiles : [{}]
  const path = root('profiles')
  if (listed.length > profilesMax) {
    problems.push(fieldErrors.tooMany(path, listed.length, profilesMax))
    return []
  }
  const names = listed.map(({ schedulerName }) => schedulerName ?? (listed.length === 1 ? defaultName : ''))
  return listed.map((profile, index) => {
    const at = path.index(index)
    const name = names[index] ?? ''
    if (name === '') problems.push(fieldErrors.required(at.child('schedulerName')))
    else if (names.indexOf(name) < index) problems.push(fieldErrors.duplicate(at.child('schedulerName'), name))
    problems.push(...percentageProblems(profile.percentageOfNodesToScore, at.child('percentageOfNodesToScore')))
    const { chosen, problems: ofPlugins } = choosePlugins(profile.plugins ?? {}, at.child('plugins'))
    problems.push(...ofPlugins)
    if (chosen.get('queueSort')?.length !== 1)
      problems.push(
        fieldErrors.invalidBare(at, `no queue sort plugin is enabled for profile with scheduler name ${quote(name)}`),
      )
    if (chosen.get('bind')?.length === 0)
      problems.push(
        fieldErrors.invalidBare(
          at,
          `at least one bind plugin is needed for profile with scheduler name ${quote(name)}`,
        ),
      )
    const args = argsOf(profile, at.child('pluginConfig'), decodeArgs, problems)
    const percentageOfNodesToScore = profile.percentageOfNodesToScore ?? given.percentageOfNodesToScore ?? 0
    return createProfile({ name, chosen, args, percentageOfNodesToScore })
  })
}

function percentageProblems(percentage: number | undefined, path: FieldPath): FieldError[] {
  if (percentage === undefined || (percentage >= 0 && percentage <= 100)) return []
  return [fieldErrors.invalid(path, percentage, 'not in valid range [0-100]')]
}

/** The completed arguments by the plugin's name. */
function argsOf(
  { pluginConfig = [] }: v1.KubeSchedulerProfile,
  path: FieldPath,
  decodeArgs: DecodeArgs,
  problems: FieldError[],
): ReadonlyMap<string, unknown> {
  const all = new Map<string, unknown>()
  for (const [index, { name, args }] of pluginConfig.entries()) {
    const at = path.index(index)
    const plugin: Plugin<never> | undefined = plugins.find((each) => each.name === name)
    if (!plugin) problems.push(fieldErrors.invalid(at.child('name'), name, `plugin ${quote(name)} does not exist`))
    else if (all.has(name)) problems.push(fieldErrors.duplicate(at, name))
    else if (!plugin.complete) problems.push(fieldErrors.forbidden(at.child('args'), `${name} takes no arguments`))
    else
      try {
        // Decoded as the kind of this plugin's arguments.
        const completed = plugin.complete(decodeArgs(`${name}Args`, args ?? {}) as never)
        problems.push(...(plugin.check?.(completed as never, at.child('args')) ?? []))
        all.set(name, completed)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        problems.push(fieldErrors.invalidBare(at.child('args'), reason))
      }
  }
  return all
}
