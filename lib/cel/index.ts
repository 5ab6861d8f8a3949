// cel: expressions in API fields: compile once (parsed, checked against declared types, worst case estimated), evaluate
// often (closures over JSON data, cost counted, a budget always enforced). No text and no data can make it throw, hang or
// run code. Knows types and values, not which expressions the API has or what they decide.
export { CompileSlice } from './compileslice.ts'
export { CelError } from './errors.ts'
export { fromValue, toValue } from './data.ts'
export { createEnvironment, type Environment, extendEnvironment } from './environment.ts'
export { escapeName, unescapeName } from './escape.ts'
export { type FunctionDeclaration, globalForm, type Library, memberForm, type Overload } from './function.ts'
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
export { LazyVariables, SharedOutcomes, type VariablesMeter } from './lazyvariables.ts'
export { misnamedObject } from './objectnames.ts'
export { createOpenApiTypes, type OpenApiTypes } from './openapi.ts'
export { patternSize, patternSizeMax } from './patternsize.ts'
export { Pending } from './pending.ts'
export { type Bindings, compile, type Outcome, perCallLimit, type Program } from './program.ts'
export { unbounded } from './range.ts'
export { SchemaTypes, textSize, textType } from './schema.ts'
export { type CelType, formatType, type ObjectField, ObjectType, types } from './types.ts'
export { ListValue, MapValue, ObjectValue, Optional, type Value } from './values.ts'
