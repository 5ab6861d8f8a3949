import { type Checked, check } from './check/check.ts'
import type { Environment } from './check/environment.ts'
import { estimateCost } from './check/estimate.ts'
import { checkLiterals, type PatternBudget } from './check/literalcheck.ts'
import type { Range } from './check/range.ts'
import { type CelType, typeText } from './check/types.ts'
import { Solution } from './check/unify.ts'
import { compileChecked } from './run/compile.ts'
import { CelError } from './run/errors.ts'
import { Frame } from './run/frame.ts'
import { Pending } from './run/pending.ts'
import type { Value } from './run/values.ts'
import { type Parsed, parse } from './syntax/parser.ts'
import { type Issue, SourceText } from './syntax/sourcetext.ts'

/** Default cost units of one evaluation; the stock server's bound for one expression. */
export const perCallLimit = 1_000_000

interface CompileOptions {
  /** The required type, or types, of the expression, exactly; dyn allows any. */
  readonly expectedType?: CelType | readonly CelType[]
  /** Refuse expressions whose worst case costs more. */
  readonly costLimit?: number
  /** Absent: every literal pattern is compiled as a check. */
  readonly patternBudget?: PatternBudget
}

interface CompileFailure {
  readonly ok: false
  /**
   * 'invalid': does not parse or check; 'type': wrong type of result; 'program': a constant part has no value; 'cost':
   * worst case above the limit.
   */
  readonly code: 'invalid' | 'type' | 'program' | 'cost'
  /** `compilation failed: ERROR: <input>:1:5: …`, `must evaluate to bool but got int`, or the excess of the cost. */
  readonly message: string
  readonly issues: readonly Issue[]
  /** With code 'cost'. */
  readonly costEstimate?: Range
}

interface CompileSuccess {
  readonly ok: true
  readonly program: Program
  readonly outputType: CelType
  /** Best and worst case; `unbounded` when the worst case has no bound. */
  readonly costEstimate: Range
}

interface EvaluateOptions {
  /** Cost units; default perCallLimit. */
  readonly budget?: number
  readonly signal?: AbortSignal
  /** The evaluation is on this list while it runs. */
  readonly running?: { readonly cost: number }[]
}

export type Outcome =
  | { readonly ok: true; readonly value: Value; readonly cost: number }
  | { readonly ok: false; readonly error: CelError; readonly cost: number }

/**
 * Values of variables: JSON data of the declared types, or the engine's values. A function is called when its variable
 * is first read.
 */
export type Bindings = Readonly<Record<string, unknown>>

/** A compiled expression. Immutable: can be evaluated anywhere, any number of times. */
export interface Program {
  readonly text: string
  readonly outputType: CelType
  /** Variables that the expression reads. */
  readonly variables: readonly string[]
  /** Never throws, whatever the expression and its data. */
  evaluate(bindings: Bindings, options?: EvaluateOptions): Outcome
  /** As evaluate, or a promise to wait for: call again after that, with the same bindings. */
  attempt(bindings: Bindings, options?: EvaluateOptions): Outcome | Pending
  /** As evaluate, for expressions whose functions may wait (authorizer checks). */
  evaluateAsync(bindings: Bindings, options?: EvaluateOptions): Promise<Outcome>
}

/** Parses, checks and compiles an expression. Never throws for any text. */
export function compile(
  environment: Environment,
  text: string,
  options: CompileOptions = {},
): CompileSuccess | CompileFailure {
  const source = new SourceText(text)
  const parsed = parse(source, {
    macros: environment.macros,
    optionalSyntax: environment.optionalSyntax,
    quotedFields: environment.quotedFields,
    sizeMax: environment.sizeMax,
    depthMax: environment.depthMax,
  })
  const checked = parsed && checkParsed(environment, source, parsed, options.patternBudget)
  if (!checked) {
    return { ok: false, code: 'invalid', message: `compilation failed: ${source.toString()}`, issues: source.issues }
  }
  const mismatch = expectation(checked.type, options.expectedType)
  if (mismatch !== undefined) return { ok: false, code: 'type', message: mismatch, issues: [] }
  const costEstimate = estimateCost(checked)
  if (options.costLimit !== undefined && costEstimate.max > options.costLimit) {
    const message = `estimated cost ${costEstimate.max} exceeds the limit of ${options.costLimit}`
    return { ok: false, code: 'cost', message, issues: [], costEstimate }
  }
  try {
    const program = createProgram(environment, text, checked)
    return { ok: true, program, outputType: checked.type, costEstimate }
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    const issues = [{ line: -1, column: -1, message: error.message }]
    return { ok: false, code: 'program', message: `program instantiation failed: ${error.message}`, issues }
  }
}

function checkParsed(
  environment: Environment,
  source: SourceText,
  parsed: Parsed,
  budget: PatternBudget | undefined,
): Checked | undefined {
  const checked = check(environment, source, parsed.expr, parsed.nodeCount)
  if (!checked) return undefined
  checkLiterals(environment.checks, environment.mixing, { source, checked, patternBudget: budget })
  return source.issues.length > 0 ? undefined : checked
}

/** The error of a result with the wrong type, in the stock server's words. */
function expectation(type: CelType, expected: CompileOptions['expectedType']): string | undefined {
  if (expected === undefined) return undefined
  const wanted: readonly CelType[] = 'kind' in expected ? [expected] : expected
  const solution = new Solution()
  if (wanted.some((one) => one.kind === 'dyn' || solution.same(one, type))) return undefined
  const names = wanted.map((one) => typeText(one))
  const wants = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`
  return `must evaluate to ${wants} but got ${typeText(type)}`
}

/** How often an evaluation may start over; authorizer checks cost so much that a budget allows two. */
const restartsMax = 32

function createProgram(environment: Environment, text: string, checked: Checked): Program {
  const { evaluate, shape } = compileChecked(checked, environment.variables)

  const attempt = (bindings: Bindings, options: EvaluateOptions): Outcome | Pending => {
    if (options.signal?.aborted) return { ok: false, error: new CelError('aborted', 'evaluation was aborted'), cost: 0 }
    const frame = new Frame(shape, bindings, options.budget ?? perCallLimit)
    options.running?.push(frame)
    try {
      const value = evaluate(frame)
      frame.charge(0)
      return { ok: true, value, cost: frame.cost }
    } catch (error) {
      if (error instanceof CelError) return { ok: false, error, cost: frame.cost }
      if (error instanceof Pending) {
        error.cost += frame.cost
        return error
      }
      if (error instanceof RangeError) {
        const refusal = new CelError('invalidArgument', 'a value grew beyond what can be held')
        return { ok: false, error: refusal, cost: frame.cost }
      }
      throw error
    } finally {
      options.running?.pop()
    }
  }

  return Object.freeze({
    text,
    outputType: checked.type,
    variables: shape.globals,
    attempt: (bindings: Bindings, options: EvaluateOptions = {}) => attempt(bindings, options),
    evaluate(bindings: Bindings, options: EvaluateOptions = {}): Outcome {
      const outcome = attempt(bindings, options)
      if (outcome instanceof Pending) throw new Error('the expression waits for an answer: use evaluateAsync')
      return outcome
    },
    async evaluateAsync(bindings: Bindings, options: EvaluateOptions = {}): Promise<Outcome> {
      for (let restarts = 0; ; restarts++) {
        const outcome = attempt(bindings, options)
        if (!(outcome instanceof Pending)) return outcome
        if (restarts >= restartsMax) throw new Error('the expression waits for too many answers')
        await outcome.ready
      }
    },
  })
}
