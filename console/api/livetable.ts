import { signal } from '@preact/signals'
import type { Column, Row } from '../state/row.ts'
import { pauseBeforeRetry, whileOnline } from './connection.ts'
import { collectionPath, type Kind, records, text } from './kinds.ts'
import { readLines } from './lines.ts'
import { ApiError, isRecord, readJson, request } from './session.ts'

/** How current the rows are. */
export type Currency = 'loading' | 'live' | 'behind' | 'refused'

export interface Scope {
  readonly kind: Kind
  /** '' for all. */
  readonly namespace: string
  readonly labelSelector: string
  readonly fieldSelector: string
}

const pageSize = 500
const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const retryMsMin = 500
const retryMsMax = 15_000
/** Servers send bookmarks about once a minute: a watch that is silent for longer hangs. */
const silenceMsMax = 150_000

/**
 * The rows of a collection, kept up to date by a watch. A broken watch is resumed where it ended; only when the server
 * no longer has that point, the collection is read again.
 */
export class LiveTable {
  readonly columns = signal<readonly Column[]>([])
  readonly currency = signal<Currency>('loading')
  readonly problem = signal<ApiError | undefined>(undefined)
  /** Counts changes of `rows`. */
  readonly changes = signal(0)
  readonly rows = new Map<string, Row>()
  /** Called after each change of a row, with its state before. */
  onRow: ((uid: string, before: Row | undefined) => void) | undefined
  readonly #scope: Scope
  #serverColumns = 0
  /** Cells beside the server's, by `namespace/name`. */
  #more: { readonly columns: readonly Column[]; readonly cells: ReadonlyMap<string, readonly unknown[]> } | undefined
  readonly #closing = new AbortController()
  #resourceVersion = ''

  constructor(scope: Scope) {
    this.#scope = scope
    void this.#follow()
  }

  close(): void {
    this.#closing.abort()
  }

  /** Shows columns behind the server's, with these cells by `namespace/name`; once the server's are known. */
  append(columns: readonly Column[], cells: ReadonlyMap<string, readonly unknown[]>): void {
    const server = this.columns.peek().slice(0, this.#serverColumns)
    if (server.length === 0) return
    if (this.#more === undefined) this.columns.value = [...server, ...columns]
    this.#more = { columns, cells }
    for (const [uid, row] of this.rows) {
      const all = this.#withMore(row, row.cells.slice(0, server.length))
      if (all.every((cell, index) => cell === row.cells[index])) continue
      this.rows.set(uid, { ...row, cells: all })
      this.onRow?.(uid, row)
    }
    this.changes.value++
  }

  #withMore({ namespace, name }: Pick<Row, 'namespace' | 'name'>, cells: readonly unknown[]): readonly unknown[] {
    if (this.#more === undefined) return cells
    return [...cells, ...(this.#more.cells.get(`${namespace}/${name}`) ?? this.#more.columns.map(() => null))]
  }

  async #follow(): Promise<void> {
    const { signal: closing } = this.#closing
    let retryMs = retryMsMin
    while (!closing.aborted) {
      try {
        if (this.#resourceVersion === '') await this.#list()
        this.#report('live')
        retryMs = retryMsMin
        await whileOnline(closing, async (until) => await this.#watch(until))
      } catch (error) {
        if (closing.aborted) return
        const problem =
          error instanceof ApiError
            ? error
            : new ApiError(0, 'Broken', 'the answer broke off', undefined, { cause: error })
        if (problem.code === 410) this.#resourceVersion = ''
        this.#report(problem.code >= 400 && problem.code < 410 ? 'refused' : 'behind', problem)
        await pauseBeforeRetry(retryMs, closing)
        retryMs = Math.min(retryMs * 2, retryMsMax)
      }
    }
  }

  #report(currency: Currency, problem?: ApiError): void {
    this.currency.value = currency
    this.problem.value = currency === 'live' ? undefined : problem
  }

  async #list(): Promise<void> {
    const seen = new Set<string>()
    let resourceVersion = ''
    let token = ''
    do {
      const table = await readJson(this.#address({ limit: String(pageSize), continue: token }), this.#options())
      const metadata = isRecord(table['metadata']) ? table['metadata'] : {}
      this.#keepColumns(table)
      for (const row of records(table['rows'])) this.#keep(row, seen)
      token = text(metadata['continue'])
      resourceVersion = text(metadata['resourceVersion'])
      this.changes.value++
    } while (token !== '')
    for (const uid of this.rows.keys()) if (!seen.has(uid)) this.#drop(uid)
    this.#resourceVersion = resourceVersion
    this.changes.value++
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const parameters = { watch: 'true', allowWatchBookmarks: 'true', resourceVersion: this.#resourceVersion }
    const silent = new AbortController()
    let timer = setTimeout(() => silent.abort(), silenceMsMax)
    try {
      const until = AbortSignal.any([signal, silent.signal])
      const { body } = await request(this.#address(parameters), { accept: tableType, signal: until })
      if (body === null) return
      for await (const lines of readLines(body)) {
        clearTimeout(timer)
        timer = setTimeout(() => silent.abort(), silenceMsMax)
        for (const line of lines) this.#apply(JSON.parse(line))
        this.changes.value++
      }
    } finally {
      clearTimeout(timer)
    }
  }

  #apply(event: unknown): void {
    if (!isRecord(event) || !isRecord(event['object'])) return
    const { object } = event
    if (event['type'] === 'ERROR')
      throw new ApiError(Number(object['code'] ?? 500), text(object['reason']), text(object['message']), object)
    this.#keepColumns(object)
    for (const row of records(object['rows'])) {
      const { metadata } = isRecord(row['object']) ? row['object'] : {}
      if (isRecord(metadata)) this.#resourceVersion = text(metadata['resourceVersion']) || this.#resourceVersion
      if (event['type'] === 'DELETED' && isRecord(metadata)) this.#drop(uidOf(metadata))
      else if (event['type'] === 'ADDED' || event['type'] === 'MODIFIED') this.#keep(row)
    }
    if (event['type'] === 'BOOKMARK' && isRecord(object['metadata']))
      this.#resourceVersion = text(object['metadata']['resourceVersion']) || this.#resourceVersion
  }

  #keepColumns(table: Record<string, unknown>): void {
    const definitions = records(table['columnDefinitions'])
    if (definitions.length === 0 || this.columns.peek().length > 0) return
    this.#serverColumns = definitions.length
    this.columns.value = definitions.map((column) => ({
      name: text(column['name']),
      type: text(column['type']),
      description: text(column['description']),
      priority: Number(column['priority'] ?? 0),
    }))
  }

  #keep(row: Record<string, unknown>, seen?: Set<string>): void {
    const { metadata } = isRecord(row['object']) ? row['object'] : {}
    if (!isRecord(metadata)) return
    const uid = uidOf(metadata)
    const before = this.rows.get(uid)
    seen?.add(uid)
    const name = text(metadata['name'])
    const namespace = text(metadata['namespace'])
    this.rows.set(uid, {
      uid,
      name,
      namespace,
      createdAtMs: Date.parse(text(metadata['creationTimestamp'])),
      deleting: metadata['deletionTimestamp'] !== undefined,
      labels: isRecord(metadata['labels']) ? (metadata['labels'] as Record<string, string>) : {},
      cells: this.#withMore({ namespace, name }, Array.isArray(row['cells']) ? row['cells'] : []),
    })
    this.onRow?.(uid, before)
  }

  #drop(uid: string): void {
    const before = this.rows.get(uid)
    if (this.rows.delete(uid)) this.onRow?.(uid, before)
  }

  #options(): { accept: string; signal: AbortSignal } {
    return { accept: tableType, signal: this.#closing.signal }
  }

  #address(parameters: Record<string, string>): string {
    const { kind, namespace, labelSelector, fieldSelector } = this.#scope
    const query = new URLSearchParams({ includeObject: 'Metadata' })
    for (const [name, value] of Object.entries({ labelSelector, fieldSelector, ...parameters }))
      if (value !== '') query.set(name, value)
    return `${collectionPath(kind, namespace)}?${query}`
  }
}

function uidOf(metadata: Record<string, unknown>): string {
  return text(metadata['uid']) || `${text(metadata['namespace'])}/${text(metadata['name'])}`
}
