/** Files of a container, as its programs see them. Paths are absolute. */
export interface ContainerFiles {
  /** Undefined: there is none. Rejects where it can't be read. */
  get(path: string): FileContent | undefined | Promise<FileContent | undefined>
  /** The files below a folder by path, or the file at that path. Rejects where one can't be read. */
  below(path: string): Promise<ReadonlyMap<string, FileContent>>
  /** Throws FileRefused. */
  write(path: string, content: Uint8Array): void
  /** Bytes that a file may have. */
  readonly bytesMax: number
}

export type FileContent = string | Uint8Array

/** A file that can't be written; the message is that of a system. */
export class FileRefused extends Error {}

/** Folders that are there without any file in them. */
const folders = new Set(['/', '/etc', '/home', '/mnt', '/opt', '/root', '/srv', '/tmp', '/var'])

export async function isFolder(files: ContainerFiles, path: string): Promise<boolean> {
  if (folders.has(path)) return true
  const found = await files.below(path)
  return found.size > 0 && !found.has(path)
}

/** The absolute path of `name` as seen from a folder, without `.` and `..`. */
export function resolvePath(folder: string, name: string): string {
  const parts: string[] = []
  for (const part of (name.startsWith('/') ? name : `${folder}/${name}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
