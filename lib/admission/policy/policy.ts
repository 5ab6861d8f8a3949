import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type Clock, nextTurn, type Steps } from '../../base/index.ts'
import {
  type CelType,
  DeclaredVariables,
  type Environment,
  extendEnvironment,
  type ObjectField,
  ObjectType,
  types,
} from '../../cel/index.ts'
import {
  type GroupVersionKind,
  type LabelSelector,
  labelSelectorFromObject,
  parseGroupVersion,
} from '../../object/index.ts'
import { compileCondition } from '../conditions.ts'
import { type Compiled, compileExpression } from '../evaluate.ts'
import { type ResourceMatch, readResourceMatch } from '../matching.ts'
import { readSelectors, type Selectors } from '../selecting.ts'

/** A compiled policy of either kind; `rules` holds its checks or changes. */
export interface Policy<Rules> {
  readonly name: string
  readonly ignoresFailure: boolean
  readonly selectors: Selectors
  readonly match: ResourceMatch
  readonly paramKind: GroupVersionKind | undefined
  readonly conditions: readonly Compiled[]
  readonly variables: DeclaredVariables
  readonly readsNamespace: boolean
  readonly rules: Rules
  /** Why it can't be evaluated: its failure policy decides. */
  readonly broken?: string
}

/** Fields that validating and mutating policies share. */
export type PolicySpec = Pick<
  v1.ValidatingAdmissionPolicySpec,
  'failurePolicy' | 'matchConstraints' | 'matchConditions' | 'paramKind' | 'variables'
>

/** CEL environments of the expressions of one kind of policy. */
export interface PolicyEnvironments {
  readonly expressions: () => Environment
  /** The environment of messages, without the authorizer. */
  readonly messages: () => Environment
}

/** Compiles expressions one by one, so that others run between them. */
export interface ExpressionCompiler {
  expression(text: string, expected?: CelType | readonly CelType[]): Steps<Compiled>
  message(text: string): Steps<Compiled>
}

/** Reads the parts that only one kind of policy has. */
export type ReadRules<Spec, Rules> = (spec: Spec, compiler: ExpressionCompiler) => Steps<Rules>

const sliceMs = 5

/** Never throws for the content of a policy: an invalid part fails when it is evaluated. */
export function* compilePolicy<Spec extends PolicySpec, Rules>(
  name: string,
  spec: Spec,
  read: ReadRules<Spec, Rules>,
  { environments, clock }: { readonly environments: (hasParams: boolean) => PolicyEnvironments; readonly clock: Clock },
): Steps<Policy<Rules>> {
  const found = environments(spec.paramKind !== undefined)
  const fields = new Map<string, ObjectField>()
  const variablesType = new ObjectType('kubernetes.variables', () => fields)
  const withVariables = (base: Environment): Environment =>
    spec.variables?.length ? extendEnvironment(base, { variables: { variables: variablesType } }) : base
  const [expressions, messages] = [withVariables(found.expressions()), withVariables(found.messages())]
  const all: Compiled[] = []
  let sliceEndMs = clock.monotonicMs() + sliceMs
  function* step(make: () => Compiled): Steps<Compiled> {
    if (clock.monotonicMs() > sliceEndMs) {
      yield nextTurn(clock)
      sliceEndMs = clock.monotonicMs() + sliceMs
    }
    const compiled = make()
    all.push(compiled)
    return compiled
  }

  const conditions: Compiled[] = []
  for (const condition of spec.matchConditions ?? [])
    conditions.push(yield* step(() => compileCondition(found.expressions(), condition)))
  const variables = new DeclaredVariables()
  for (const { name: variable, expression } of spec.variables ?? []) {
    const compiled = yield* step(() => compileExpression(expressions, expression))
    variables.set(variable, compiled)
    fields.set(variable, { name: variable, type: 'program' in compiled ? compiled.program.outputType : types.dyn })
  }
  const rules = yield* read(spec, {
    expression: (text, expected) => step(() => compileExpression(expressions, text, expected)),
    message: (text) => step(() => compileExpression(messages, text, types.string)),
  })
  const { matchConstraints = {}, paramKind } = spec
  const selectors = readable(() => readSelectors(matchConstraints))
  return {
    name,
    ignoresFailure: spec.failurePolicy === 'Ignore',
    selectors: selectors.value ?? { namespaces: undefined, objects: undefined },
    match: readResourceMatch(matchConstraints),
    paramKind: paramKind && kindOf(paramKind),
    conditions,
    variables,
    readsNamespace: all.some((each) => 'program' in each && each.program.variables.includes('namespaceObject')),
    rules,
    ...(selectors.why === undefined ? {} : { broken: selectors.why }),
  }
}

function kindOf({ apiVersion = '', kind = '' }: v1.ParamKind): GroupVersionKind {
  return { ...(parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion }), kind }
}

function readable<Value>(read: () => Value): { readonly value?: Value; readonly why?: string } {
  try {
    return { value: read() }
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

/** A policy binding. */
export interface Binding {
  readonly name: string
  readonly policyName: string
  readonly match: ResourceMatch | undefined
  readonly selectors: Selectors
  readonly paramRef: ParamReference | undefined
  readonly actions: readonly string[]
  readonly broken?: string
}

export interface ParamReference {
  readonly name: string
  readonly namespace: string
  readonly selector: LabelSelector | undefined
  readonly allowsNone: boolean
}

type BindingSpec = Partial<v1.ValidatingAdmissionPolicyBindingSpec>

export function readBinding(name: string, { policyName = '', ...spec }: BindingSpec): Binding {
  const { matchResources, paramRef, validationActions = [] } = spec
  const read = readable(() => ({
    selectors: readSelectors(matchResources ?? {}),
    paramRef: paramRef && readReference(paramRef),
  }))
  return {
    name,
    policyName,
    match: matchResources && readResourceMatch(matchResources),
    selectors: read.value?.selectors ?? { namespaces: undefined, objects: undefined },
    paramRef: read.value?.paramRef,
    actions: validationActions,
    ...(read.why === undefined ? {} : { broken: read.why }),
  }
}

function readReference({ name = '', namespace = '', selector, parameterNotFoundAction }: v1.ParamRef): ParamReference {
  return {
    name,
    namespace,
    selector: selector && labelSelectorFromObject(selector),
    allowsNone: parameterNotFoundAction !== 'Deny',
  }
}
