import { startAttackedPlane } from './plane.ts'
import type { Proof } from './proof.ts'
import { prepare } from './setup.ts'
import { startWatchdog } from './watchdog.ts'

/** Runs proofs one after the other, each on its own plane; true when none succeeds any more. */
export async function runProofs(proofs: readonly Proof[], say: (line: string) => void): Promise<boolean> {
  let isSound = true
  for (const proof of proofs) {
    const left = await runProof(proof)
    isSound &&= left.length === 0
    say(`${left.length === 0 ? 'ok  ' : 'FAIL'} ${proof.title}`)
    for (const line of left) say(`     ${line}`)
  }
  return isSound
}

/** A proof on a plane of its own. */
async function runProof(proof: Proof): Promise<readonly string[]> {
  const plane = await startAttackedPlane({ flags: proof.flags ?? ['--runtime-config=api/all=true'] })
  try {
    await prepare(plane)
    const watchdog = await startWatchdog(plane)
    try {
      return await proof.run({ plane, watchdog })
    } finally {
      await watchdog.close()
    }
  } finally {
    await plane.close()
  }
}
