// The program of a thread in the binary (lib/controlplane/largework/thread.ts), which the server's part contains.
import { loadPart } from './parts.ts'

await loadPart('whole', 'pilothouse').thread?.()
