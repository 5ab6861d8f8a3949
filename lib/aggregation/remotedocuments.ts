import { isRecord } from '../base/index.ts'
import { deepEqual, type GroupVersion, parseJsonText } from '../object/index.ts'
import { convertedDocument, type RemoteDocuments, type Version2Part } from '../openapi/index.ts'
import { answerHeaders, type Backend, type RequestHeaders, sendText, userHeaders } from '../proxy/index.ts'
import type { Call } from '../request/index.ts'
import { pathOf } from './apiservice.ts'
import { documentsUser } from './users.ts'

type Json = Record<string, unknown>

const documentBytesMax = 16 * 1024 * 1024

/**
 * The OpenAPI documents of the group version at its backend. If it has none of version 3, that of version 2 is
 * converted; version 2 is never derived. Returns `before`, from the same backend, when nothing has changed. Rejects
 * only when the backend can't be reached.
 */
export async function fetchDocuments(
  backend: Backend,
  at: GroupVersion,
  before: RemoteDocuments | undefined,
  signal: AbortSignal,
): Promise<RemoteDocuments | undefined> {
  const limits = { bytesMax: documentBytesMax, signal }
  const path = pathOf(at).slice(1)
  const user = userHeaders(documentsUser)
  const index = await backend.get('/openapi/v3', { ...user, accept: 'application/json' }, limits)
  const url = index.status === 200 ? version3Url(parsed(index.body), path) : undefined
  const headers: RequestHeaders = { ...user, accept: 'application/json' }
  if (before?.etag !== undefined) headers['if-none-match'] = before.etag
  const whole = await backend.get('/openapi/v2', headers, limits)
  const isUnchanged = whole.status === 304
  const version2 = isUnchanged
    ? before?.version2
    : whole.status === 200
      ? version2Of(parsed(whole.body), at)
      : undefined
  const etag = isUnchanged ? before?.etag : whole.headers.etag
  const found = ((): RemoteDocuments | undefined => {
    if (url !== undefined) return { path, url, etag, version2, serve: (call) => serveDocument(call, backend) }
    return version2 && { path, etag, version2, ...convertedDocument(path, version2) }
  })()
  return before?.url === found?.url && deepEqual(before?.version2, found?.version2) ? before : found
}

/** Forwards a document of version 3; the backend sees this server, not the client, as everybody may read these. */
async function serveDocument(call: Call, backend: Backend): Promise<void> {
  const headers = userHeaders(documentsUser)
  for (const name of ['accept', 'if-none-match', 'accept-encoding']) {
    const value = call.headers[name]
    if (value !== undefined) headers[name] = value
  }
  try {
    const answer = await backend.get(call.url, headers, { bytesMax: documentBytesMax, signal: call.signal })
    const passed = answerHeaders(answer.headers)
    delete passed['content-length']
    await call.responder.send(answer.status, passed, answer.body)
  } catch (error) {
    if (call.signal.aborted) throw error
    await sendText(call, 503, 'service unavailable')
  }
}

function parsed(body: Buffer): Json | undefined {
  const document: unknown = parseJsonText(body.toString())
  return isRecord(document) ? document : undefined
}

/** URL of the backend's document of the group version, with its hash. It must be on the backend. */
function version3Url(index: Json | undefined, path: string): string | undefined {
  const paths = index?.['paths']
  const entry = isRecord(paths) && Object.hasOwn(paths, path) ? paths[path] : undefined
  const url = isRecord(entry) ? entry['serverRelativeURL'] : undefined
  return typeof url === 'string' && url.startsWith(`/openapi/v3/${path}`) ? url : undefined
}

/** The paths of the group version alone, and the definitions that they need. */
function version2Of(document: Json | undefined, at: GroupVersion): Version2Part | undefined {
  const paths = recordOf(document?.['paths'])
  const definitions = recordOf(document?.['definitions'])
  const home = pathOf(at)
  const own = Object.entries(paths).filter(
    ([path]) => path === `${home}/` || path === home || path.startsWith(`${home}/`),
  )
  if (own.length === 0) return undefined
  const needed: Record<string, unknown> = Object.create(null)
  const pending = referencesIn(JSON.stringify(own))
  for (const name of pending) {
    if (name in needed || !Object.hasOwn(definitions, name)) continue
    needed[name] = definitions[name]
    pending.push(...referencesIn(JSON.stringify(definitions[name])))
  }
  const parameters = recordOf(document?.['parameters'])
  return {
    info: recordOf(document?.['info']),
    paths: Object.fromEntries(own.map(([path, item]) => [path, withParameters(recordOf(item), parameters)])),
    definitions: { ...needed },
  }
}

/** Parameters that the document shares are copied to where they are used, as the document is taken apart here. */
function withParameters(item: Json, shared: Json): Json {
  const operations = Object.entries(item).map(([name, one]) => [name, isRecord(one) ? inPlace(one, shared) : one])
  return inPlace(Object.fromEntries(operations), shared)
}

function inPlace(holder: Json, shared: Json): Json {
  const { parameters } = holder
  if (!Array.isArray(parameters)) return holder
  return { ...holder, parameters: parameters.map((one: unknown) => sharedParameter(one, shared) ?? one) }
}

function sharedParameter(parameter: unknown, shared: Json): unknown {
  const reference = isRecord(parameter) ? parameter['$ref'] : undefined
  const name = typeof reference === 'string' ? /^#\/parameters\/(.+)$/.exec(reference)?.[1] : undefined
  return name !== undefined && Object.hasOwn(shared, name) ? shared[name] : undefined
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {}
}

function referencesIn(text: string): string[] {
  return [...text.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)].map(([, name = '']) => name)
}
