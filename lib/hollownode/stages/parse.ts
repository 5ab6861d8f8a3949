import { type Document, isMap, isScalar, LineCounter, parseAllDocuments } from 'yaml'
import type { Random } from '../../base/index.ts'
import { type ApiObject, type Frozen, parseDurationMs, parseTime } from '../../object/index.ts'
import { createTemplate } from '../template/template.ts'
import { TemplateError, type Value } from '../template/value.ts'
import { type PathReader, parsePath } from './path.ts'
import type { Stage, StagePatch, StageStep } from './stage.ts'
import { type StageMoment, surroundingNames, surroundingsOf } from './surroundings.ts'

/** Stages of all files together. */
export const stagesMax = 200
/** Bytes of one file. */
const fileBytesMax = 1024 * 1024
const apiVersion = 'kwok.x-k8s.io/v1alpha1'
/** Steps of one stage. */
const stepsMax = 100
const delayMsMax = 24 * 3_600_000

const stageFields = [
  'resourceRef',
  'selector',
  'weight',
  'weightFrom',
  'delay',
  'next',
  'steps',
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
      steps: this.#steps(),
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

  #requirement(outer: Path): (object: Frozen<ApiObject>) => boolean {
    const at = this.#withinJq(outer)
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

  /** Those of `next`, or of the list `steps` that newer files have in its place. */
  #steps(): StageStep[] {
    const at = ['spec', 'steps']
    if (this.#value(at) !== undefined && this.#value(['spec', 'next']) !== undefined)
      this.#fail(at, 'a Stage has either next or steps')
    const steps = this.#list(at).flatMap((_, index) => this.#step([...at, index]))
    if (steps.length > stepsMax) this.#fail(at, `a Stage has at most ${stepsMax} steps`)
    return this.#value(at) === undefined ? this.#next() : steps
  }

  #step(at: Path): StageStep[] {
    this.#known(at, ['event', 'finalizers', 'delete', 'patch'])
    const patch = this.#value([...at, 'patch']) === undefined ? [] : [this.#patch([...at, 'patch'])]
    return [...this.#event(at), ...patch, ...this.#finalizers(at), ...this.#deletion(at)]
  }

  #next(): StageStep[] {
    const at = ['spec', 'next']
    this.#known(at, ['event', 'finalizers', 'delete', 'patches', 'statusTemplate', 'statusSubresource'])
    return [...this.#event(at), ...this.#patches(at), ...this.#finalizers(at), ...this.#deletion(at)]
  }

  #event(within: Path): StageStep[] {
    const at = [...within, 'event']
    if (!this.#value(at)) return []
    this.#known(at, ['type', 'reason', 'message'])
    const type = this.#text([...at, 'type']) ?? 'Normal'
    if (type !== 'Normal' && type !== 'Warning') this.#fail([...at, 'type'], 'is none of Normal and Warning')
    const reason = this.#text([...at, 'reason']) ?? 'Stage'
    return [{ is: 'event', type, reason, message: this.#text([...at, 'message']) ?? '' }]
  }

  #finalizers(within: Path): StageStep[] {
    const at = [...within, 'finalizers']
    if (!this.#value(at)) return []
    this.#known(at, ['add', 'remove', 'empty'])
    const values = (list: string): string[] =>
      this.#list([...at, list]).map(
        (_, index) => this.#text([...at, list, index, 'value']) ?? this.#fail(at, 'an entry has a value'),
      )
    const empty = this.#value([...at, 'empty']) === true
    return [{ is: 'finalizers', add: values('add'), remove: values('remove'), empty }]
  }

  #deletion(within: Path): StageStep[] {
    return this.#value([...within, 'delete']) === true ? [{ is: 'delete' }] : []
  }

  #patches(at: Path): StagePatch[] {
    const own = this.#list([...at, 'patches']).map((_, index) => this.#patch([...at, 'patches', index]))
    const status = [...at, 'statusTemplate']
    if ((this.#text(status) ?? '').trim() === '') return own
    return [{ is: 'patch', of: 'status', type: 'strategic', body: this.#template(status, isTree, 'object') }, ...own]
  }

  #patch(at: Path): StagePatch {
    this.#known(at, ['subresource', 'root', 'template', 'type'])
    const subresource = this.#text([...at, 'subresource']) ?? ''
    const root = this.#text([...at, 'root']) ?? ''
    const type = this.#text([...at, 'type']) ?? 'merge'
    if (subresource !== '' && subresource !== 'status') this.#fail([...at, 'subresource'], 'only status is known here')
    if (type !== 'json' && type !== 'merge' && type !== 'strategic')
      this.#fail([...at, 'type'], 'is none of json, merge and strategic')
    const template = [...at, 'template']
    if (this.#text(template) === undefined) this.#fail(at, 'a patch has a template')
    if (subresource === 'status') {
      if (type === 'json') this.#fail([...at, 'type'], 'a patch of the status is of type merge or strategic')
      if (root !== '' && root !== 'status') this.#fail([...at, 'root'], 'the root of a status is status')
      const body = this.#template(template, isTree, 'object')
      return { is: 'patch', of: 'status', type, body: root === '' ? (moment) => statusIn(body(moment)) : body }
    }
    if (type === 'json')
      return { is: 'patch', of: 'object', type, body: this.#template(template, Array.isArray, 'list') }
    const body = this.#template(template, isTree, 'object')
    return { is: 'patch', of: 'object', type, body: root === '' ? body : (moment) => ({ [root]: body(moment) }) }
  }

  /** The result of a template, which is YAML; one without actions is read right away. */
  #template(at: Path, isWanted: (value: unknown) => boolean, wanted: string): (moment: StageMoment) => unknown {
    const whole = this.#text(at) ?? ''
    const text = whole.trim()
    try {
      const template = createTemplate(text, surroundingNames)
      const body = ({ object, ...moment }: StageMoment): unknown => {
        const value = plainYaml(template.render(object as unknown as Value, surroundingsOf({ object, ...moment })))
        if (!isWanted(value)) throw new Error(`${at.join('.')}: the result is no ${wanted} in YAML`)
        return value
      }
      if (!text.includes('{{') && !isWanted(plainYaml(text))) this.#fail(at, `is no ${wanted} in YAML`)
      return body
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      const before = whole.slice(0, whole.length - whole.trimStart().length).split('\n').length - 1
      return this.#fail(at, error.message, before + error.line)
    }
  }

  #expression(at: Path): PathReader | undefined {
    if (this.#value(at) === undefined) return undefined
    const inner = this.#withinJq(at)
    const name = inner === at ? 'expressionFrom' : 'expression'
    this.#known(inner, [name])
    return this.#path([...inner, name])
  }

  /** Newer files name the language of an expression. */
  #withinJq(at: Path): Path {
    if (this.#value([...at, 'jq']) === undefined) return at
    this.#known(at, ['jq'])
    return [...at, 'jq']
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

  /** `textLine`: a line of the text at that path, counted from 1, where the text has its own lines. */
  #fail(at: Path, why: string, textLine?: number): never {
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
    const { line: pathLine } = this.#lines.linePos(offset)
    const node: unknown = textLine === undefined ? undefined : this.#document.getIn(at, true)
    const isBlock = isScalar(node) && node.type?.startsWith('BLOCK_') === true
    const line = isBlock ? pathLine + (textLine ?? 0) : pathLine
    throw new Error(`${this.#file}:${line}: ${at.length === 0 ? '' : `${at.join('.')}: `}${why}`)
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function statusIn(body: unknown): unknown {
  const status = isTree(body) ? body['status'] : undefined
  if (!isTree(status)) throw new Error('a patch of the status has no status')
  return status
}

/** Undefined: it is no YAML. */
function plainYaml(text: string): unknown {
  const [document] = parseAllDocuments(text)
  return document && !('empty' in document) && document.errors.length === 0
    ? (document.toJS({ maxAliasCount: 100 }) as unknown)
    : undefined
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
