import type * as core from '../../../api/gen/core/v1.ts'
import type * as scheduling from '../../../api/gen/scheduling.k8s.io/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

interface PriorityDependencies {
  /** The present class; undefined: there is none. */
  find(name: string, signal: AbortSignal): Promise<scheduling.PriorityClass | undefined>
  all(signal: AbortSignal): Promise<readonly scheduling.PriorityClass[]>
}

const defaultPolicy = 'PreemptLowerPriority'

/** Sets the priority of pods from their class, and refuses a second default class. */
export function createPriority(dependencies: PriorityDependencies): AdmissionPlugin {
  return {
    name: 'Priority',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    mutate(attributes) {
      if (!concernsResource(attributes, 'pods')) return undefined
      return attributes.operation === 'CREATE' ? prioritize(dependencies, attributes) : keep(attributes)
    },
    validate(attributes) {
      if (!concernsResource(attributes, 'priorityclasses', 'scheduling.k8s.io')) return undefined
      return checkDefault(dependencies, attributes)
    },
  }
}

/** At most one class is the default for pods without a class. */
async function checkDefault({ all }: PriorityDependencies, attributes: AdmissionAttributes): Promise<void> {
  const { name, object, operation, signal } = attributes
  if (!(object as scheduling.PriorityClass).globalDefault) return
  const present = lowestDefault(await all(signal))
  if (!present || (operation === 'UPDATE' && present.metadata.name === name)) return
  const why = `PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`
  throw refusal(attributes, why)
}

async function prioritize(dependencies: PriorityDependencies, attributes: AdmissionAttributes): Promise<void> {
  const { spec } = attributes.object as core.Pod
  const refuse = (why: string): Error => refusal(attributes, why)
  const named = spec.priorityClassName
  const found = named
    ? await dependencies.find(named, attributes.signal)
    : lowestDefault(await dependencies.all(attributes.signal))
  if (named && !found) throw refuse(`no PriorityClass with name ${named} was found`)
  if (found) spec.priorityClassName = found.metadata.name ?? ''
  const end = 'from the given PriorityClass name'
  const value = found?.value ?? 0
  if (spec.priority !== undefined && spec.priority !== value)
    throw refuse(
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} ${end}`,
    )
  const policy = found?.preemptionPolicy ?? defaultPolicy
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy)
    throw refuse(
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} ${end}`,
    )
  spec.priority = value
  spec.preemptionPolicy = policy
}

/** Clients that don't know the fields leave them out of updates. */
function keep({ object, oldObject }: AdmissionAttributes): void {
  const [{ spec }, { spec: old }] = [object, oldObject] as [core.Pod, core.Pod]
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined)
    spec.preemptionPolicy = old.preemptionPolicy
}

function lowestDefault(classes: readonly scheduling.PriorityClass[]): scheduling.PriorityClass | undefined {
  return classes.filter(({ globalDefault }) => globalDefault).sort((a, b) => a.value - b.value)[0]
}
