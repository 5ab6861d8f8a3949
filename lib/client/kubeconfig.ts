import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import type { Endpoint } from './endpoint.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * What a kubeconfig says of its current context: where the server is, how to trust it, who we are. Paths in it are
 * relative to its own folder. Rejects with an Error of one line that never quotes a secret.
 */
export async function loadKubeconfig(path: string): Promise<Endpoint> {
  const text = await readFile(path, 'utf8')
  return await readKubeconfig(text, dirname(resolve(path)))
}

/** As loadKubeconfig, of the file's text. */
export async function readKubeconfig(text: string, folder: string): Promise<Endpoint> {
  const config = parseYaml(text)
  const context = currentContext(config)
  const cluster = named(config, 'clusters', 'cluster', textField(context, 'cluster'))
  const userName = textField(context, 'user')
  const user = userName === '' ? {} : named(config, 'users', 'user', userName)
  const unsupported = ['exec', 'auth-provider'].find((field) => user[field] !== undefined)
  if (unsupported !== undefined) throw new Error(`users of kind ${unsupported} are not supported here`)
  const files = await readFiles(folder, {
    ca: [cluster, 'certificate-authority'],
    cert: [user, 'client-certificate'],
    key: [user, 'client-key'],
  })
  if ((files.cert === '') !== (files.key === '')) throw new Error('the user has only one of client certificate and key')
  const server = textField(cluster, 'server')
  if (!URL.canParse(server) || !/^https?:/.test(server)) throw new Error('the cluster has no server, http or https')
  const serverName = textField(cluster, 'tls-server-name')
  const authorization = await authorizationOf(user, folder)
  return {
    url: server,
    ...(files.ca === '' ? {} : { ca: files.ca }),
    ...(files.cert === '' ? {} : { cert: files.cert, key: files.key }),
    ...(serverName === '' ? {} : { serverName }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
    ...(authorization === undefined ? {} : { authorization }),
  }
}

function parseYaml(text: string): Fields {
  let parsed: unknown
  try {
    parsed = parse(text)
  } catch (cause) {
    throw new Error('the file is no YAML', { cause })
  }
  if (!isFields(parsed)) throw new Error('the file holds no kubeconfig')
  return parsed
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Without a current context the only one is it. */
function currentContext(config: Fields): Fields {
  const current = textField(config, 'current-context')
  if (current !== '') return named(config, 'contexts', 'context', current)
  const contexts = config['contexts']
  const [only] = Array.isArray(contexts) && contexts.length === 1 ? (contexts as unknown[]) : []
  if (isFields(only) && isFields(only['context'])) return only['context']
  throw new Error('the kubeconfig has no current context')
}

function named(config: Fields, list: string, field: string, name: string): Fields {
  const entries: unknown = config[list]
  const found: unknown = Array.isArray(entries)
    ? entries.find((entry: unknown) => isFields(entry) && entry['name'] === name)
    : undefined
  if (!isFields(found)) throw new Error(`the kubeconfig has no ${field} "${name}"`)
  const value = found[field]
  return isFields(value) ? value : {}
}

function textField(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** PEM texts from `…-data` in base64, or from the files named. */
async function readFiles<Name extends string>(
  folder: string,
  wanted: Record<Name, [Fields, string]>,
): Promise<Record<Name, string>> {
  const read: Partial<Record<Name, string>> = {}
  for (const name in wanted) {
    const [fields, field] = wanted[name]
    const data = textField(fields, `${field}-data`)
    const path = textField(fields, field)
    if (data !== '') read[name] = Buffer.from(data, 'base64').toString()
    else read[name] = path === '' ? '' : await readFile(resolve(folder, path), 'utf8')
  }
  // Every name has been through the loop.
  return read as Record<Name, string>
}

async function authorizationOf(user: Fields, folder: string): Promise<string | undefined> {
  const tokenFile = textField(user, 'tokenFile')
  const token = tokenFile === '' ? textField(user, 'token') : await readFile(resolve(folder, tokenFile), 'utf8')
  if (token.trim() !== '') return `Bearer ${token.trim()}`
  const name = textField(user, 'username')
  if (name === '') return undefined
  return `Basic ${Buffer.from(`${name}:${textField(user, 'password')}`).toString('base64')}`
}
