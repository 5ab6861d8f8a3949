import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { splitDocuments } from '../../../lib/codec/index.ts'
import { reasonOf, StartError } from '../../../lib/controlplane/index.ts'
import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { isAnswered } from '../../commandline.ts'
import { type DefinedVersion, readDefinition } from './definition.ts'
import { typesFlags } from './flags.ts'
import { moduleOf } from './module.ts'

const usage = `Writes a TypeScript module for custom resources: the types of their objects, and a handle of each resource for the client
of the library, from the definitions in files or folders.

Usage:
  pilothouse types --crd config/crd --out src/resources.ts
  pilothouse types --crd widgets.yaml > widgets.ts
`

/** Limit on the size of one file. */
const fileBytesMax = 64 * 1024 * 1024
/** Maximum number of definitions. */
const definitionsMax = 10_000

/** `pilothouse types`: returns the exit code. Writes all or nothing. */
export async function types(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(typesFlags, line)
  if (isAnswered(parsed, usage, typesFlags)) return 0
  const { crd, out } = parsed.values
  if (crd.length === 0) throw new FlagError('must specify --crd')
  const found = new Map<string, DefinedVersion>()
  for (const name of crd) await addAll(found, name)
  if (found.size === 0) throw new StartError(`there is no served custom resource in ${crd.join(', ')}`)
  const text = moduleOf([...found.values()])
  if (out === '') await print(text)
  else await write(out, text)
  return 0
}

async function addAll(found: Map<string, DefinedVersion>, name: string): Promise<void> {
  for (const file of await filesOf(name)) {
    for (const { line, content } of splitDocuments(await read(file))) {
      const where = line === undefined ? file : `${file}:${line}`
      if (content.is === 'failure') throw new StartError(`${where}: ${content.message}`)
      if (content.is === 'protobuf') throw new StartError(`${where}: definitions are read as YAML and JSON`)
      for (const defined of definitionOf(content.value, where)) add(found, defined, where)
    }
  }
}

function definitionOf(document: unknown, where: string): readonly DefinedVersion[] {
  try {
    return readDefinition(document) ?? []
  } catch (error) {
    throw new StartError(`${where}: ${reasonOf(error)}`, { cause: error })
  }
}

function add(found: Map<string, DefinedVersion>, defined: DefinedVersion, where: string): void {
  const { plural, group, version } = defined
  const key = `${plural}.${group}/${version}`
  if (found.has(key)) throw new StartError(`${where}: ${plural}.${group} is defined twice`)
  if (found.size >= definitionsMax) throw new StartError(`there are more than ${definitionsMax} definitions`)
  found.set(key, defined)
}

/** A folder's files in order of their names, those of folders within included. */
async function filesOf(name: string): Promise<string[]> {
  try {
    if (!(await stat(name)).isDirectory()) return [name]
    const entries = await readdir(name, { withFileTypes: true, recursive: true })
    return entries
      .filter((entry) => entry.isFile() && /\.(yaml|yml|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
  } catch (error) {
    throw new StartError(`can't read ${name}: ${reasonOf(error)}`, { cause: error })
  }
}

async function read(file: string): Promise<Uint8Array> {
  try {
    if ((await stat(file)).size <= fileBytesMax) return await readFile(file)
  } catch (error) {
    throw new StartError(`can't read ${file}: ${reasonOf(error)}`, { cause: error })
  }
  throw new StartError(`${file} has more than ${fileBytesMax} bytes`)
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new StartError(`can't write ${file}: ${reasonOf(error)}`, { cause: error })
  }
}

/** Waits until all output is written: the process ends next. */
async function print(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
