import { type FunctionDeclaration, globalForm, type Library, memberForm, type Overload } from '../check/function.ts'
import { scaled, sizeAt, times } from '../check/range.ts'
import { type CelType, types } from '../check/types.ts'
import { costs, regexEstimate, sizeOf, traversal } from '../run/cost.ts'
import { matchCost, RegexCache } from '../run/regex.ts'
import { type Bytes, codePointCount, type ListValue, type MapValue, type Value } from '../run/values.ts'
import { standardMacros } from '../syntax/macros.ts'
import { conversions } from './conversions.ts'
import { operatorForms } from './operators.ts'
import { timeParts } from './timeparts.ts'

const { int, uint, double, bool, string, bytes, timestamp, duration, dyn } = types
const A = types.param('A')
const B = types.param('B')
const listA = types.list(A)
const mapAB = types.map(A, B)

/** CEL's standard library: operators, conversions, size, string tests, parts of times. */
export function standardLibrary(): Library {
  const regexes = new RegexCache()
  return {
    name: 'standard',
    macros: standardMacros,
    types: [
      bool,
      bytes,
      double,
      duration,
      types.list(dyn),
      types.map(dyn, dyn),
      int,
      types.null,
      string,
      timestamp,
      types.type,
      uint,
    ],
    functions: [...operatorForms(), ...conversions(), ...strings(regexes), ...sizes(), ...timeParts()],
  }
}

function strings(regexes: RegexCache): FunctionDeclaration[] {
  const edge = {
    cost: (_: Value, part: Value) => traversal(sizeOf(part)),
    estimate: ((args) => ({ cost: scaled(sizeAt(args, 1), costs.traversal) })) as NonNullable<Overload['estimate']>,
  }
  const contains = {
    cost: (text: Value, part: Value) => traversal(sizeOf(text)) * traversal(sizeOf(part)),
    estimate: ((args) => ({
      cost: times(scaled(sizeAt(args, 0), costs.traversal), scaled(sizeAt(args, 1), costs.traversal)),
    })) as NonNullable<Overload['estimate']>,
  }
  const matching = {
    cost: matchCost,
    estimate: ((args) => ({ cost: regexEstimate(sizeAt(args, 0), sizeAt(args, 1)) })) as NonNullable<
      Overload['estimate']
    >,
  }
  const matches = (text: string, pattern: string): boolean => regexes.get(pattern).test(text)
  return [
    {
      name: 'contains',
      overloads: [
        memberForm('contains_string', [string, string], bool, (a: string, b: string) => a.includes(b), contains),
      ],
    },
    {
      name: 'startsWith',
      overloads: [
        memberForm('starts_with_string', [string, string], bool, (a: string, b: string) => a.startsWith(b), edge),
      ],
    },
    {
      name: 'endsWith',
      overloads: [
        memberForm('ends_with_string', [string, string], bool, (a: string, b: string) => a.endsWith(b), edge),
      ],
    },
    {
      name: 'matches',
      overloads: [
        globalForm('matches', [string, string], bool, matches, matching),
        memberForm('matches_string', [string, string], bool, matches, matching),
      ],
    },
  ]
}

function sizes(): FunctionDeclaration[] {
  const forms: readonly (readonly [CelType, (value: never) => number])[] = [
    [bytes, (value: Bytes) => value.value.length],
    [listA, (value: ListValue) => value.size],
    [mapAB, (value: MapValue) => value.size],
    [string, codePointCount],
  ]
  return [
    {
      name: 'size',
      overloads: forms.flatMap(([type, count]) => [
        globalForm(`size_${type.kind}`, [type], int, count as (value: Value) => number),
        memberForm(`${type.kind}_size`, [type], int, count as (value: Value) => number),
      ]),
    },
  ]
}
