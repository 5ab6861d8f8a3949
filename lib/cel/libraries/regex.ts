import { type Library, memberForm, type Overload } from '../check/function.ts'
import { exactly } from '../check/range.ts'
import { types } from '../check/types.ts'
import { regexEstimate, sizeOf } from '../run/cost.ts'
import { matchCost, RegexCache } from '../run/regex.ts'
import { ArrayList, type Value } from '../run/values.ts'

const { string, int } = types
type Estimate = NonNullable<Overload['estimate']>

/** find and findAll. */
export function regexLibrary(): Library {
  const cache = new RegexCache()
  const estimate: Estimate = ([text, pattern]) => {
    const size = text?.size ?? exactly(0)
    return { cost: regexEstimate(size, pattern?.size ?? exactly(0)), resultSize: { min: 0, max: size.max } }
  }
  const extras = { cost: matchCost, estimate }
  const findingAll = { ...extras, resultCost: foundCost }

  const find = (text: string, pattern: string): string => {
    const matcher = cache.get(pattern).matcher(text)
    return matcher.find() ? (matcher.group() ?? '') : ''
  }

  const findAll = (text: string, pattern: string, limit: number | bigint | null): ArrayList => {
    const found: string[] = []
    const most = limit === null || limit < 0 ? Number.POSITIVE_INFINITY : Number(limit)
    const matcher = cache.get(pattern).matcher(text)
    let end = -1
    while (found.length < most && matcher.find()) {
      const isAbutting = matcher.start() === matcher.end() && matcher.start() === end
      end = matcher.end()
      // An empty match directly behind a match doesn't count.
      if (!isAbutting) found.push(matcher.group() ?? '')
    }
    return new ArrayList(found)
  }

  return {
    name: 'regex',
    functions: [
      { name: 'find', overloads: [memberForm('string_find_string', [string, string], string, find, extras)] },
      {
        name: 'findAll',
        overloads: [
          memberForm('string_find_all_string', [string, string], types.list(string), findAll, findingAll),
          memberForm('string_find_all_string_int', [string, string, int], types.list(string), findAll, findingAll),
        ],
      },
    ],
  }
}

/** The stock server charges nothing for matches: an empty pattern, which costs nothing, matches everywhere. */
function foundCost(found: Value): number {
  const count = sizeOf(found)
  return count > freeFoundMax ? Math.floor(count / 2) : 0
}

const freeFoundMax = 100
