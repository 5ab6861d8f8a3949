// peers: the other replicas of this API server, possibly of another release: the resources that they serve, requests
// for resources that only they serve, and the discovery of all together. Invariant: a request is forwarded at most
// once, and this server answers whatever it serves itself. Must not know kinds by name, nor how replicas announce
// themselves.
export { createPeers, type Peer, type Peers } from './peers.ts'
