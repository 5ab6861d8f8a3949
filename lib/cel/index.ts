// cel: expressions in API fields: compile once (parsed, checked against declared types, worst case estimated), evaluate
// often (closures over JSON data, cost counted, a budget always enforced). No text and no data can make it throw, hang
// or run code. Knows types and values, not which expressions the API has or what they decide.

export { createEnvironment, type Environment, extendEnvironment } from './check/environment.ts'
export { type FunctionDeclaration, globalForm, type Library, memberForm, type Overload } from './check/function.ts'
export { createOpenApiTypes, type OpenApiTypes } from './check/openapi.ts'
export { patternSize, patternSizeMax } from './check/patternsize.ts'
export { unbounded } from './check/range.ts'
export { SchemaTypes, textSize, textType } from './check/schema.ts'
export { type CelType, formatType, type ObjectField, ObjectType, types } from './check/types.ts'
export { bindingsLibrary, deviceLibraries, kubernetesLibraries } from './kubernetes.ts'
export {
  type AuthorizationAnswer,
  type AuthorizationQuery,
  type Authorize,
  authorizerType,
  createAuthorizerValue,
  createResourceCheckValue,
  resourceCheckType,
} from './libraries/authorizer.ts'
export { parseRequestUri } from './libraries/uri.ts'
export { type Bindings, compile, type Outcome, type Program, perCallLimit } from './program.ts'
export { CompileSlice } from './run/compileslice.ts'
export { fromValue, toValue } from './run/data.ts'
export { CelError } from './run/errors.ts'
export { DeclaredVariables, LazyVariables, SharedOutcomes, type VariablesMeter } from './run/lazyvariables.ts'
export { Pending } from './run/pending.ts'
export { EntryMap, ListValue, type MapKey, MapValue, ObjectValue, Optional, type Value } from './run/values.ts'
export { type Expr, operators, qualifiedName } from './syntax/ast.ts'
export { escapeName, unescapeName } from './syntax/escape.ts'
export { misnamedObject } from './syntax/objectnames.ts'
export { parseText } from './syntax/parsetext.ts'
