import {
  bindingsLibrary,
  compile,
  createEnvironment,
  type FunctionDeclaration,
  formatType,
  globalForm,
  type Library,
  memberForm,
} from '../../lib/cel/index.ts'
import { crossTypeLibrary } from '../../lib/cel/libraries/operators.ts'
import { optionalLibrary } from '../../lib/cel/libraries/optional.ts'
import { stringsLibrary } from '../../lib/cel/libraries/strings.ts'
import { twoVariableMacros } from '../../lib/cel/syntax/macros.ts'
import { encodersLibrary, mathLibrary } from './cellibraries.ts'
import { type SpecCase, type SpecTest, type SpecType, sameValue, show, specType, specValue } from './celspec.ts'

/** The libraries that the conformance data takes for granted. */
function specLibraries(): Library[] {
  return [
    optionalLibrary(),
    crossTypeLibrary(),
    stringsLibrary(3),
    mathLibrary(),
    bindingsLibrary(),
    encodersLibrary(),
    { name: 'two-variable comprehensions', macros: twoVariableMacros, quotedFields: true },
  ]
}

/** The declarations of a case's environment. */
export function declarations(test: SpecTest): {
  variables: Record<string, ReturnType<typeof specType>>
  library: Library
} {
  const variables: Record<string, ReturnType<typeof specType>> = {}
  const functions: FunctionDeclaration[] = []
  for (const declared of test.typeEnv ?? []) {
    if (declared.ident) variables[declared.name] = specType(declared.ident.type)
    if (declared.function) functions.push({ name: declared.name, overloads: overloads(declared.function) })
  }
  return { variables, library: { name: 'declared', functions } }
}

interface SpecOverload {
  readonly overloadId: string
  readonly isInstanceFunction?: boolean
  readonly params?: readonly SpecType[]
  readonly resultType: SpecType
}

function overloads(declared: unknown): FunctionDeclaration['overloads'] {
  return (declared as { overloads: readonly SpecOverload[] }).overloads.map((one) => {
    const make = one.isInstanceFunction === true ? memberForm : globalForm
    return make(one.overloadId, (one.params ?? []).map(specType), specType(one.resultType), () => null)
  })
}

/** Runs a conformance case; the answer says what is wrong, '' for nothing, and begins with `unchecked` where only an engine that can leave out the check could go on. */
export function runCase({ original: test, type }: SpecCase): string {
  const { variables, library } = declarations(test)
  const container = test.container ?? ''
  const environment = createEnvironment({ variables, container, libraries: [...specLibraries(), library] })
  const compiled = compile(environment, test.expr)
  const fails = test.evalError !== undefined || test.anyEvalErrors !== undefined
  if (!compiled.ok) return fails ? '' : test.disableCheck === true ? `unchecked: ${compiled.message}` : compiled.message
  if (type !== undefined && formatType(compiled.outputType) !== type) {
    return `type ${formatType(compiled.outputType)} instead of ${type}`
  }
  if (test.checkOnly === true) return ''
  const bindings = Object.fromEntries(
    Object.entries(test.bindings ?? {}).map(([name, bound]) => [name, specValue(bound.value ?? {})]),
  )
  const outcome = compiled.program.evaluate(bindings)
  if (!outcome.ok) return fails ? '' : `error ${outcome.error.message}`
  if (fails) return `${show(outcome.value)} instead of an error`
  const wanted = test.value ?? test.typedResult?.result ?? { boolValue: true }
  return sameValue(outcome.value, specValue(wanted))
    ? ''
    : `${show(outcome.value)} instead of ${show(specValue(wanted))}`
}
