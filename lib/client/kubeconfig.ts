import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { isRecord } from '../base/index.ts'
import { type CredentialFiles, type Credentials, createFileCredentials } from './credentials.ts'
import type { ServerEndpoint } from './endpoint.ts'
import { type ExecCluster, readExecConfig } from './exec/config.ts'
import type { RunDependencies } from './exec/run.ts'
import { createExecCredentials } from './exec/source.ts'
import { type FileFields, textField } from './fields.ts'

/** For users whose credentials come from a program. */
type KubeconfigDependencies = RunDependencies

/**
 * The current context of a kubeconfig: the server's address, its certificate authorities and the user's credentials.
 * Paths in it are relative to its folder. Rejects with an Error of one line that never quotes a secret.
 */
export async function loadKubeconfig(dependencies: KubeconfigDependencies, path: string): Promise<ServerEndpoint> {
  const text = await readFile(path, 'utf8')
  return await readKubeconfig(dependencies, text, dirname(resolve(path)))
}

/** As loadKubeconfig, for the file's text. */
export async function readKubeconfig(
  dependencies: KubeconfigDependencies,
  text: string,
  folder: string,
): Promise<ServerEndpoint> {
  const config = parseYaml(text)
  const context = currentContext(config)
  const cluster = named(config, 'clusters', 'cluster', textField(context, 'cluster'))
  const userName = textField(context, 'user')
  const user = userName === '' ? {} : named(config, 'users', 'user', userName)
  const server = textField(cluster, 'server')
  if (!URL.canParse(server) || !/^https?:/.test(server)) throw new Error('the cluster has no server, http or https')
  // Connecting without the proxy would violate the kubeconfig.
  if (textField(cluster, 'proxy-url') !== '') throw new Error('clusters with proxy-url are not supported here')
  const serverName = textField(cluster, 'tls-server-name')
  const ca = await pemOf(cluster, 'certificate-authority', folder)
  return {
    url: server,
    ca,
    ...(serverName === '' ? {} : { serverName }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
    ...(await credentialsOf(dependencies, user, folder, () => describeCluster(cluster, ca))),
  }
}

/** Credentials for other servers, by their `host:port`. */
export type CredentialsFor = (server: string) => KnownCredentials

/**
 * The users of a kubeconfig whose names are servers: `hooks.example.com`, `hook.ns.svc:8443`, `*.example.com`, `*`. The
 * most specific name wins; the port may be missing where it is 443. Rejects as loadKubeconfig.
 */
export async function loadServerUsers(dependencies: KubeconfigDependencies, path: string): Promise<CredentialsFor> {
  const config = parseYaml(await readFile(path, 'utf8'))
  const entries: readonly unknown[] = Array.isArray(config['users']) ? config['users'] : []
  const users = new Map<string, KnownCredentials>()
  for (const entry of entries) {
    if (!isRecord(entry) || !isRecord(entry['user'])) continue
    const user = await credentialsOf(dependencies, entry['user'], dirname(resolve(path)), () => ({ server: '' }))
    users.set(textField(entry, 'name'), user)
  }
  return (server) => {
    for (const name of namesOf(server)) {
      const found = users.get(name)
      if (found) return found
    }
    return {}
  }
}

function* namesOf(server: string): Iterable<string> {
  const targets = server.endsWith(':443') ? [server, server.slice(0, -':443'.length)] : [server]
  yield* targets
  for (const target of targets) {
    const steps = target.split('.')
    for (let from = 1; from < steps.length; from++) yield `*.${steps.slice(from).join('.')}`
  }
  yield '*'
}

function parseYaml(text: string): FileFields {
  let parsed: unknown
  try {
    parsed = parse(text)
  } catch (cause) {
    throw new Error('the file is no YAML', { cause })
  }
  if (!isRecord(parsed)) throw new Error('the file holds no kubeconfig')
  return parsed
}

/** Without a current context, the only context is used. */
function currentContext(config: FileFields): FileFields {
  const current = textField(config, 'current-context')
  if (current !== '') return named(config, 'contexts', 'context', current)
  const contexts = config['contexts']
  const [only] = Array.isArray(contexts) && contexts.length === 1 ? (contexts as unknown[]) : []
  if (isRecord(only) && isRecord(only['context'])) return only['context']
  throw new Error('the kubeconfig has no current context')
}

function named(config: FileFields, list: string, field: string, name: string): FileFields {
  const entries: unknown = config[list]
  const found: unknown = Array.isArray(entries)
    ? entries.find((entry: unknown) => isRecord(entry) && entry['name'] === name)
    : undefined
  if (!isRecord(found)) throw new Error(`the kubeconfig has no ${field} "${name}"`)
  const value = found[field]
  return isRecord(value) ? value : {}
}

/** The text of a `…-data` in base64, or of the named file. */
async function pemOf(fields: FileFields, field: string, folder: string): Promise<string | undefined> {
  const data = textField(fields, `${field}-data`)
  if (data !== '') return Buffer.from(data, 'base64').toString()
  const path = textField(fields, field)
  return path === '' ? undefined : await readFile(resolve(folder, path), 'utf8')
}

/** The cluster in the input of a program that provides credentials. */
function describeCluster(cluster: FileFields, ca: string | undefined): ExecCluster {
  const extensions: readonly unknown[] = Array.isArray(cluster['extensions']) ? cluster['extensions'] : []
  const own = extensions.find((entry) => isRecord(entry) && entry['name'] === execExtension)
  const texts = ['tls-server-name'].filter((name) => textField(cluster, name) !== '')
  const flags = ['insecure-skip-tls-verify', 'disable-compression'].filter((name) => cluster[name] === true)
  return {
    server: textField(cluster, 'server'),
    ...Object.fromEntries([...texts, ...flags].map((name) => [name, cluster[name]])),
    ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(isRecord(own) ? { config: own['extension'] } : {}),
  }
}

const execExtension = 'client.authentication.k8s.io/exec'

type KnownCredentials = Credentials & Pick<ServerEndpoint, 'credentials'>

async function credentialsOf(
  dependencies: KubeconfigDependencies,
  user: FileFields,
  folder: string,
  cluster: () => ExecCluster,
): Promise<KnownCredentials> {
  const unsupported = ['auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'].find((each) => user[each])
  if (unsupported !== undefined) throw new Error(`users with ${unsupported} are not supported here`)
  const authorization = authorizationOf(user)
  const pair = pairOf(user, folder)
  const tokenFile = textField(user, 'tokenFile')
  const fixed = { ...(authorization === undefined ? {} : { authorization }), ...pair.data }
  if (user['exec'] !== undefined) {
    if (authorization !== undefined || tokenFile !== '' || pair.data || pair.files)
      throw new Error('more than one authentication method found beside exec, only one is allowed')
    const config = readExecConfig(user['exec'], cluster(), folder)
    return { credentials: createExecCredentials(dependencies, config) }
  }
  if (tokenFile === '' && !pair.files) return fixed
  const files = { ...pair.files, ...(tokenFile === '' ? {} : { token: resolve(folder, tokenFile) }) }
  const credentials = createFileCredentials(dependencies, files, fixed)
  // Unreadable credentials are reported at once, not at the first request.
  await credentials.current()
  return { credentials }
}

/** The client certificate and key, as texts or as files. */
function pairOf(user: FileFields, folder: string): { data?: Credentials; files?: CredentialFiles } {
  const has = (field: string): boolean => textField(user, field) !== '' || textField(user, `${field}-data`) !== ''
  if (!has('client-certificate') && !has('client-key')) return {}
  if (!has('client-certificate') || !has('client-key'))
    throw new Error('the user has only one of client certificate and key')
  const part = (field: string, name: 'cert' | 'key'): { data?: Credentials; files?: CredentialFiles } => {
    const data = textField(user, `${field}-data`)
    if (data !== '') return { data: { [name]: Buffer.from(data, 'base64').toString() } }
    return { files: { [name]: resolve(folder, textField(user, field)) } }
  }
  const [cert, key] = [part('client-certificate', 'cert'), part('client-key', 'key')]
  return {
    ...(cert.data || key.data ? { data: { ...cert.data, ...key.data } } : {}),
    ...(cert.files || key.files ? { files: { ...cert.files, ...key.files } } : {}),
  }
}

function authorizationOf(user: FileFields): string | undefined {
  const token = textField(user, 'token').trim()
  if (token !== '') return `Bearer ${token}`
  const name = textField(user, 'username')
  if (name === '') return undefined
  return `Basic ${Buffer.from(`${name}:${textField(user, 'password')}`).toString('base64')}`
}
