import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of each file by its path below the root, with forward slashes. */
export type Tree = ReadonlyMap<string, string>

const folders = ['api', 'cmd', 'console', 'docs', 'hack', 'lib', 'test']
const read = /\.(ts|cjs|mjs)$/
/** Documents that may name decisions, and the manifest, which names entry points. */
const rootFiles = /^(package\.json|[A-Z]+\.md)$|\.ts$/

/** The project's sources and documents, without generated files, golden data and installed packages. */
export function readTree(root: string): Tree {
  const tree = new Map<string, string>()
  for (const name of readdirSync(root)) if (rootFiles.test(name)) tree.set(name, readFileSync(join(root, name), 'utf8'))
  for (const folder of folders)
    for (const entry of readdirSync(join(root, folder), { recursive: true })) {
      const path = `${folder}/${String(entry)}`
      const isPaper = path.endsWith('.md') && /^(docs|lib|hack\/decisions)\//.test(path)
      if (path.includes('/gen/') || !(read.test(path) || isPaper)) continue
      tree.set(path, readFileSync(join(root, path), 'utf8'))
    }
  return tree
}
