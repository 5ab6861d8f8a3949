import type { Library } from './function.ts'
import { authorizerLibrary, authorizerSelectorsLibrary } from './libraries/authorizer.ts'
import { formatLibrary } from './libraries/format.ts'
import { cidrLibrary, ipLibrary } from './libraries/ip.ts'
import { jsonPatchLibrary } from './libraries/jsonpatch.ts'
import { kubernetesListsLibrary, setsLibrary } from './libraries/lists.ts'
import { homogeneousLiteralsLibrary, literalArgumentsLibrary } from './libraries/literals.ts'
import { optionalLibrary } from './libraries/optional.ts'
import { quantityLibrary } from './libraries/quantity.ts'
import { regexLibrary } from './libraries/regex.ts'
import { semverLibrary } from './libraries/semver.ts'
import { crossTypeLibrary } from './libraries/operators.ts'
import { stringsLibrary } from './libraries/strings.ts'
import { urlsLibrary } from './libraries/urls.ts'
import { bindMacro, twoVariableMacros } from './macros.ts'

interface Versioned {
  /** Minor of the 1.x release that brought it. */
  readonly since: number
  /** Minor of the release that dropped it. */
  readonly until?: number
  readonly library: () => Library
}

const history: readonly Versioned[] = [
  { since: 0, library: homogeneousLiteralsLibrary },
  { since: 0, library: urlsLibrary },
  { since: 0, library: regexLibrary },
  { since: 0, library: kubernetesListsLibrary },
  { since: 0, until: 29, library: () => stringsLibrary(0) },
  { since: 27, library: authorizerLibrary },
  { since: 28, library: crossTypeLibrary },
  { since: 28, library: optionalLibrary },
  { since: 28, library: quantityLibrary },
  { since: 29, library: literalArgumentsLibrary },
  { since: 29, library: () => stringsLibrary(2) },
  { since: 29, library: setsLibrary },
  { since: 30, library: ipLibrary },
  { since: 30, library: cidrLibrary },
  { since: 31, library: formatLibrary },
  { since: 31, library: authorizerSelectorsLibrary },
  { since: 32, library: () => ({ name: 'two-variable comprehensions', macros: twoVariableMacros }) },
  { since: 32, library: jsonPatchLibrary },
  { since: 33, library: semverLibrary },
]

/** cel.bind, which the stock server knows in device selectors alone. */
export function bindingsLibrary(): Library {
  return { name: 'bindings', macros: [bindMacro] }
}

/**
 * The libraries that expressions of API fields may use in a release, by its minor version (33 for 1.33). Stored
 * expressions are compiled with the newest; new ones with the oldest release that may have to read them (the server's
 * minor version less one), which refuses what that release would not know.
 */
export function kubernetesLibraries(minor = 33): readonly Library[] {
  return history
    .filter(({ since, until }) => since <= minor && (until === undefined || minor < until))
    .map(({ library }) => library())
}
