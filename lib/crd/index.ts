// crd: custom resources: follows the definitions, decides about their names and conditions, and mounts the resources
// that they define: codec, rules, columns and OpenAPI of each version, made from its schema on first use. Invariant:
// the served resources follow from the stored definitions, so that replicas agree without messages. Must not know
// sockets.

export { definitionsResource } from './definition/definition.ts'
export { createDefinitionKind } from './definition/kind.ts'
export { createCustomResources } from './follow.ts'
export { createGivenDefinitions, type GivenDefinitions } from './givendefinitions.ts'
export { anyType, fieldOfType } from './schema/typed.ts'
export { tryRules } from './tryrules.ts'
