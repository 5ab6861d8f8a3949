// discovery: what clients can ask of this server, as the documents below /api and /apis: per group and version, and
// aggregated. Made from what is served, which is data; knows no kind by name.
export { createDiscovery } from './handler.ts'
