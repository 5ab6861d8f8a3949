import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { quantityValue } from '../../../lib/object/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { isAnswered } from '../../commandline.ts'
import { keepAliveDuring } from '../../keepaliveduring.ts'
import { writeSafely } from '../credentials.ts'
import { formatKubeconfig } from '../kubeconfig.ts'
import { endpointOf, usualKubeconfig } from '../recording/access.ts'
import { recordFlags } from '../recording/flags.ts'
import { createObserver } from './observer.ts'
import { startProxy } from './proxy.ts'
import { createRecordingWriter } from './writer.ts'

const usage = `Passes requests on to a server, and writes them to a file that \`pilothouse replay\` plays: for reports of bugs. Secrets are
hidden; names of objects, and whatever else is in objects, are not. Ends with Ctrl-C.

Usage:
  pilothouse record --out=session.jsonl                 # prints the line that points clients at it
  pilothouse record --kubeconfig=admin.conf --listen=127.0.0.1:8443 --out=session.jsonl --bodies
`

/** `pilothouse record`: returns the exit code. */
export async function record(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(recordFlags, line)
  if (isAnswered(parsed, usage, recordFlags)) return 0
  const { values } = parsed
  if (values.out === '') throw new FlagError('must specify --out')
  const listen = addressOf(values.listen)
  const endpoint = await endpointOf(values.kubeconfig || usualKubeconfig())
  const services = { clock: systemClock, random: systemRandom }
  const writer = createRecordingWriter(
    services,
    values.out,
    bytesOf('max-file-size', values['max-file-size']),
    (message) => process.stderr.write(`pilothouse: the recording ends: ${message}\n`),
  )
  const authority = createAuthority(services, { commonName: 'pilothouse-record' })
  const token = randomBytes(32).toString('base64url')
  const proxy = await startProxy(listen, {
    endpoint,
    token,
    serving: authority.issue({ commonName: 'pilothouse-record', usage: 'server', names: ['localhost', listen.host] }),
    observe: createObserver(writer, {
      bodyBytesMax: bytesOf('max-body-size', values['max-body-size']),
      keepsBodies: values.bodies,
    }),
  })
  const kubeconfig = resolve(`${values.out}.kubeconfig`)
  const host = isIPv6(listen.host) ? `[${listen.host}]` : listen.host
  const access = { url: `https://${host}:${proxy.port}`, token, caCertificate: authority.certificate }
  try {
    await writeSafely(kubeconfig, formatKubeconfig(access), 0o600)
    process.stdout.write(`export KUBECONFIG='${kubeconfig.replaceAll("'", `'\\''`)}'\n`)
    await keepAliveDuring(() => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]))
  } finally {
    rmSync(kubeconfig, { force: true })
    await proxy.close()
    writer.close()
  }
  if (writer.isFull)
    process.stderr.write(
      `pilothouse: ${values.out} is not complete: it reached --max-file-size, or could not be written\n`,
    )
  return 0
}

/** A client that reaches the address acts with the user's rights, with nothing but a token in between. */
function addressOf(given: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(given) ?? []
  const bare = host.replace(/^\[|\]$/g, '')
  if (!/^(127(\.\d{1,3}){3}|::1)$/.test(bare) || Number(port) > 65_535)
    throw new FlagError(`--listen: ${JSON.stringify(given)} is no loopback address and port`)
  return { host: bare, port: Number(port) }
}

function bytesOf(flag: string, given: string): number {
  const bytes = Number(quantityValue(given))
  if (!Number.isSafeInteger(bytes) || bytes < 1024 || bytes > 2 ** 30)
    throw new FlagError(`--${flag}: must be between 1Ki and 1Gi`)
  return bytes
}
