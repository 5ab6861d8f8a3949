import { type WorkLimit } from '../../base/index.ts'
import {
  authorizerType,
  type CelType,
  CompileSlice,
  compile,
  createEnvironment,
  type Environment,
  extendEnvironment,
  kubernetesLibraries,
  type ObjectField,
  ObjectType,
  resourceCheckType,
  types,
} from '../../cel/index.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'

/** The variables of a request in expressions of webhooks and policies. */
interface ExpressionPlace {
  readonly params?: boolean
  readonly namespaceObject?: boolean
  readonly authorizer?: boolean
  /** Expressions may create operations of a JSON patch. */
  readonly patches?: boolean
}

/**
 * An environment for the expressions of a place, without the variables of a single policy. `minor`: for new
 * expressions, the oldest release that must understand them.
 */
export function createAdmissionEnvironment(place: ExpressionPlace, minor?: number): Environment {
  return createEnvironment({
    libraries: kubernetesLibraries(minor),
    ...(place.patches ? { types: [patchType], openTypes: ['Object'] } : {}),
    variables: {
      object: types.dyn,
      oldObject: types.dyn,
      request: requestType,
      ...(place.params ? { params: types.dyn } : {}),
      ...(place.namespaceObject ? { namespaceObject: namespaceType } : {}),
      ...(place.authorizer ? { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType } : {}),
    },
  })
}

/** CEL environments of policies' expressions. */
export interface PolicyPlaces {
  readonly expressions: () => Environment
  /** The environment of messages, without the authorizer. */
  readonly messages: () => Environment
}

/** The environments of policies, each created at its first use. `minor` as for createAdmissionEnvironment. */
export function createPolicyEnvironments(place: {
  readonly patches: boolean
}): (hasParams: boolean, minor?: number) => PolicyPlaces {
  const made = (params: boolean): ((minor?: number) => PolicyPlaces) => {
    const seen = { ...place, params, namespaceObject: true }
    return byRelease((minor) => ({
      expressions: lazily(() => createAdmissionEnvironment({ ...seen, authorizer: true }, minor)),
      messages: lazily(() => createAdmissionEnvironment(seen, minor)),
    }))
  }
  const [without, withParams] = [made(false), made(true)]
  return (hasParams, minor) => (hasParams ? withParams : without)(minor)
}

function objectType(
  name: string,
  fields: Readonly<Record<string, CelType>>,
  options: { constructible?: boolean } = {},
): ObjectType {
  const known = new Map<string, ObjectField>(Object.entries(fields).map(([key, type]) => [key, { name: key, type }]))
  return new ObjectType(name, () => known, options)
}

const { string: text } = types
const texts = types.list(text)
const textMap = types.map(text, text)
const kindType = objectType('kubernetes.GroupVersionKind', { group: text, version: text, kind: text })
const resourceType = objectType('kubernetes.GroupVersionResource', { group: text, version: text, resource: text })

const patchType = objectType(
  'JSONPatch',
  { op: text, path: text, from: text, value: types.dyn },
  { constructible: true },
)

/** Types of the expressions that change objects. */
export const mutationTypes: Readonly<Record<'patches' | 'configuration', CelType>> = {
  patches: types.list(patchType),
  configuration: objectType('Object', {}),
}

const requestType = objectType('kubernetes.AdmissionRequest', {
  kind: kindType,
  resource: resourceType,
  subResource: text,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: objectType('kubernetes.UserInfo', {
    username: text,
    uid: text,
    groups: texts,
    extra: types.map(text, texts),
  }),
  dryRun: types.bool,
  options: types.dyn,
})

const namespaceType = objectType('kubernetes.Namespace', {
  metadata: objectType('kubernetes.NamespaceMetadata', {
    name: text,
    generateName: text,
    namespace: text,
    labels: textMap,
    annotations: textMap,
    UID: text,
    creationTimestamp: types.timestamp,
    deletionGracePeriodSeconds: types.int,
    deletionTimestamp: types.timestamp,
    generation: types.int,
    resourceVersion: text,
    finalizers: texts,
  }),
  spec: objectType('kubernetes.NamespaceSpec', { finalizers: texts }),
  status: objectType('kubernetes.NamespaceStatus', { phase: text }),
})

/** Environments of new expressions, and of stored ones, which may come from any release. */
interface CheckPlaces {
  readonly fresh: PolicyPlaces
  readonly stored: PolicyPlaces
}

/**
 * Checks the expressions of one object. Those in `known`, which the stored object has, are not compiled again: an
 * expression that was accepted once may stay.
 */
export class ExpressionCheck {
  readonly #errors: FieldError[]
  readonly #known: ReadonlySet<string>
  readonly #places: CheckPlaces
  readonly #work: WorkLimit
  readonly #slice = new CompileSlice()
  readonly #variables = new Map<string, ObjectField>()
  readonly #variablesType = new ObjectType('kubernetes.variables', () => this.#variables)

  constructor(errors: FieldError[], places: CheckPlaces, known: ReadonlySet<string>, work: WorkLimit) {
    this.#errors = errors
    this.#work = work
    this.#places = places
    this.#known = known
  }

  /** Reports errors at `path`. */
  check(expression: string, path: FieldPath, expected?: CelType | readonly CelType[]): void {
    if (this.#known.has(expression)) return
    this.#compile('expressions', expression, path, expected)
  }

  /** As check, for an expression that makes a message. */
  checkMessage(expression: string, path: FieldPath): void {
    if (!this.#known.has(expression)) this.#compile('messages', expression, path, types.string)
  }

  #compile(
    place: keyof PolicyPlaces,
    expression: string,
    path: FieldPath,
    expected: CelType | readonly CelType[] | undefined,
  ): void {
    this.#note(expression)
    const options = expected === undefined ? {} : { expectedType: expected }
    const result = compile(this.#environment(this.#places.fresh[place]()), expression, options)
    if (!result.ok) this.#errors.push(fieldErrors.invalid(path, expression, result.message))
  }

  /** As check; later expressions can read the result as `variables.<name>`. */
  declare(name: string, expression: string, path: FieldPath): void {
    this.#note(expression)
    const isKnown = this.#known.has(expression)
    const { fresh, stored } = this.#places
    const result = compile(this.#environment((isKnown ? stored : fresh).expressions()), expression)
    if (!result.ok && !isKnown) this.#errors.push(fieldErrors.invalid(path, expression, result.message))
    this.#variables.set(name, { name, type: result.ok ? result.outputType : types.dyn })
  }

  /** Throws TooLongHere. */
  #note(expression: string): void {
    this.#slice.note(expression)
    if (this.#slice.isDue()) this.#work.check()
  }

  #environment(base: Environment): Environment {
    return this.#variables.size === 0
      ? base
      : extendEnvironment(base, { variables: { variables: this.#variablesType } })
  }
}

/** One for each release: a server uses its own, and the one of stored expressions. */
export function byRelease<Made>(make: (minor: number | undefined) => Made): (minor?: number) => Made {
  const made = new Map<number | undefined, Made>()
  return (minor) => {
    const known = made.get(minor)
    if (known !== undefined) return known
    const one = make(minor)
    made.set(minor, one)
    return one
  }
}

/** Created at its first use: most servers need few of these environments, and a library none. */
export function lazily(make: () => Environment): () => Environment {
  let made: Environment | undefined
  return () => (made ??= make())
}
