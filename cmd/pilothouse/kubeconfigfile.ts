import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes a kubeconfig into a new folder that only its owner can read. */
export function createKubeconfigFile(text: string): { path(): Promise<string>; close(): Promise<void> } {
  let folder: Promise<string> | undefined

  async function make(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), 'pilothouse-'))
    await writeFile(join(made, 'kubeconfig'), text, { mode: 0o600 })
    return made
  }

  return {
    path: async () => join(await (folder ??= make()), 'kubeconfig'),
    async close() {
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}
