import { isAbsolute, resolve } from 'node:path'
import { isRecord } from '../../base/index.ts'
import { quote } from '../../object/index.ts'
import { type FileFields, textField } from '../fields.ts'

const group = 'client.authentication.k8s.io'
const versions = ['v1', 'v1beta1']

/** A program that provides credentials, as a kubeconfig names it. */
export interface ExecConfig {
  readonly command: string
  readonly args: readonly string[]
  /** In addition to those of this process. */
  readonly env: Readonly<Record<string, string>>
  /** `client.authentication.k8s.io/v1` */
  readonly apiVersion: string
  /** A hint for users whose program is missing. */
  readonly installHint: string
  /** The cluster that the program gets in its input; undefined: none. */
  readonly cluster: ExecCluster | undefined
}

/** The cluster in an ExecCredential's spec. */
export interface ExecCluster {
  readonly server: string
  readonly 'tls-server-name'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  /** Base64. */
  readonly 'certificate-authority-data'?: string
  readonly 'disable-compression'?: boolean
  /** The cluster's extension for the program. */
  readonly config?: unknown
}

/**
 * Reads a user's `exec`. Paths are relative to `folder`, that of the kubeconfig; the system searches for a bare name.
 * Throws an Error of one line. There is no terminal here, so a program that requires one is refused.
 */
export function readExecConfig(exec: unknown, cluster: ExecCluster, folder: string): ExecConfig {
  const fields: FileFields = isRecord(exec) ? exec : {}
  const command = textField(fields, 'command')
  if (command === '') throw new Error('command must be specified to use exec authentication plugin')
  const apiVersion = textField(fields, 'apiVersion')
  if (apiVersion === '') throw new Error('apiVersion must be specified to use exec authentication plugin')
  if (!versions.some((version) => apiVersion === `${group}/${version}`))
    throw new Error(`exec plugin: invalid apiVersion ${quote(apiVersion)}`)
  checkInteraction(textField(fields, 'interactiveMode'), apiVersion)
  return {
    command: command.includes('/') && !isAbsolute(command) ? resolve(folder, command) : command,
    args: listOf(fields['args']).map(String),
    env: readEnvironment(fields['env']),
    apiVersion,
    installHint: textField(fields, 'installHint'),
    cluster: fields['provideClusterInfo'] === true ? cluster : undefined,
  }
}

function checkInteraction(mode: string, apiVersion: string): void {
  if (mode === '') {
    if (apiVersion === `${group}/v1`)
      throw new Error('interactiveMode must be specified to use exec authentication plugin')
  } else if (mode === 'Always') throw new Error('exec plugin cannot support interactive mode: nobody is at a terminal')
  else if (mode !== 'Never' && mode !== 'IfAvailable') throw new Error(`invalid interactiveMode: ${quote(mode)}`)
}

function readEnvironment(env: unknown): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const entry of listOf(env)) {
    const name = isRecord(entry) ? textField(entry, 'name') : ''
    if (name === '') throw new Error('env variable name must be specified to use exec authentication plugin')
    variables[name] = isRecord(entry) ? textField(entry, 'value') : ''
  }
  return variables
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
