import { type ContainerFiles, type FileContent, FileRefused } from '../shell/files.ts'

/** Files that were written into one run of a container. */
export class WrittenFiles {
  readonly #files = new Map<string, Uint8Array>()
  #bytes = 0

  get all(): ReadonlyMap<string, Uint8Array> {
    return this.#files
  }

  /** Throws FileRefused. */
  set(path: string, content: Uint8Array): void {
    const bytes = this.#bytes - (this.#files.get(path)?.length ?? 0) + content.length
    const isFull = bytes > writtenBytesMax || (!this.#files.has(path) && this.#files.size >= writtenFilesMax)
    if (isFull) throw new FileRefused('No space left on device')
    this.#files.set(path, content)
    this.#bytes = bytes
  }
}

/** Bytes of all files that are written into one container, and their number. */
const writtenBytesMax = 1024 * 1024
const writtenFilesMax = 200
/** Characters of a path. */
const pathCharactersMax = 4096

/** Files of a container's volumes that are made from objects, read when they are used. */
export interface VolumeFiles {
  get(path: string): Promise<string | undefined>
  below(folder: string): Promise<ReadonlyMap<string, string>>
}

/**
 * The files of one container: those that were written into it, those that it begins with, and those of volumes; nothing
 * is written into `readOnly` folders.
 */
export function containerFiles(
  written: WrittenFiles,
  fixed: ReadonlyMap<string, string>,
  volumes: VolumeFiles | undefined,
  readOnly: readonly string[],
): ContainerFiles {
  const isIn = (path: string, folder: string): boolean =>
    path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
  return {
    bytesMax: writtenBytesMax,
    get: (path) => written.all.get(path) ?? fixed.get(path) ?? volumes?.get(path),
    async below(folder) {
      const found = new Map<string, FileContent>(await volumes?.below(folder))
      for (const files of [fixed, written.all])
        for (const [path, content] of files) if (isIn(path, folder)) found.set(path, content)
      return found
    },
    write(path, content) {
      if (path.length > pathCharactersMax) throw new FileRefused('File name too long')
      if (readOnly.some((folder) => isIn(path, folder))) throw new FileRefused('Read-only file system')
      written.set(path, content)
    },
  }
}
