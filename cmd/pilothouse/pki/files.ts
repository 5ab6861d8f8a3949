import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock, Random } from '../../../lib/base/index.ts'
import { reasonOf, StartError } from '../../../lib/controlplane/index.ts'
import { type Authority, createAuthority, type KeyPair } from '../../../lib/pki/index.ts'
import { readIfThere, writeSafely } from '../credentials.ts'
import { type AuthorityName, authorities } from './layout.ts'

export interface PkiServices {
  readonly clock: Clock
  readonly random: Random
}

/** Reads and writes the pairs of one folder. Rejects with StartError that names the file. */
export class PkiFolder {
  readonly #folder: string
  readonly #services: PkiServices

  constructor(folder: string, services: PkiServices) {
    this.#folder = folder
    this.#services = services
  }

  async read(path: string): Promise<string | undefined> {
    return await this.#attempt(path, 'read', () => readIfThere(join(this.#folder, path)))
  }

  async readPair(path: string): Promise<Partial<KeyPair>> {
    const [certificate, key] = await Promise.all([this.read(`${path}.crt`), this.read(`${path}.key`)])
    return { certificate, key }
  }

  /** Private keys, and kubeconfigs that contain some, are readable by their owner only. */
  async write(path: string, text: string, mode: 0o600 | 0o644): Promise<void> {
    await this.#attempt(path, 'written', async () => {
      const folder = dirname(join(this.#folder, path))
      await mkdir(folder, { recursive: true })
      if (path.startsWith('pki/')) await chmod(folder, 0o755)
      await writeSafely(join(this.#folder, path), text, mode)
    })
  }

  async writePair(path: string, { certificate, key }: KeyPair): Promise<void> {
    await this.write(`${path}.key`, key, 0o600)
    await this.write(`${path}.crt`, certificate, 0o644)
  }

  /** Undefined without a certificate. Rejects when its key is elsewhere, or does not match. */
  async authority(name: AuthorityName): Promise<Authority | undefined> {
    const { path } = authorities[name]
    const { certificate, key } = await this.readPair(path)
    if (certificate === undefined) return undefined
    if (key === undefined) throw new StartError(`${path}.key is missing: nothing can be signed by ${path}.crt`)
    return await this.#attempt(`${path}.crt`, 'used', () =>
      createAuthority(this.#services, { existing: { certificate, key } }),
    )
  }

  async #attempt<T>(path: string, done: string, run: () => T | Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      throw new StartError(`${join(this.#folder, path)} can't be ${done}: ${reasonOf(error)}`, { cause: error })
    }
  }
}
