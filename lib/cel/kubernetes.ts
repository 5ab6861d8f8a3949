import type { Library } from './check/function.ts'
import { authorizerLibrary, authorizerSelectorsLibrary } from './libraries/authorizer.ts'
import { extendedListsLibrary } from './libraries/extendedlists.ts'
import { formatLibrary } from './libraries/format.ts'
import { cidrLibrary, ipLibrary } from './libraries/ip.ts'
import { jsonPatchLibrary } from './libraries/jsonpatch.ts'
import { kubernetesListsLibrary, setsLibrary } from './libraries/lists.ts'
import { homogeneousLiteralsLibrary, literalArgumentsLibrary } from './libraries/literals.ts'
import { crossTypeLibrary } from './libraries/operators.ts'
import { optionalLibrary } from './libraries/optional.ts'
import { optionalListsLibrary } from './libraries/optionallists.ts'
import { quantityLibrary } from './libraries/quantity.ts'
import { regexLibrary } from './libraries/regex.ts'
import { semverLibrary } from './libraries/semver.ts'
import { stringsLibrary } from './libraries/strings.ts'
import { urlsLibrary } from './libraries/urls.ts'
import { bindMacro, twoVariableMacros } from './syntax/macros.ts'

const semverSince = 33

interface Versioned {
  /** Minor of the first 1.x release with it. */
  readonly since: number
  /** Minor of the first release without it. */
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
  { since: semverSince, library: semverLibrary },
  { since: 34, library: extendedListsLibrary },
  { since: 34, library: optionalListsLibrary },
]

/**
 * The libraries of device selectors, which got some versions earlier than other expressions, and bindings. `minor` as
 * below.
 */
export function deviceLibraries(minor?: number): readonly Library[] {
  const early = minor !== undefined && minor < semverSince ? [semverLibrary({ lenient: false })] : []
  return [...kubernetesLibraries(minor), ...early, bindingsLibrary()]
}

/** cel.bind, which the stock server has in device selectors alone. */
export function bindingsLibrary(): Library {
  return { name: 'bindings', macros: [bindMacro] }
}

/**
 * The libraries that expressions may use. Stored expressions and those of configuration files may use all libraries.
 * New expressions may use those of the oldest release that may have to read them: `minor` is its minor version (32 for
 * 1.32).
 */
export function kubernetesLibraries(minor = Number.POSITIVE_INFINITY): readonly Library[] {
  return history
    .filter(({ since, until }) => since <= minor && (until === undefined || minor < until))
    .map(({ library }) => library())
}
