import type { Dialect, Json } from './schemas.ts'

interface ParameterTable {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly doc: string
}

const parameters: Readonly<Record<string, ParameterTable>> = {
  allowWatchBookmarks: {
    type: 'boolean',
    doc: 'Requests BOOKMARK events of a watch. Servers may send none, and at any interval.',
  },
  continue: {
    type: 'string',
    doc: 'The token of the previous chunk: the list continues behind it, at the same resource version.',
  },
  dryRun: { type: 'string', doc: 'With All, the request runs through every stage but nothing is stored.' },
  fieldManager: {
    type: 'string',
    doc: 'Name of whoever makes the change, for field ownership; at most 128 printable characters.',
  },
  fieldSelector: { type: 'string', doc: 'Keeps only objects whose fields match.' },
  fieldValidation: { type: 'string', doc: 'What to do about unknown and duplicate fields: Ignore, Warn or Strict.' },
  force: { type: 'boolean', doc: 'Takes over fields that others own. Only for apply.' },
  gracePeriodSeconds: { type: 'integer', doc: 'Seconds until the object is removed; 0 removes it at once.' },
  ignoreStoreReadErrorWithClusterBreakingPotential: {
    type: 'boolean',
    doc: 'Removes an object that cannot be read from the store, past finalizers and preconditions.',
  },
  labelSelector: { type: 'string', doc: 'Keeps only objects whose labels match.' },
  limit: { type: 'integer', doc: 'At most so many items in one answer; the rest follows by the continue token.' },
  orphanDependents: {
    type: 'boolean',
    doc: 'Deprecated: use propagationPolicy. Whether dependents lose their owner instead of being deleted.',
  },
  pretty: { type: 'string', doc: 'With true, the answer is indented.' },
  propagationPolicy: { type: 'string', doc: 'What becomes of dependents: Orphan, Background or Foreground.' },
  resourceVersion: { type: 'string', doc: 'Which versions an answer may show; see resourceVersionMatch.' },
  resourceVersionMatch: { type: 'string', doc: 'How resourceVersion applies to a list: Exact or NotOlderThan.' },
  sendInitialEvents: { type: 'boolean', doc: 'A watch begins with the present state as ADDED events.' },
  timeoutSeconds: { type: 'integer', doc: 'Limits the duration of the call.' },
  watch: { type: 'boolean', doc: 'Answers with a stream of changes instead of a list.' },
}

const listNames = [
  'allowWatchBookmarks', 'continue', 'fieldSelector', 'labelSelector', 'limit', 'resourceVersion',
  'resourceVersionMatch', 'sendInitialEvents', 'timeoutSeconds', 'watch',
] // biome-ignore format: a list of names
const deleteNames = [
  'dryRun', 'gracePeriodSeconds', 'ignoreStoreReadErrorWithClusterBreakingPotential', 'orphanDependents',
  'propagationPolicy',
] // biome-ignore format: a list of names

/** Query parameters of a verb; `pretty` belongs to the path, for all its verbs. */
export const queryNames: Readonly<Record<string, readonly string[]>> = {
  get: [],
  list: listNames,
  watch: listNames,
  create: ['dryRun', 'fieldManager', 'fieldValidation'],
  update: ['dryRun', 'fieldManager', 'fieldValidation'],
  patch: ['dryRun', 'fieldManager', 'fieldValidation', 'force'],
  delete: deleteNames,
  deletecollection: [...new Set([...deleteNames, ...listNames])]
    .filter((name) => name !== 'watch' && name !== 'allowWatchBookmarks')
    .sort(),
}

export function queryParameter(name: string, dialect: Dialect): Json {
  const { type, doc } = parameters[name] ?? { type: 'string', doc: '' }
  return {
    name,
    in: 'query',
    description: doc,
    ...(dialect === 2 ? { type, uniqueItems: true } : { schema: { type, uniqueItems: true } }),
  }
}

export function pathParameter(name: string, doc: string, dialect: Dialect): Json {
  return {
    name,
    in: 'path',
    description: doc,
    required: true,
    ...(dialect === 2 ? { type: 'string', uniqueItems: true } : { schema: { type: 'string', uniqueItems: true } }),
  }
}
