import { createHash } from 'node:crypto'
import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { createSeededRandom, type Random } from '../../base/index.ts'
import {
  type ControllerContext,
  type Informer,
  isConflict,
  isNotFound,
  joinKey,
  keyOf,
  type TurnResult,
} from '../../controller/index.ts'
import type { ApiObject, Frozen } from '../../object/index.ts'
import type { Agent } from '../node/agents.ts'
import type { PodWork } from '../pods/work.ts'
import { TemplateError } from '../template/value.ts'
import { laidOver } from './overlay.ts'
import { chooseStage, type Stage, type StagePatch, type StageSource, type StageStep } from './stage.ts'

interface Dependencies {
  readonly context: ControllerContext
  readonly informers: { readonly pods: Informer<Pod>; readonly nodes: Informer<Node> }
  readonly agents: ReadonlyMap<string, Agent>
  readonly work: PodWork
  /** Facts about the nodes that templates ask for. */
  readonly facts: { readonly address: string; readonly version: string }
  readonly source: StageSource
  /** The same seed gives the same course to an object of the same name; undefined: at random. */
  readonly seed: number | undefined
}

/** A patch for one object. */
type RenderedPatch = Omit<StagePatch, 'body'> & { readonly body: unknown }
type RenderedStep = Exclude<StageStep, StagePatch> | RenderedPatch

/** Where an object is in its course. */
interface Course {
  readonly uid: string
  readonly random: Random
  /** The stage that waits for its delay. */
  stage: Stage | undefined
  dueMs: number
  /** The stage that was applied last, and the version that it was applied to. */
  applied: string
  version: string
}

/** A stage that matches again what it has made itself is not repeated sooner. */
const repeatMsMin = 1000
const workers = 8

/** Takes the pods and nodes of this process through their stages. */
export function playStages({ context, informers, agents, work, facts, source, seed }: Dependencies): void {
  const { clock, client } = context
  const startedAtMs = clock.now()
  const courses = new Map<string, Course>()
  const queue = context.reconcile({ name: 'hollow-stages', workers, turn: async (key) => await turn(key) })

  function objectAt(key: string): { readonly object: Frozen<Pod> | Frozen<Node>; readonly agent: Agent } | undefined {
    const [kind = '', name = ''] = key.split('|')
    const object = kind === 'Pod' ? informers.pods.get(name) : informers.nodes.get(name)
    const node = object && 'nodeName' in object.spec ? object.spec.nodeName : name
    const agent = agents.get(node ?? '')
    return object && agent && { object, agent }
  }

  function courseOf(key: string, { metadata: { uid = '' } }: Frozen<ApiObject>): Course {
    const known = courses.get(key)
    if (known?.uid === uid) return known
    const random = seed === undefined ? context.random : createSeededRandom(digest(`${seed}|${key}`))
    const course: Course = { uid, random, stage: undefined, dueMs: 0, applied: '', version: '' }
    courses.set(key, course)
    return course
  }

  async function turn(key: string): Promise<TurnResult | void> {
    const found = objectAt(key)
    if (!found) return void courses.delete(key)
    const { object, agent } = found
    const kind = key.split('|')[0]
    const course = courseOf(key, object)
    const version = object.metadata.resourceVersion ?? ''
    const matching = source.current().filter((stage) => stage.kind === kind && stage.matches(object))
    if (!course.stage || !matching.includes(course.stage)) {
      const fresh = matching.filter(({ name }) => name !== course.applied || version !== course.version)
      const chosen = chooseStage(fresh, object, course.random)
      course.stage = chosen
      if (!chosen) return
      const delayMs = chosen.delayMs(object, clock.now(), course.random)
      const least = chosen.name === course.applied ? repeatMsMin : 0
      course.dueMs = clock.monotonicMs() + Math.max(least, delayMs)
    }
    const due = course.stage
    if (!due) return
    const leftMs = course.dueMs - clock.monotonicMs()
    if (leftMs > 0) return { againAfterMs: leftMs }
    Object.assign(course, { stage: undefined, applied: due.name, version })
    await apply(due, object, agent)
    return { againAfterMs: repeatMsMin }
  }

  async function apply(stage: Stage, object: Frozen<Pod> | Frozen<Node>, agent: Agent): Promise<void> {
    const steps = renderedSteps(stage, object, agent)
    try {
      for (const step of steps) await take(stage.kind, object, agent, step)
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
    }
  }

  /** The steps with the bodies of their patches; none where one makes no sense for the object, which an event reports. */
  function renderedSteps({ name, steps }: Stage, object: Frozen<Pod> | Frozen<Node>, agent: Agent): RenderedStep[] {
    const moment = {
      object,
      nowMs: clock.now(),
      startedAtMs,
      node: { ...facts, name: agent.name, port: agent.port },
      podIp: (namespace: string, pod: string) => work.known.get(joinKey(namespace, pod))?.record.podIp ?? '',
    }
    try {
      return steps.map((step) => (step.is === 'patch' ? { ...step, body: step.body(moment) } : step))
    } catch (error) {
      const where = error instanceof TemplateError ? `line ${error.line} of a template: ` : ''
      const why = error instanceof Error ? error.message : String(error)
      context.events.event(object, 'Warning', 'StageFailed', `stage ${name}: ${where}${why}`)
      return []
    }
  }

  async function take(
    kind: Stage['kind'],
    object: Frozen<Pod> | Frozen<Node>,
    agent: Agent,
    step: RenderedStep,
  ): Promise<void> {
    const { metadata } = object
    switch (step.is) {
      case 'event':
        return context.events.event(object, step.type, step.reason, step.message)
      case 'finalizers':
        return await changeFinalizers(kind, object, step)
      case 'delete':
        return void (await resourceOf(kind).delete(metadata, { gracePeriodSeconds: 0, uid: metadata.uid }))
      case 'patch':
        return await patch(kind, object, agent, step)
    }
  }

  async function patch(
    kind: Stage['kind'],
    object: Frozen<Pod> | Frozen<Node>,
    agent: Agent,
    { of, type, body }: RenderedPatch,
  ): Promise<void> {
    if (of === 'object') return void (await resourceOf(kind).patch(object.metadata, type, body as object))
    const status = body as Readonly<Record<string, unknown>>
    if (kind === 'Pod') return work.layOver(keyOf(object), status)
    agent.overlay = laidOver(agent.overlay ?? {}, status)
    await agent.client.resource(resources.core.v1.nodes).patchStatus(object.metadata, type, { status })
  }

  const resourceOf = (kind: Stage['kind']) =>
    kind === 'Pod' ? client.resource(resources.core.v1.pods) : client.resource(resources.core.v1.nodes)

  async function changeFinalizers(
    kind: Stage['kind'],
    { metadata }: Frozen<ApiObject>,
    { add, remove, empty }: Extract<StageStep, { is: 'finalizers' }>,
  ): Promise<void> {
    const before = metadata.finalizers ?? []
    const kept = empty ? [] : before.filter((each) => !remove.includes(each))
    const after = [...kept, ...add.filter((each) => !kept.includes(each))]
    if (after.join('\n') === before.join('\n')) return
    const { resourceVersion } = metadata
    await resourceOf(kind).patch(metadata, 'merge', {
      metadata: { resourceVersion, finalizers: after.length === 0 ? null : after },
    })
  }

  informers.pods.subscribe(({ object }) => {
    if (source.current().length > 0 && agents.has(object.spec.nodeName ?? '')) queue.add(`Pod|${keyOf(object)}`)
  })
  informers.nodes.subscribe(({ object }) => {
    if (source.current().length > 0 && agents.has(object.metadata.name ?? '')) queue.add(`Node|${keyOf(object)}`)
  })
  source.subscribe(() => {
    for (const course of courses.values()) course.stage = undefined
    for (const pod of informers.pods.all()) if (agents.has(pod.spec.nodeName ?? '')) queue.add(`Pod|${keyOf(pod)}`)
    for (const name of agents.keys()) queue.add(`Node|${name}`)
  })
}

function digest(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}
