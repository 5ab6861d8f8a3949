/** Names in Go and IANA → OpenSSL's. TLS 1.3 suites have one name only. */
const openSslNames: Readonly<Record<string, string>> = {
  TLS_AES_128_GCM_SHA256: 'TLS_AES_128_GCM_SHA256',
  TLS_AES_256_GCM_SHA384: 'TLS_AES_256_GCM_SHA384',
  TLS_CHACHA20_POLY1305_SHA256: 'TLS_CHACHA20_POLY1305_SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
}
const modern = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']

/** The default suites: all with forward secrecy, as on the stock server. */
const usual = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
  'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
  'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
  'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
]

/** Broken suites that the stock server accepts: OpenSSL is built without them. */
const broken = new Set([
  'TLS_ECDHE_ECDSA_WITH_RC4_128_SHA',
  'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA',
  'TLS_ECDHE_RSA_WITH_RC4_128_SHA',
  'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  'TLS_RSA_WITH_RC4_128_SHA',
])
const insecure = /^TLS_RSA_|_CBC_SHA256$/

/**
 * OpenSSL's cipher list for --tls-cipher-suites; without names, the default suites. Suites of TLS 1.3 are always on, as
 * OpenSSL can't disable them there. Throws RangeError for an unknown name, and where only broken ones are left.
 */
export function cipherList(names: readonly string[], oldest: TlsVersion = 'TLSv1.2'): string {
  const chosen = (names.length === 0 ? usual : names.filter((name) => !broken.has(name))).map((name) => {
    const known = openSslNames[name]
    if (known === undefined) throw new RangeError(`Cipher suite ${name} not supported or doesn't exist`)
    return known
  })
  if (chosen.length === 0) throw new RangeError(`${names.join(', ')}: broken, and not spoken any more`)
  // OpenSSL accepts the signatures of TLS 1.1 and older at this level only.
  const level = oldest === 'TLSv1' || oldest === 'TLSv1.1' ? ['@SECLEVEL=0'] : []
  return [...new Set([...modern, ...chosen]), ...level].join(':')
}

/** Warnings for the operator about the chosen suites. */
export function cipherWarnings(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    broken.has(name)
      ? [`--tls-cipher-suites: ${name} is broken and left out`]
      : insecure.test(name)
        ? [`Use of insecure cipher '${name}' detected.`]
        : [],
  )
}

type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

const versions: Readonly<Record<string, TlsVersion>> = {
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
}

/** The version for --tls-min-version; '' is TLS 1.2. Throws RangeError for another name. */
export function tlsVersion(name: string): TlsVersion {
  const version = versions[name]
  if (version === undefined) throw new RangeError(`unknown tls version "${name}"`)
  return version
}

/** Curves by their TLS numbers. */
const curves: Readonly<Record<number, string>> = {
  23: 'P-256',
  24: 'P-384',
  25: 'P-521',
  29: 'X25519',
  4588: 'X25519MLKEM768',
}

/** OpenSSL's group list for --tls-curve-preferences; undefined leaves the choice to OpenSSL. */
export function curveList(ids: readonly number[]): string | undefined {
  if (ids.length === 0) return undefined
  const names = ids.map((id) => {
    const name = curves[id]
    if (name === undefined) throw new RangeError(`unsupported curve ${id}`)
    return name
  })
  return names.join(':')
}
