import { readFileSync } from 'node:fs'

/** A client certificate and its key, PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

/** The client certificate in a kubeconfig. */
export function identityIn(kubeconfig: string): Identity {
  const text = readFileSync(kubeconfig, 'utf8')
  const field = (name: string): string =>
    Buffer.from(new RegExp(`${name}: (\\S+)`).exec(text)?.[1] ?? '', 'base64').toString()
  return { cert: field('client-certificate-data'), key: field('client-key-data') }
}
