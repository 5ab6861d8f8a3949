// peers: the other replicas of this API server, which may be of another release: what they serve, requests for what only
// they serve, and discovery of all together. Invariant: a request is passed on once at most, and whatever this server
// serves itself it answers itself. Must not know kinds by name, nor how replicas announce themselves.
export { createPeers, type Peer, type Peers } from './peers.ts'
