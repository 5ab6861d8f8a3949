import { standardLibrary } from '../libraries/standard.ts'
import { TypeValue } from '../run/values.ts'
import { type Macro, macroKey } from '../syntax/macros.ts'
import type { FunctionDeclaration, Library, Overload } from './function.ts'
import type { LiteralCheck } from './literalcheck.ts'
import { type CelType, type ObjectField, ObjectType, runtimeTypeName } from './types.ts'

interface EnvironmentOptions {
  /** Names that expressions may read, with their types. Dots are allowed. */
  readonly variables?: Readonly<Record<string, CelType>>
  /** In addition to the standard functions and macros; see kubernetesLibraries(). */
  readonly libraries?: readonly Library[]
  /** Object types that expressions may create (`Name{…}`) or name. */
  readonly types?: readonly ObjectType[]
  /** `Name{…}`, `Name.part{…}`, … create objects of any fields. */
  readonly openTypes?: readonly string[]
  /** Names are resolved in this namespace first. */
  readonly container?: string
  /** Code points of an expression; default 100000. */
  readonly sizeMax?: number
  /** Nesting of an expression; default 250. */
  readonly depthMax?: number
}

/** The names that the expressions of one place can use. Created once a place, and shared by all its expressions. */
export interface Environment {
  readonly variables: ReadonlyMap<string, CelType>
  readonly functions: ReadonlyMap<string, readonly Overload[]>
  readonly macros: ReadonlyMap<string, Macro>
  readonly typeNames: ReadonlyMap<string, TypeValue>
  readonly objectTypes: ReadonlyMap<string, ObjectType>
  readonly openTypes: readonly string[]
  readonly container: string
  readonly optionalSyntax: boolean
  readonly quotedFields: boolean
  readonly checks: readonly LiteralCheck[]
  readonly mixing: ReadonlySet<string>
  readonly sizeMax: number
  readonly depthMax: number
}

/** Throws for two overloads of a function with the same id. */
export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  const libraries = [standardLibrary(), ...(options.libraries ?? [])]
  const functions = new Map<string, Overload[]>()
  const macros = new Map<string, Macro>()
  const typeNames = new Map<string, TypeValue>()
  for (const library of libraries) {
    for (const declaration of library.functions ?? []) addFunction(functions, declaration)
    for (const macro of library.macros ?? []) macros.set(macroKey(macro), macro)
    for (const type of library.types ?? []) addTypeName(typeNames, type)
  }
  const objectTypes = new Map<string, ObjectType>()
  for (const type of options.types ?? []) {
    objectTypes.set(type.name, type)
    addTypeName(typeNames, type)
  }
  return Object.freeze({
    variables: new Map(Object.entries(options.variables ?? {})),
    functions,
    macros,
    typeNames,
    objectTypes,
    openTypes: options.openTypes ?? [],
    container: options.container ?? '',
    optionalSyntax: libraries.some((library) => library.optionalSyntax === true),
    quotedFields: libraries.some((library) => library.quotedFields === true),
    checks: libraries.flatMap((library) => library.checks ?? []),
    mixing: new Set(libraries.flatMap((library) => library.mixing ?? [])),
    sizeMax: options.sizeMax ?? 100_000,
    depthMax: options.depthMax ?? 250,
  })
}

/**
 * The same language with further names. Shares everything that the base has: cheap enough to create for one expression.
 */
export function extendEnvironment(
  base: Environment,
  more: Pick<EnvironmentOptions, 'variables' | 'types'>,
): Environment {
  const typeNames = new Map(base.typeNames)
  const objectTypes = new Map(base.objectTypes)
  for (const type of more.types ?? []) {
    objectTypes.set(type.name, type)
    addTypeName(typeNames, type)
  }
  const variables = new Map([...base.variables, ...Object.entries(more.variables ?? {})])
  return Object.freeze({ ...base, variables, typeNames, objectTypes })
}

export function findObjectType({ objectTypes, openTypes }: Environment, name: string): ObjectType | undefined {
  const declared = objectTypes.get(name)
  if (declared) return declared
  const isOpen = openTypes.some((root) => name === root || name.startsWith(`${root}.`))
  return isOpen ? new ObjectType(name, () => noFields, { constructible: true, open: true }) : undefined
}

const noFields: ReadonlyMap<string, ObjectField> = new Map()

function addTypeName(names: Map<string, TypeValue>, type: CelType): void {
  const name = runtimeTypeName(type)
  names.set(name, new TypeValue(type, name))
}

function addFunction(functions: Map<string, Overload[]>, declaration: FunctionDeclaration): void {
  const overloads = functions.get(declaration.name) ?? []
  for (const overload of declaration.overloads) {
    if (overloads.some((other) => other.id === overload.id)) {
      throw new Error(`function ${declaration.name} has two forms ${overload.id}`)
    }
    overloads.push(overload)
  }
  functions.set(declaration.name, overloads)
}

/** Names to try for `name`, innermost namespace first: in `a.b`, `c` is `a.b.c`, `a.c`, `c`; `.c` is only `c`. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith('.')) return [name.slice(1)]
  if (container === '') return [name]
  const names: string[] = []
  for (let prefix = container; prefix !== ''; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf('.')))) {
    names.push(`${prefix}.${name}`)
  }
  names.push(name)
  return names
}
