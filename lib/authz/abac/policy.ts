import { parseJsonText } from '../../object/index.ts'
import { authenticatedGroup } from '../../request/index.ts'

/** The permissions in one line of a policy file. `*` matches all; '' in `resource` or `path` matches none. */
export interface AbacPolicy {
  /** '' where only the group matters. */
  readonly user: string
  readonly group: string
  readonly readonly: boolean
  readonly apiGroup: string
  readonly resource: string
  readonly namespace: string
  readonly path: string
}

const apiVersion = 'abac.authorization.kubernetes.io/v1beta1'

/**
 * Parses a policy file: a JSON object a line, of version v1beta1, or in the older form without a version. Empty lines
 * and lines that begin with # are ignored. Throws an Error that names the line.
 */
export function parsePolicies(text: string): { policies: AbacPolicy[]; unversioned: boolean } {
  const policies: AbacPolicy[] = []
  let unversioned = false
  text.split('\n').forEach((raw, at) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) return
    try {
      const fields = fieldsOf(parseJsonText(line))
      const versioned = fields['apiVersion'] !== undefined || fields['kind'] !== undefined
      unversioned ||= !versioned
      policies.push(versioned ? versionedPolicy(fields) : unversionedPolicy(fields))
    } catch (error) {
      throw new Error(`line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
  return { policies, unversioned }
}

type Fields = Readonly<Record<string, unknown>>

function versionedPolicy(fields: Fields): AbacPolicy {
  if (fields['apiVersion'] !== apiVersion || fields['kind'] !== 'Policy')
    throw new Error(`neither of kind Policy and version ${apiVersion} nor without both`)
  const spec = fieldsOf(fields['spec'] ?? {})
  return forSubjects(spec, {
    readonly: flag(spec, 'readonly'),
    apiGroup: word(spec, 'apiGroup'),
    resource: word(spec, 'resource'),
    namespace: word(spec, 'namespace'),
    path: word(spec, 'nonResourcePath'),
  })
}

/** In this version an absent field matches all. */
function unversionedPolicy(fields: Fields): AbacPolicy {
  const [namespace, resource] = [word(fields, 'namespace'), word(fields, 'resource')]
  const anybody = word(fields, 'user') === '' && word(fields, 'group') === ''
  return forSubjects(anybody ? { user: '*' } : fields, {
    readonly: flag(fields, 'readonly'),
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    path: namespace === '' && resource === '' ? '*' : '',
  })
}

/** `*` as user and group matches all authenticated users. */
function forSubjects(fields: Fields, allowed: Omit<AbacPolicy, 'user' | 'group'>): AbacPolicy {
  const [user, group] = [word(fields, 'user'), word(fields, 'group')]
  if (user === '*' || group === '*') return { user: '', group: authenticatedGroup, ...allowed }
  return { user, group, ...allowed }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object')
  return value as Fields
}

function word(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw new Error(`${name} must be a string`)
  return value
}

function flag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false
  if (typeof value !== 'boolean') throw new Error(`${name} must be true or false`)
  return value
}
