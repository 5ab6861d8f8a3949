import {
  mandatoryLevels,
  mandatorySchemas,
  suggestedLevels,
  suggestedSchemas,
} from '../../../api/bootstrap/flowcontrol/index.ts'
import type { FlowSchema, FlowSchemaCondition } from '../../../api/gen/flowcontrol.apiserver.k8s.io/v1.ts'
import { followCache } from '../../cache/index.ts'
import type { Fairness } from '../../fairness/index.ts'
import { type ApiObject, copyObject, deepEqual, formatTime, StatusError } from '../../object/index.ts'
import { ignoreRefusal, type Registry, type ResourceRegistry } from '../../registry/index.ts'
import { plainDeletion } from '../../request/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { ownContext } from './ownwrites.ts'

interface PriorityAndFairnessServices extends HookServices {
  readonly registry: Registry
  readonly scheme: Scheme
  /** Undefined: it is off, and the stored objects are only maintained for servers that use it. */
  readonly fairness: Fairness | undefined
}

const group = 'flowcontrol.apiserver.k8s.io'
const apiVersion = `${group}/v1`
const autoUpdate = 'apf.kubernetes.io/autoupdate-spec'
const repeatMs = 60_000
/**
 * Maximum number of status writes of one schema in a minute; servers that see different levels must not overwrite each
 * other for ever.
 */
const statusWritesMax = 5
const statusWindowMs = 60_000

interface Kind {
  readonly resource: string
  readonly kind: string
  readonly mandatory: Readonly<Record<string, object>>
  readonly suggested: Readonly<Record<string, object>>
}

/** Levels before the schemas that refer to them. */
const kinds: readonly Kind[] = [
  {
    resource: 'prioritylevelconfigurations',
    kind: 'PriorityLevelConfiguration',
    mandatory: mandatoryLevels,
    suggested: suggestedLevels,
  },
  { resource: 'flowschemas', kind: 'FlowSchema', mandatory: mandatorySchemas, suggested: suggestedSchemas },
]

/** Objects of each resource by name, from the caches. */
type Followed = ReadonlyMap<string, Map<string, ApiObject>>

/** Both hooks of priority and fairness, in the order in which they start. */
export function createFairnessHooks(services: PriorityAndFairnessServices): readonly Hook[] {
  const followed: Followed = new Map(kinds.map(({ resource }) => [resource, new Map()]))
  const { fairness } = services
  const producer = createProducer(services, followed)
  return fairness ? [createConsumer(services, fairness, followed), producer] : [producer]
}

/**
 * Passes the stored FlowSchemas and PriorityLevelConfigurations to fairness, and adds mandatory ones that are missing.
 * Sets the condition Dangling in the status of each FlowSchema: whether its priority level is missing.
 */
function createConsumer(services: PriorityAndFairnessServices, fairness: Fairness, followed: Followed): Hook {
  const { clock, log, registry } = services
  const levels = followed.get('prioritylevelconfigurations') ?? new Map<string, ApiObject>()
  const schemas = followed.get('flowschemas') ?? new Map<string, ApiObject>()
  const storedSchemas = registry.resource({ group, resource: 'flowschemas' })
  const writes = new Map<string, { count: number; sinceMs: number }>()

  function configure(): void {
    fairness.configure(
      [...withMandatory(schemas, mandatorySchemas).values()],
      [...withMandatory(levels, mandatoryLevels).values()],
    )
  }

  /** False when this schema's status has been written too often recently. */
  function mayWrite(name: string): boolean {
    const nowMs = clock.monotonicMs()
    const before = writes.get(name)
    const recent = before && nowMs - before.sinceMs < statusWindowMs ? before : { count: 0, sinceMs: nowMs }
    writes.set(name, { ...recent, count: recent.count + 1 })
    return recent.count < statusWritesMax
  }

  async function tellDangling(name: string, signal: AbortSignal): Promise<void> {
    const wanted = danglingOf(schemas.get(name), levels)
    if (!wanted || isTold(schemas.get(name), wanted) || !mayWrite(name)) return
    const change = {
      subresource: 'status',
      transform: (existing: { object: ApiObject } | undefined): ApiObject => {
        if (!existing) throw new StatusError(404, 'NotFound', 'the schema is deleted')
        return withCondition(existing.object, { ...wanted, lastTransitionTime: formatTime(clock.now()) })
      },
    }
    await storedSchemas
      ?.update(storedSchemas.target('', name), change, ownContext(signal))
      .catch(ignoreRefusal('NotFound'))
  }

  const listen = (map: Map<string, ApiObject>, again: () => void) => ({
    set(object: ApiObject): void {
      map.set(object.metadata.name ?? '', object)
      again()
    },
    remove(_namespace: string, name: string): void {
      map.delete(name)
      again()
    },
  })

  let again = (): void => {}
  const changed = (): void => {
    configure()
    again()
  }
  configure()
  const followers = [...followed].flatMap(([resource, objects]) => {
    const stored = registry.resource({ group, resource })
    return stored ? [followCache({ clock, log }, stored.cache, listen(objects, changed))] : []
  })
  return createHook(services, {
    name: 'priority-and-fairness-config-consumer',
    retry: 'in-background',
    async run(signal) {
      await Promise.all(followers.map(({ ready }) => ready))
      for (const name of schemas.keys()) await tellDangling(name, signal)
    },
    follow(run) {
      again = run
      return { close() {} }
    },
    close() {
      for (const follower of followers) follower.close()
    },
  })
}

interface Stored<Spec> {
  readonly metadata: { readonly name?: string; readonly uid?: string }
  readonly spec?: Spec
}

function withMandatory<Spec>(
  stored: ReadonlyMap<string, ApiObject>,
  mandatory: Readonly<Record<string, Spec>>,
): Map<string, Stored<Spec>> {
  // The kind's type describes the stored objects.
  const all = new Map(stored as ReadonlyMap<string, Stored<Spec>>)
  for (const [name, spec] of Object.entries(mandatory)) if (!all.has(name)) all.set(name, { metadata: { name }, spec })
  return all
}

type Told = Pick<FlowSchemaCondition, 'type' | 'status' | 'reason' | 'message'>

function danglingOf(schema: ApiObject | undefined, levels: ReadonlyMap<string, ApiObject>): Told | undefined {
  if (!schema) return undefined
  const { name } = (schema as FlowSchema).spec.priorityLevelConfiguration
  const begin = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(name)}`
  return levels.has(name)
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${begin} and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${begin} but there is no such object` }
}

function conditionsOf(schema: ApiObject | undefined): readonly FlowSchemaCondition[] {
  return (schema as FlowSchema | undefined)?.status?.conditions ?? []
}

function isTold(schema: ApiObject | undefined, wanted: Told): boolean {
  return conditionsOf(schema).some(
    ({ type, status, reason, message }) =>
      type === wanted.type && status === wanted.status && reason === wanted.reason && message === wanted.message,
  )
}

function withCondition(schema: ApiObject, condition: FlowSchemaCondition): ApiObject {
  const others = conditionsOf(schema).filter(({ type }) => type !== condition.type)
  const same = conditionsOf(schema).find(({ type, status }) => type === condition.type && status === condition.status)
  const { lastTransitionTime = condition.lastTransitionTime } = same ?? {}
  return {
    ...copyObject(schema),
    status: { conditions: [...others, { ...condition, lastTransitionTime }] },
  }
}

/**
 * Creates the default schemas and levels, restores the mandatory ones, and updates the suggested ones until an operator
 * takes them over (the annotation apf.kubernetes.io/autoupdate-spec).
 */
function createProducer(services: PriorityAndFairnessServices, followed: Followed): Hook {
  const { registry, scheme } = services

  async function ensure(stored: ResourceRegistry, kind: Kind, name: string, signal: AbortSignal): Promise<void> {
    const isMandatory = Object.hasOwn(kind.mandatory, name)
    const spec = isMandatory ? kind.mandatory[name] : kind.suggested[name]
    const wanted: ApiObject = copyObject({
      apiVersion,
      kind: kind.kind,
      metadata: { name, annotations: { [autoUpdate]: 'true' } },
      spec,
    })
    scheme.objects.applyDefaults(wanted)
    const target = stored.target('', name)
    const known = stored.cache.peek(target.key)?.object()
    if (known && deepEqual(upToDate(known, wanted, isMandatory), known)) return
    const change = {
      subresource: '',
      createMissing: true,
      transform: (existing: { object: ApiObject } | undefined): ApiObject =>
        existing ? upToDate(existing.object, wanted, isMandatory) : wanted,
    }
    await stored.update(target, change, ownContext(signal))
  }

  /** Removes defaults of earlier releases that no operator has taken over. */
  async function removeFormer(stored: ResourceRegistry, kind: Kind, signal: AbortSignal): Promise<void> {
    for (const object of followed.get(kind.resource)?.values() ?? []) {
      const { name = '', annotations } = object.metadata
      if (Object.hasOwn(kind.mandatory, name) || Object.hasOwn(kind.suggested, name)) continue
      if (annotations?.[autoUpdate] !== 'true') continue
      await stored.delete(stored.target('', name), plainDeletion, ownContext(signal)).catch(ignoreRefusal('NotFound'))
    }
  }

  return createHook(services, {
    name: 'priority-and-fairness-config-producer',
    retry: 'before-ready',
    giveUpMs: 5 * 60_000,
    repeatMs,
    async run(signal) {
      for (const kind of kinds) {
        const stored = registry.resource({ group, resource: kind.resource })
        if (!stored) continue
        const names = [...Object.keys(kind.suggested), ...Object.keys(kind.mandatory)]
        await Promise.all(names.map((name) => ensure(stored, kind, name, signal)))
        await removeFormer(stored, kind, signal)
      }
    },
  })
}

/**
 * The change that brings a stored default up to date: its spec if the server still maintains it, and the annotation
 * that states it.
 */
function upToDate(existing: ApiObject, wanted: ApiObject, isMandatory: boolean): ApiObject {
  const { annotations, generation } = existing.metadata
  const said = annotations?.[autoUpdate]
  const keeps = isMandatory || said === 'true' || (said !== 'false' && generation === 1)
  const next = copyObject(existing)
  next.metadata.annotations = { ...annotations, [autoUpdate]: String(keeps) }
  if (keeps) next['spec'] = wanted['spec']
  return next
}
