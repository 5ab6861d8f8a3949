import { flushCompileCache } from 'node:module'

/** Saves compiled code for the next start. The scripts of hack/scripts.ts have a file of their own in this one's place. */
export function saveCompiledCode(): void {
  flushCompileCache()
}
