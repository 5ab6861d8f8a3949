import { readFile } from 'node:fs/promises'
import { type ApiserverConfig, reasonOf } from '../../lib/controlplane/index.ts'
import type { FeatureGates } from '../../lib/features/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import { parseIp, quote } from '../../lib/object/index.ts'
import { normalizeAuthorities } from '../../lib/pki/index.ts'
import type { ApiserverFlags } from './flags.ts'

const gate = 'UnknownVersionInteroperabilityProxy'

/**
 * How replicas proxy requests to each other. Without a client certificate for them, proxying is off where the gate is
 * on by default; where it was enabled explicitly, the start fails with the stock server's message. Rejects with
 * FlagError.
 */
export async function peerSettings(
  flags: ApiserverFlags,
  gates: FeatureGates,
  advertised: string,
): Promise<ApiserverConfig['peers']> {
  if (!gates.enabled(gate) || !gates.enabled('APIServerIdentity')) return undefined
  for (const file of ['cert', 'key'] as const) {
    if (flags[`proxy-client-${file}-file`] !== '') continue
    if (!flags['feature-gates'].has(gate)) return undefined
    throw new FlagError(`error building peer proxy handler, proxy-${file}-file not specified`)
  }
  const host = flags['peer-advertise-ip'] || advertised
  if (!parseIp(host)) throw new FlagError(`--peer-advertise-ip: ${quote(host)} is no IP address`)
  return {
    advertised: { host, port: portOf(flags['peer-advertise-port']) },
    ca: await authorities(flags['peer-ca-file']),
  }
}

/** 0: the port on which the server listens. */
function portOf(text: string): number {
  const port = text === '' ? 0 : Number(text)
  if (text === '' || (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535)) return port
  throw new FlagError(`--peer-advertise-port: ${quote(text)} is no port`)
}

async function authorities(path: string): Promise<string | undefined> {
  if (path === '') return undefined
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new FlagError(`--peer-ca-file: ${path}: ${reasonOf(error)}`, { cause: error })
  })
  try {
    return normalizeAuthorities(text)
  } catch (error) {
    throw new FlagError(`--peer-ca-file: ${path}: ${reasonOf(error)}`, { cause: error })
  }
}
