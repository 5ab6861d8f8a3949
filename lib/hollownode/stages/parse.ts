import { type Document, isMap, LineCounter, parseAllDocuments } from 'yaml'
import type { Random } from '../../base/index.ts'
import { type ApiObject, type Frozen, formatTime, parseDurationMs, parseTime } from '../../object/index.ts'
import { type PathReader, parsePath } from './path.ts'
import type { Stage, StageNext } from './stage.ts'

/** Stages of all files together. */
export const stagesMax = 200
/** Bytes of one file. */
const fileBytesMax = 1024 * 1024
const apiVersion = 'kwok.x-k8s.io/v1alpha1'
const delayMsMax = 24 * 3_600_000
const now = /\{\{\s*Now\s*\}\}/g

const stageFields = [
  'resourceRef',
  'selector',
  'weight',
  'weightFrom',
  'delay',
  'next',
  'immediateNextStage',
  'statusSubresource',
]

type Path = readonly (string | number)[]
type Tree = Readonly<Record<string, unknown>>

/** Parses the Stage objects of a file. Throws an Error that names the file and the line. */
export function parseStages(text: string, file: string): Stage[] {
  if (Buffer.byteLength(text) > fileBytesMax) throw new Error(`${file}: is larger than ${fileBytesMax} bytes`)
  const lines = new LineCounter()
  const stages: Stage[] = []
  for (const document of parseAllDocuments(text, { lineCounter: lines })) {
    const [error] = document.errors
    if (error) throw new Error(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message.split('\n')[0] ?? ''}`)
    if (document.contents === null) continue
    stages.push(new StageReader(document, file, lines).read())
    if (stages.length > stagesMax) throw new Error(`${file}: has more than ${stagesMax} stages`)
  }
  return stages
}

class StageReader {
  readonly #document: Document
  readonly #file: string
  readonly #lines: LineCounter
  readonly #root: Tree

  constructor(document: Document, file: string, lines: LineCounter) {
    this.#document = document
    this.#file = file
    this.#lines = lines
    const root = this.#plain()
    if (!isTree(root)) this.#fail([], 'a Stage is an object')
    this.#root = root
  }

  read(): Stage {
    this.#known([], ['apiVersion', 'kind', 'metadata', 'spec', 'status'])
    if (this.#root['apiVersion'] !== apiVersion) this.#fail(['apiVersion'], `only ${apiVersion} is read`)
    if (this.#root['kind'] !== 'Stage') this.#fail(['kind'], 'only Stage is read')
    const name = this.#text(['metadata', 'name']) ?? this.#fail(['metadata'], 'a Stage has a name')
    this.#known(['spec'], stageFields)
    const apiGroup = this.#text(['spec', 'resourceRef', 'apiGroup']) ?? 'v1'
    const kind = this.#text(['spec', 'resourceRef', 'kind'])
    if (apiGroup !== 'v1' || (kind !== 'Pod' && kind !== 'Node'))
      this.#fail(['spec', 'resourceRef'], 'stages are of v1 Pod or v1 Node')
    const weight = this.#integer(['spec', 'weight'], 1_000_000) ?? 0
    const weightFrom = this.#expression(['spec', 'weightFrom'])
    return {
      name,
      kind,
      weight: (object) => (weightFrom ? Number(weightFrom(object)[0] ?? weight) || 0 : weight),
      matches: this.#selector(),
      delayMs: this.#delay(),
      next: this.#next(),
    }
  }

  #plain(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: 100 })
    } catch (error) {
      return this.#fail([], error instanceof Error ? error.message : String(error))
    }
  }

  #selector(): (object: Frozen<ApiObject>) => boolean {
    const at = ['spec', 'selector']
    this.#known(at, ['matchLabels', 'matchAnnotations', 'matchExpressions'])
    const labels = Object.entries(this.#texts([...at, 'matchLabels']))
    const annotations = Object.entries(this.#texts([...at, 'matchAnnotations']))
    const expressions = this.#list([...at, 'matchExpressions']).map((_, index) =>
      this.#requirement([...at, 'matchExpressions', index]),
    )
    return (object) =>
      labels.every(([key, value]) => object.metadata.labels?.[key] === value) &&
      annotations.every(([key, value]) => object.metadata.annotations?.[key] === value) &&
      expressions.every((matches) => matches(object))
  }

  #requirement(at: Path): (object: Frozen<ApiObject>) => boolean {
    this.#known(at, ['key', 'operator', 'values'])
    const read = this.#path([...at, 'key'])
    const values = new Set(this.#list([...at, 'values']).map(String))
    const found = (object: Frozen<ApiObject>): string[] => read(object).map(String)
    const isSet = values.size > 0
    switch (this.#text([...at, 'operator'])) {
      case 'In':
        if (isSet) return (object) => found(object).some((value) => values.has(value))
        break
      case 'NotIn':
        if (isSet) return (object) => !found(object).some((value) => values.has(value))
        break
      case 'Exists':
        if (!isSet) return (object) => found(object).length > 0
        break
      case 'DoesNotExist':
        if (!isSet) return (object) => found(object).length === 0
        break
      default:
        this.#fail([...at, 'operator'], 'is none of In, NotIn, Exists and DoesNotExist')
    }
    return this.#fail(at, 'In and NotIn have values, Exists and DoesNotExist have none')
  }

  #delay(): Stage['delayMs'] {
    const at = ['spec', 'delay']
    this.#known(at, ['durationMilliseconds', 'durationFrom', 'jitterDurationMilliseconds', 'jitterDurationFrom'])
    const fixed = this.#integer([...at, 'durationMilliseconds'], delayMsMax) ?? 0
    const jitter = this.#integer([...at, 'jitterDurationMilliseconds'], delayMsMax)
    if (jitter !== undefined && jitter < fixed)
      this.#fail([...at, 'jitterDurationMilliseconds'], 'is less than durationMilliseconds')
    const from = this.#expression([...at, 'durationFrom'])
    const jitterFrom = this.#expression([...at, 'jitterDurationFrom'])
    return (object, nowMs, random: Random) => {
      const least = (from && msOf(from(object)[0], nowMs)) ?? fixed
      const most = (jitterFrom && msOf(jitterFrom(object)[0], nowMs)) ?? jitter ?? least
      return Math.min(delayMsMax, most > least ? least + random.fraction() * (most - least) : least)
    }
  }

  #next(): StageNext {
    const at = ['spec', 'next']
    this.#known(at, ['event', 'finalizers', 'delete', 'statusTemplate', 'statusSubresource'])
    this.#known([...at, 'event'], ['type', 'reason', 'message'])
    this.#known([...at, 'finalizers'], ['add', 'remove', 'empty'])
    const finalizers = (list: string): string[] =>
      this.#list([...at, 'finalizers', list]).map(
        (_, index) =>
          this.#text([...at, 'finalizers', list, index, 'value']) ??
          this.#fail([...at, 'finalizers'], 'an entry has a value'),
      )
    const type = this.#text([...at, 'event', 'type']) ?? 'Normal'
    if (type !== 'Normal' && type !== 'Warning') this.#fail([...at, 'event', 'type'], 'is none of Normal and Warning')
    return {
      status: this.#status([...at, 'statusTemplate']),
      event: this.#value([...at, 'event'])
        ? {
            type,
            reason: this.#text([...at, 'event', 'reason']) ?? 'Stage',
            message: this.#text([...at, 'event', 'message']) ?? '',
          }
        : undefined,
      finalizers: {
        add: finalizers('add'),
        remove: finalizers('remove'),
        empty: this.#value([...at, 'finalizers', 'empty']) === true,
      },
      isDeleted: this.#value([...at, 'delete']) === true,
    }
  }

  /** The only template that is known is the time. */
  #status(at: Path): StageNext['status'] {
    const text = this.#text(at)
    if (text === undefined || text.trim() === '') return () => undefined
    const filled = (nowMs: number): string => text.replaceAll(now, formatTime(nowMs))
    if (filled(0).includes('{{')) this.#fail(at, 'templates other than {{ Now }} are not known here')
    const read = (nowMs: number): unknown => {
      const [document] = parseAllDocuments(filled(nowMs))
      return document && !('empty' in document) && document.errors.length === 0
        ? document.toJS({ maxAliasCount: 100 })
        : undefined
    }
    if (!isTree(read(0))) this.#fail(at, 'is no object in YAML')
    return (nowMs) => read(nowMs) as Tree
  }

  #expression(at: Path): PathReader | undefined {
    if (this.#value(at) === undefined) return undefined
    this.#known(at, ['expressionFrom'])
    return this.#path([...at, 'expressionFrom'])
  }

  #path(at: Path): PathReader {
    const text = this.#text(at) ?? this.#fail(at.slice(0, -1), `${String(at.at(-1))} is missing`)
    try {
      return parsePath(text)
    } catch (error) {
      return this.#fail(at, error instanceof Error ? error.message : String(error))
    }
  }

  #value(at: Path): unknown {
    return at.reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
      this.#root,
    )
  }

  #text(at: Path): string | undefined {
    const value = this.#value(at)
    if (value !== undefined && value !== null && typeof value !== 'string') this.#fail(at, 'is no text')
    return value === null ? undefined : value
  }

  #texts(at: Path): Record<string, string> {
    const value = this.#value(at) ?? {}
    if (!isTree(value)) return this.#fail(at, 'is no map')
    for (const key of Object.keys(value)) this.#text([...at, key])
    return value as Record<string, string>
  }

  #integer(at: Path, most: number): number | undefined {
    const value = this.#value(at) ?? undefined
    if (value === undefined) return undefined
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > most)
      this.#fail(at, `is no number from 0 to ${most}`)
    return value as number
  }

  #list(at: Path): readonly unknown[] {
    const value = this.#value(at) ?? []
    return Array.isArray(value) ? value : this.#fail(at, 'is no list')
  }

  #known(at: Path, fields: readonly string[]): void {
    const value = this.#value(at)
    if (value === undefined || value === null) return
    if (!isTree(value)) return this.#fail(at, 'is no object')
    for (const field of Object.keys(value)) if (!fields.includes(field)) this.#fail([...at, field], 'is not known here')
  }

  #fail(at: Path, why: string): never {
    let offset = this.#document.range?.[0] ?? 0
    for (let length = at.length; length > 0; length--) {
      const parent: unknown = this.#document.getIn(at.slice(0, length - 1), true)
      const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === at[length - 1]) : undefined
      const node = (pair?.key ?? this.#document.getIn(at.slice(0, length), true)) as
        | { range?: readonly number[] }
        | undefined
      if (node?.range?.[0] === undefined) continue
      offset = node.range[0]
      break
    }
    const { line } = this.#lines.linePos(offset)
    throw new Error(`${this.#file}:${line}: ${at.length === 0 ? '' : `${at.join('.')}: `}${why}`)
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A duration (`1m30s`), or a time, which is as far away as it lies ahead. Undefined: neither. */
function msOf(value: unknown, nowMs: number): number | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return Math.max(0, /^\d{4}-/.test(value) ? parseTime(value) - nowMs : parseDurationMs(value))
  } catch {
    return undefined
  }
}
