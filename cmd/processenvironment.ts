import type { ProcessEnvironment } from '../lib/controlplane/index.ts'

export const processEnvironment: ProcessEnvironment = {
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
