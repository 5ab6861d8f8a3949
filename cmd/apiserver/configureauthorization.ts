import { readFile } from 'node:fs/promises'
import { type AuthorizationMode, authorizationModes, parsePolicies } from '../../lib/authz/index.ts'
import { type AuthorizationSettings, reasonOf } from '../../lib/controlplane/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** Rejects with FlagError. */
export async function authorizationSettings(flags: ApiserverFlags): Promise<AuthorizationSettings> {
  const path = flags['authorization-config']
  if (path !== '') {
    return { modes: [], file: path, ...(await policies(flags)) }
  }
  // The rules have checked the values.
  const modes = flags['authorization-mode'] as AuthorizationMode[]
  return {
    modes: modes.length === 0 ? ['AlwaysAllow'] : modes,
    ...(await policies(flags)),
    webhook: modes.includes('Webhook')
      ? {
          kubeconfig: flags['authorization-webhook-config-file'],
          version: flags['authorization-webhook-version'] === 'v1' ? 'v1' : 'v1beta1',
          authorizedTtlMs: flags['authorization-webhook-cache-authorized-ttl'],
          unauthorizedTtlMs: flags['authorization-webhook-cache-unauthorized-ttl'],
        }
      : undefined,
  }
}

async function policies(flags: ApiserverFlags): Promise<Pick<AuthorizationSettings, 'policies'>> {
  const flag = 'authorization-policy-file'
  const path = flags[flag]
  if (path === '') return {}
  const text = await read(flag, path)
  try {
    return { policies: parsePolicies(text).policies }
  } catch (error) {
    throw new FlagError(`--${flag}: ${path}, ${reasonOf(error)}`, { cause: error })
  }
}

async function read(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new FlagError(`--${flag}: can't read ${path}: ${reasonOf(error)}`, { cause: error })
  }
}

const webhookFlags = [
  'authorization-webhook-config-file',
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
] as const

/** The first forbidden value or combination of the authorization flags; undefined when there is none. */
export function authorizationProblem(values: ApiserverFlags, given: ReadonlySet<string>): string | undefined {
  const modes = values['authorization-mode']
  if (values['authorization-config'] !== '') {
    const other = ['authorization-mode', ...webhookFlags].find((flag) => given.has(flag))
    return other === undefined ? undefined : `--authorization-config and --${other} exclude each other`
  }
  const known: readonly string[] = authorizationModes
  const unknown = modes.find((mode) => !known.includes(mode))
  if (unknown !== undefined) return `--authorization-mode: "${unknown}" is none of ${known.join(', ')}`
  const doubled = modes.find((mode, at, all) => all.indexOf(mode) !== at)
  if (doubled !== undefined) return `--authorization-mode names ${doubled} twice`
  return (
    together('ABAC', 'authorization-policy-file', values) ??
    together('Webhook', 'authorization-webhook-config-file', values) ??
    (['v1', 'v1beta1'].includes(values['authorization-webhook-version'])
      ? undefined
      : `--authorization-webhook-version: "${values['authorization-webhook-version']}" is none of v1, v1beta1`)
  )
}

type FileFlag = 'authorization-policy-file' | 'authorization-webhook-config-file'

function together(mode: string, flag: FileFlag, values: ApiserverFlags): string | undefined {
  const isOn = values['authorization-mode'].includes(mode)
  if (isOn === (values[flag] !== '')) return undefined
  return isOn ? `--authorization-mode=${mode} needs --${flag}` : `--${flag} needs --authorization-mode=${mode}`
}
