import {
  authorizerType,
  type CelType,
  compile,
  CompileSlice,
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

/** The variables of a request that expressions of webhooks and policies can use. */
interface ExpressionPlace {
  readonly params?: boolean
  readonly namespaceObject?: boolean
  readonly authorizer?: boolean
  /** Expressions may make operations of a JSON patch. */
  readonly patches?: boolean
}

/** An environment for the expressions of a place, with nothing of a single policy in it. */
export function createAdmissionEnvironment(place: ExpressionPlace): Environment {
  return createEnvironment({
    libraries: kubernetesLibraries(),
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

/** The environments of policies, each made when it is first needed. */
export interface PolicyPlaces {
  readonly expressions: () => Environment
  /** Without the authorizer. */
  readonly messages: () => Environment
}

export function createPolicyEnvironments(place: { readonly patches: boolean }): (hasParams: boolean) => PolicyPlaces {
  const made = (params: boolean): PolicyPlaces => {
    const seen = { ...place, params, namespaceObject: true }
    return {
      expressions: lazily(() => createAdmissionEnvironment({ ...seen, authorizer: true })),
      messages: lazily(() => createAdmissionEnvironment(seen)),
    }
  }
  const [without, withParams] = [made(false), made(true)]
  return (hasParams) => (hasParams ? withParams : without)
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

/**
 * Checks the expressions of one object. Those in `known`, which the stored object has already, are not compiled again:
 * an expression that was accepted once may stay.
 */
export class ExpressionCheck {
  readonly #errors: FieldError[]
  readonly #known: ReadonlySet<string>
  readonly #places: PolicyPlaces
  readonly #slice = new CompileSlice()
  readonly #variables = new Map<string, ObjectField>()
  readonly #variablesType = new ObjectType('kubernetes.variables', () => this.#variables)

  constructor(errors: FieldError[], places: PolicyPlaces, known: ReadonlySet<string>) {
    this.#errors = errors
    this.#places = places
    this.#known = known
  }

  /** Reports what is wrong at `path`. */
  check(expression: string, path: FieldPath, expected?: CelType | readonly CelType[]): void {
    if (this.#known.has(expression)) return
    this.#compile('expressions', expression, path, expected)
  }

  /** As check, for what makes a message. */
  checkMessage(expression: string, path: FieldPath): void {
    if (!this.#known.has(expression)) this.#compile('messages', expression, path, types.string)
  }

  #compile(
    place: keyof PolicyPlaces,
    expression: string,
    path: FieldPath,
    expected: CelType | readonly CelType[] | undefined,
  ): void {
    this.#slice.note(expression)
    const options = expected === undefined ? {} : { expectedType: expected }
    const result = compile(this.#environment(place), expression, options)
    if (!result.ok) this.#errors.push(fieldErrors.invalid(path, expression, result.message))
  }

  /** As check; later expressions can read the result as `variables.<name>`. */
  declare(name: string, expression: string, path: FieldPath): void {
    this.#slice.note(expression)
    const result = compile(this.#environment('expressions'), expression)
    if (!result.ok && !this.#known.has(expression))
      this.#errors.push(fieldErrors.invalid(path, expression, result.message))
    this.#variables.set(name, { name, type: result.ok ? result.outputType : types.dyn })
  }

  /** True: others should run before more is checked. */
  isPauseDue(): boolean {
    return this.#slice.isDue()
  }

  #environment(place: keyof PolicyPlaces): Environment {
    const base = this.#places[place]()
    return this.#variables.size === 0
      ? base
      : extendEnvironment(base, { variables: { variables: this.#variablesType } })
  }
}

/** Made when first needed: most servers see few of these expressions, and a library none. */
export function lazily(make: () => Environment): () => Environment {
  let made: Environment | undefined
  return () => (made ??= make())
}
