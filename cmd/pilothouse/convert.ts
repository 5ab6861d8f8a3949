import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tables } from '../../api/index.ts'
import { splitDocuments } from '../../lib/codec/index.ts'
import { groupOrder, reasonOf, StartError } from '../../lib/controlplane/index.ts'
import { createFeatureGates } from '../../lib/features/index.ts'
import { FlagError, parseFlags } from '../../lib/flags/index.ts'
import { builtInKinds, createKindSet } from '../../lib/kinds/index.ts'
import { type GroupVersion, parseGroupVersion } from '../../lib/object/index.ts'
import { createScheme, type FieldValidation, type MediaType, type Scheme } from '../../lib/scheme/index.ts'
import { isAnswered } from '../commandline.ts'
import { type Conversion, createConversion, encodeObjects, type Problem } from './conversion.ts'
import { convertFlags } from './flags.ts'

const usage = `Converts objects between versions of the API, without a server. Takes YAML, JSON, CBOR and protobuf, as files or as
they are stored; several documents and lists become one List. Versions that were removed are read, too.

Usage:
  pilothouse convert -f deployment.yaml
  pilothouse convert -f old/ -R --output-version=autoscaling/v2 -o json
  etcdctl get /registry/pods/default/web --print-value-only | pilothouse convert -f -
`

/** Limit on the input's size. */
const inputBytesMax = 256 * 1024 * 1024

const mediaTypes: Readonly<Record<string, MediaType>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
}

const validations: Readonly<Record<string, FieldValidation>> = {
  strict: 'Strict',
  true: 'Strict',
  warn: 'Warn',
  ignore: 'Ignore',
  false: 'Ignore',
}

/** `pilothouse convert`: returns the exit code. Writes all or nothing. */
export async function convert(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(convertFlags, line)
  if (isAnswered(parsed, usage, convertFlags)) return 0
  const { values } = parsed
  if (values.filename.length === 0) throw new FlagError('must specify --filename')
  const mediaType = choose('output', values.output, mediaTypes)
  const validate = choose('validate', values.validate, validations)
  const { gate } = createFeatureGates()
  const scheme = createScheme({ tables, order: groupOrder, kinds: createKindSet(builtInKinds).get, gate })
  const target = targetVersion(scheme, values['output-version'])
  const conversion = createConversion({ scheme, target, validate })
  for (const name of values.filename) await addAll(conversion, name, values.recursive)
  report('warning: ', conversion.warnings)
  report('', conversion.problems)
  if (conversion.problems.length > 0) return 1
  if (conversion.objects.length === 0) throw new StartError('no objects passed to convert')
  await write(encodeObjects(scheme, conversion, mediaType), mediaType)
  return 0
}

function choose<Value>(flag: string, given: string, values: Readonly<Record<string, Value>>): Value {
  const value = Object.hasOwn(values, given) ? values[given] : undefined
  if (value !== undefined) return value
  throw new FlagError(`--${flag}: ${JSON.stringify(given)} is none of ${Object.keys(values).join(', ')}`)
}

function targetVersion({ groups }: Scheme, given: string): GroupVersion | undefined {
  if (given === '') return undefined
  const version = parseGroupVersion(given)
  if (!version) throw new FlagError(`--output-version: ${JSON.stringify(given)} is no version such as apps/v1`)
  if (groups.some(({ group, versions }) => group === version.group && versions.includes(version.version)))
    return version
  throw new FlagError(`--output-version: ${given} is an unknown version`)
}

async function addAll(conversion: Conversion, name: string, recursive: boolean): Promise<void> {
  for (const file of await filesOf(name, recursive)) {
    const shown = file === '-' ? 'standard input' : file
    for (const document of splitDocuments(await read(file, shown))) conversion.add(shown, document)
  }
}

async function filesOf(name: string, recursive: boolean): Promise<string[]> {
  if (name === '-') return [name]
  try {
    if (!(await stat(name)).isDirectory()) return [name]
    const entries = await readdir(name, { withFileTypes: true, recursive })
    return entries
      .filter((entry) => !entry.isDirectory() && /\.(yaml|yml|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  } catch (error) {
    throw new StartError(`can't read ${name}: ${reasonOf(error)}`, { cause: error })
  }
}

async function read(file: string, shown: string): Promise<Uint8Array> {
  const tooMuch = new StartError(`${shown} has more than ${inputBytesMax} bytes`)
  if (file !== '-') {
    try {
      if ((await stat(file)).size > inputBytesMax) throw tooMuch
      return await readFile(file)
    } catch (error) {
      if (error === tooMuch) throw error
      throw new StartError(`can't read ${shown}: ${reasonOf(error)}`, { cause: error })
    }
  }
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    total += chunk.length
    if (total > inputBytesMax) throw tooMuch
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function report(lead: string, problems: readonly Problem[]): void {
  for (const { where, message } of problems) process.stderr.write(`pilothouse: ${lead}${where}: ${message}\n`)
}

/** Waits until all output is written: the process ends next. */
async function write(bytes: Uint8Array, mediaType: MediaType): Promise<void> {
  const end = mediaType === 'application/json' ? '\n' : ''
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(Buffer.concat([bytes, Buffer.from(end)]), (error) => (error ? reject(error) : resolve()))
  })
}
