import type { ControllerRevision } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  controllerReference,
  type EventRecorder,
  isAlreadyExists,
  isConflict,
  isNotFound,
} from '../../controller/index.ts'
import type { Release } from '../../features/index.ts'
import { labelSelectorFromObject } from '../../object/index.ts'
import { performClaim } from '../shared/claim.ts'
import { messageOf } from '../shared/messageof.ts'
import { requireSelected } from '../shared/podcontrol.ts'
import { revisionHash } from '../shared/revisionhash.ts'
import {
  chooseRevision,
  createRevision,
  revisionData,
  type StoredRevision,
  surplusRevisions,
  templateOf,
} from '../shared/revisions.ts'
import { slowStart } from '../shared/slowstart.ts'
import { revisionLabel, type SomeClaim, type SomePod, type SomeSet } from './identity.ts'
import type { Observed } from './observe.ts'
import { type Action, type NamedTemplate, type Plan, plan, type Revisions } from './plan.ts'
import { statusAfter } from './status.ts'

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
  /** The emulated release, whose text revisions have. */
  readonly release: Release
  now(): number
}

const { controllerrevisions, statefulsets } = resources.apps.v1
const { persistentvolumeclaims, pods } = resources.core.v1
const hashLabel = 'controller.kubernetes.io/hash'
const parentCharactersMax = 223

/** Adopts and releases objects, updates the revisions, then plans and performs a turn. */
export async function perform(seen: Observed, dependencies: Dependencies): Promise<Plan> {
  const { set } = seen
  const { client } = dependencies
  await performClaim(set, seen.claim, client.resource(statefulsets), client.resource(pods))
  await performClaim(set, seen.revisions, client.resource(statefulsets), client.resource(controllerrevisions))
  const chosen = await ensureRevisions(seen, dependencies)
  const step = plan(seen, chosen.revisions, dependencies.now())
  let failure: { readonly error: unknown } | undefined
  try {
    await new Performer(set, dependencies).perform(step)
  } catch (error) {
    failure = { error }
  }
  await writeStatus(seen, chosen.revisions, chosen.collisions, dependencies)
  if (failure) throw failure.error
  await cleanHistory(seen, chosen, dependencies)
  return step
}

interface Chosen {
  readonly revisions: Revisions
  readonly collisions: number
}

/** The current and the update revision of the set, created where they are missing. */
async function ensureRevisions(
  { set, revisions: { owned } }: Observed,
  { client, release }: Dependencies,
): Promise<Chosen> {
  const data = revisionData(set.spec.template, release)
  const choice = chooseRevision(owned, data)
  const all = client.resource(controllerrevisions)
  let collisions = set.status.collisionCount ?? 0
  let update: StoredRevision
  if (choice.found) {
    const { found, number } = choice
    update = found.revision === number ? found : await all.update({ ...found, revision: number })
  } else {
    const made = await createRevision(all, (count) => newRevision(set, data, choice.number, count), collisions)
    update = made.revision
    collisions = made.collisions
  }
  const current = owned.find(({ metadata }) => metadata.name === set.status.currentRevision) ?? update
  return { revisions: { current: named(current, set), update: named(update, set) }, collisions }
}

function named(revision: StoredRevision, set: SomeSet): NamedTemplate {
  return { name: revision.metadata.name ?? '', template: templateOf(revision) ?? set.spec.template }
}

function newRevision(
  set: SomeSet,
  data: NonNullable<ControllerRevision['data']>,
  revision: number,
  collisions: number,
): StoredRevision {
  const hash = revisionHash(data, collisions)
  const { name = '', namespace, annotations } = set.metadata
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name.slice(0, parentCharactersMax)}-${hash}`,
      namespace,
      labels: { ...set.spec.template.metadata.labels, [hashLabel]: hash },
      annotations,
      ownerReferences: [controllerReference(set)],
    },
    data,
    revision,
  }
}

async function writeStatus(
  seen: Observed,
  revisions: Revisions,
  collisions: number,
  { client, now }: Dependencies,
): Promise<void> {
  const status = statusAfter(seen.set, seen.pods, revisions, collisions, now())
  if (!status) return
  const sets = client.resource(statefulsets)
  try {
    await sets.updateStatus({ ...seen.set, status })
  } catch (error) {
    if (!isConflict(error)) throw error
    const live = await sets.get(seen.set.metadata)
    if (live.metadata.uid === seen.set.metadata.uid) await sets.updateStatus({ ...live, status })
  }
}

async function cleanHistory(seen: Observed, { revisions }: Chosen, { client }: Dependencies): Promise<void> {
  const { set, pods: owned } = seen
  const live = new Set([revisions.current.name, revisions.update.name])
  for (const { metadata } of owned) live.add(metadata.labels?.[revisionLabel] ?? '')
  const limit = set.spec.revisionHistoryLimit ?? 10
  const gone = surplusRevisions(seen.revisions.owned, limit, ({ metadata }) => live.has(metadata.name ?? ''))
  for (const { metadata } of gone) await ignoringAbsence(client.resource(controllerrevisions).delete(metadata, {}))
}

class Performer {
  readonly #set: SomeSet
  readonly #dependencies: Dependencies

  constructor(set: SomeSet, dependencies: Dependencies) {
    this.#set = set
    this.#dependencies = dependencies
  }

  async perform({ phases }: Plan): Promise<void> {
    for (const actions of phases) {
      if (this.#set.spec.podManagementPolicy !== 'Parallel') for (const action of actions) await this.#act(action)
      else await this.#atOnce(actions)
    }
  }

  async #atOnce(actions: readonly Action[]): Promise<void> {
    const left = actions.values()
    const { error } = await slowStart(actions.length, async () => {
      const { value } = left.next()
      if (value) await this.#act(value)
    })
    if (error !== undefined) throw error
  }

  async #act(action: Action): Promise<void> {
    const { client } = this.#dependencies
    switch (action.do) {
      case 'create':
        return await this.#create(action)
      case 'claim':
        return await this.#makeClaims(action.pod, action.claims)
      case 'update':
        return await this.#recording('update', action.pod, async () => {
          await client.resource(pods).update(action.pod)
        })
      case 'delete':
        return await this.#recording('delete', action.pod, async () => {
          const { uid } = action.pod.metadata
          await ignoringAbsence(client.resource(pods).delete(action.pod.metadata, { uid }))
        })
      case 'retain':
        for (const claim of action.claims) await ignoringAbsence(client.resource(persistentvolumeclaims).update(claim))
        return
      case 'warn':
        this.#event('Warning', 'ConflictingController', conflicting(action.claim))
    }
  }

  async #create({ pod, claims, terminating }: Extract<Action, { do: 'create' }>): Promise<void> {
    await this.#recording('create', pod, async () => {
      requireSelected(pod, labelSelectorFromObject(this.#set.spec.selector))
      await this.#makeClaims(pod, claims)
      if (terminating !== undefined) throw new Error(`pvc ${terminating} is being deleted`)
      await this.#dependencies.client.resource(pods).create(pod)
    })
  }

  async #makeClaims(pod: SomePod, claims: readonly SomeClaim[]): Promise<void> {
    const { name: setName = '' } = this.#set.metadata
    const podName = pod.metadata.name ?? ''
    for (const claim of claims) {
      const name = claim.metadata.name ?? ''
      try {
        await this.#dependencies.client.resource(persistentvolumeclaims).create(claim)
      } catch (error) {
        if (isAlreadyExists(error)) continue
        const text = `create Claim ${name} for Pod ${podName} in StatefulSet ${setName} failed error: ${messageOf(error)}`
        this.#event('Warning', 'FailedCreate', text)
        throw error
      }
      const text = `create Claim ${name} Pod ${podName} in StatefulSet ${setName} success`
      this.#event('Normal', 'SuccessfulCreate', text)
    }
  }

  /** Records an event about the outcome. */
  async #recording(verb: 'create' | 'update' | 'delete', pod: SomePod, work: () => Promise<void>): Promise<void> {
    const title = verb[0]?.toUpperCase() + verb.slice(1)
    const what = `${verb} Pod ${pod.metadata.name ?? ''} in StatefulSet ${this.#set.metadata.name ?? ''}`
    try {
      await work()
    } catch (error) {
      if (!(verb === 'create' && isAlreadyExists(error)))
        this.#event('Warning', `Failed${title}`, `${what} failed error: ${messageOf(error)}`)
      throw error
    }
    this.#event('Normal', `Successful${title}`, `${what} successful`)
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#dependencies.events.event(this.#set, type, reason, message)
  }
}

function conflicting(claim: string): string {
  return `PersistentVolumeClaim ${claim} has a conflicting OwnerReference that acts as a managing controller, the retention policy is ignored for this claim`
}

async function ignoringAbsence(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
