import { reasonOf } from '../lib/controlplane/index.ts'
import { FlagError } from '../lib/flags/index.ts'
import { ensureServingPair, IncompletePair, type ServingPair } from '../lib/pki/index.ts'

/** The serving pair in --cert-dir: the operator's where there is one. Throws FlagError. */
export async function pairInCertDir(
  ...[services, options]: Parameters<typeof ensureServingPair>
): Promise<ServingPair> {
  try {
    return await ensureServingPair(services, options)
  } catch (error) {
    // In the stock server's words.
    const message =
      error instanceof IncompletePair
        ? `error creating self-signed certificates: ${error.message}`
        : `--cert-dir: can't keep a certificate in ${options.folder}: ${reasonOf(error)}`
    throw new FlagError(message, { cause: error })
  }
}
