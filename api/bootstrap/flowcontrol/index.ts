// The flow schemas and priority levels that every cluster has.
export { mandatoryLevels, mandatorySchemas } from './mandatory.ts'
export { suggestedLevels, suggestedSchemas } from './suggested.ts'
