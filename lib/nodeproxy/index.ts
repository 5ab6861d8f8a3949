// nodeproxy: requests of clients to nodes, pods and services through this server: logs, commands, terminals, forwarded
// ports, and plain requests. Invariant: a request is only sent to the target of the stored objects that it was
// authorized for, without the client's credentials. Must not know how the server's listeners work, nor which admission
// plugins there are.
export { createNodeProxy, type NodeProxy } from './nodeproxy.ts'
