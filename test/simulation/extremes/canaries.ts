import type { ControllerDefinition, Informer } from '../../../lib/controller/index.ts'

/** A way in which controllers are wrong about extreme values, and how the fuzzer must notice. */
export interface ExtremeCanary {
  readonly what: string
  readonly finds: RegExp
  /** Objects of no other kind are made: it is found soon. */
  readonly kind: string
  change(definitions: readonly ControllerDefinition[]): readonly ControllerDefinition[]
}

/** Longer than any machine may take for a turn. */
const walkedMax = 3_000_000

export const extremeCanaries: readonly ExtremeCanary[] = [
  {
    what: 'a controller walks over all replicas of a set',
    kind: 'StatefulSet',
    finds: /a turn held the event loop for \d+ ms: /,
    change: withReads('statefulset-controller', 'statefulsets', (set) => {
      const { replicas = 0 } = (set as { spec?: { replicas?: number } }).spec ?? {}
      return Array.from({ length: Math.min(replicas, walkedMax) }, (_, ordinal) => ({ name: `set-${ordinal}` })).length
    }),
  },
  {
    what: 'a controller stops at an object that it can not read',
    kind: 'CronJob',
    finds: /of \d+ jobs of the cron job there are 0/,
    change: withReads('cronjob-controller', 'cronjobs', (cronjob) => {
      const { name = '' } = (cronjob as { metadata: { name?: string } }).metadata
      if (name === 'bystander') throw new Error('planted')
    }),
  },
]

/** One controller does this, too, with each object of the resource that it gets. */
function withReads(controller: string, resource: string, read: (object: unknown) => unknown): ExtremeCanary['change'] {
  return (definitions) =>
    definitions.map((definition) => (definition.name === controller ? reading(definition, resource, read) : definition))
}

function reading(
  definition: ControllerDefinition,
  resource: string,
  read: (object: unknown) => unknown,
): ControllerDefinition {
  const seen = <T>(informer: Informer<T>): Informer<T> =>
    new Proxy(informer, {
      get(target, name) {
        if (name === 'get')
          return (key: string) => {
            const object = target.get(key)
            if (object) read(object)
            return object
          }
        const part: unknown = Reflect.get(target, name, target)
        return typeof part === 'function' ? part.bind(target) : part
      },
    })
  return {
    ...definition,
    start: (context) =>
      definition.start({
        ...context,
        informer: (type) => (type.resource === resource ? seen(context.informer(type)) : context.informer(type)),
      }),
  }
}
