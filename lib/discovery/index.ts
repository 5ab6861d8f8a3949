// discovery: the documents below /api and /apis, by which clients find the served resources: per group and version, and
// aggregated. Made from the list of served groups, which is data; knows no kind by name.
export { asRemoteVersion } from './aggregated.ts'
export { isServedHere, type ListedGroup, type RemoteVersion } from './contract.ts'
export { createDiscovery } from './handler.ts'
