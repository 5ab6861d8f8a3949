import type { Surroundings } from '../lib/controlplane/index.ts'

export const processSurroundings: Surroundings = {
  environment: process.env,
  standardOutput: {
    // Its reader may exit; the stream reports failures only to the callback of a write.
    write: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    close() {},
  },
}

const holdMs = 60_000

/** Runs `work` and keeps the process alive meanwhile: the clock's timers and connections to a store do not. */
export async function heldAlive<Result>(work: () => Promise<Result>): Promise<Result> {
  const held = setInterval(() => {}, holdMs)
  try {
    return await work()
  } finally {
    clearInterval(held)
  }
}
