import type * as NodeFiles from 'node:fs/promises'
import { assert } from '../assert.ts'

/** The text of a followed file in one load. */
export type TextOf = (path: string) => string

/** Maximum size of one configuration file. */
const fileBytesMax = 16 * 1024 * 1024
/** Maximum number of files that are followed together. */
const filesMax = 1000

/** A file that can't be used; `code` is the system's error code for an unreadable one, else empty. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly path: string
  readonly code: string
  readonly reason: string

  constructor(path: string, code: string, reason: string, options?: ErrorOptions) {
    super(`${path}: ${reason}`, options)
    this.path = path
    this.code = code
    this.reason = reason
  }
}

/** Changes when a file is written in place or replaced through a link. */
export interface FilesSignature {
  readonly text: string
  /** Milliseconds since the epoch at which the newest of the files was changed. */
  readonly newestMs: number
}

export interface FilesRead {
  readonly paths: readonly string[]
  readonly textOf: TextOf
  /** `sha256:…` of the file, or of several (and of a folder's), each followed by a zero byte. */
  readonly digest: string
  readonly signature: FilesSignature
}

/** Loaded by the first call (hack/decisions/2026-11-27-builtins-on-demand.md). */
const files = (): typeof NodeFiles => process.getBuiltinModule('node:fs/promises')

/** Rejects with FileError. */
export async function signFiles(paths: readonly string[]): Promise<FilesSignature> {
  const stats = await Promise.all(paths.map(statusOf))
  const text = stats.map(({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join('.')).join()
  return {
    text: `${paths.join('\0')}\0${text}`,
    newestMs: Math.max(0, ...stats.map(({ mtimeMs, ctimeMs }) => Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs))),
  }
}

/**
 * The signature is taken before the files are read, so that it differs from the next one when a file changes meanwhile.
 * Pipes and devices may only be read at the start, where a user notices a missing writer. Rejects with FileError.
 */
export async function readFiles(
  paths: readonly string[],
  { isFirst, isList }: { isFirst: boolean; isList: boolean },
): Promise<FilesRead> {
  assert(paths.length <= filesMax, `at most ${filesMax} files are followed as one`)
  const signature = await signFiles(paths)
  const contents = new Map<string, Buffer>()
  for (const path of new Set(paths)) contents.set(path, await readOne(path, isFirst))
  const { createHash } = process.getBuiltinModule('node:crypto')
  const digest = createHash('sha256')
  for (const path of paths) {
    digest.update(contents.get(path) ?? '')
    if (isList) digest.update('\0')
  }
  const textOf: TextOf = (path) => {
    const content = contents.get(path)
    assert(content !== undefined, `${path} is not among the files that are followed`)
    return content.toString('utf8')
  }
  return { paths, textOf, digest: `sha256:${digest.digest('hex')}`, signature }
}

async function readOne(path: string, isFirst: boolean): Promise<Buffer> {
  const status = await statusOf(path)
  if (!isFirst && !status.isFile()) throw new FileError(path, '', 'it is not a regular file')
  const content = status.size > fileBytesMax ? undefined : await named(path, files().readFile(path))
  if (content === undefined || content.length > fileBytesMax)
    throw new FileError(path, '', `it has more than ${fileBytesMax} bytes`)
  return content
}

function statusOf(path: string): ReturnType<typeof statBigint> {
  return named(path, statBigint(path))
}

function statBigint(path: string) {
  return files().stat(path, { bigint: true })
}

async function named<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw new FileError(path, code, code === '' ? "it can't be read" : `it can't be read (${code})`, { cause })
  }
}
