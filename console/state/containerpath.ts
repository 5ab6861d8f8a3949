/** A file or a folder, and the folder that it is in. */
export interface ContainerPath {
  readonly folder: string
  readonly name: string
}

/** Undefined where the path names none, or everything. A relative path begins in the container's working directory. */
export function containerPath(path: string): ContainerPath | undefined {
  const found = /^(.*\/)?([^/]+)\/*$/s.exec(path)
  const [, folder = '', name = ''] = found ?? []
  if (!found || name === '.' || name === '..' || path.includes('\0')) return undefined
  return { folder: folder === '' ? '.' : folder.replace(/(?<=.)\/+$/, ''), name }
}
