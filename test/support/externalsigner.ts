import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type handleUnaryCall, Server, ServerCredentials, status } from '@grpc/grpc-js'
import protobuf from 'protobufjs'

const { root } = protobuf.parse(`
syntax = "proto3";
package v1;
message Timestamp { int64 seconds = 1; int32 nanos = 2; }
message SignJWTRequest { string claims = 1; }
message SignJWTResponse { string header = 1; string signature = 2; }
message Key { string key_id = 1; bytes key = 2; bool exclude_from_oidc_discovery = 3; }
message FetchKeysResponse { repeated Key keys = 1; Timestamp data_timestamp = 2; int64 refresh_hint_seconds = 3; }
message MetadataResponse { int64 max_token_expiration_seconds = 1; }
`)

interface SignerKey {
  readonly keyId: string
  readonly key: Buffer
  excludeFromOidcDiscovery: boolean
}

/** A program that signs tokens of service accounts, and can be made to misbehave. */
export interface TestSigner {
  readonly path: string
  /** The keys that it names. */
  keys: SignerKey[]
  refreshHintSeconds: number
  dataTimestamp: { seconds: number } | undefined
  expirationSeconds: number
  /** Replaces members of the headers of tokens. */
  header: object
  /** Calls of this method fail. */
  failing: string
  readonly calls: Record<'Sign' | 'FetchKeys' | 'Metadata', number>
  /** Signs with a new key from now on, which it names beside the others. */
  rotate(keyId: string): void
  remove(): void
}

export async function startSigner(): Promise<TestSigner> {
  const folder = mkdtempSync(join(tmpdir(), 'pilothouse-signer-'))
  let current: { keyId: string; privateKey: KeyObject }
  const signer: TestSigner = {
    path: join(folder, 's.sock'),
    keys: [],
    refreshHintSeconds: 3600,
    dataTimestamp: { seconds: 1_700_000_000 },
    expirationSeconds: 7200,
    header: {},
    failing: '',
    calls: { Sign: 0, FetchKeys: 0, Metadata: 0 },
    rotate(keyId) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const key = publicKey.export({ type: 'spki', format: 'der' })
      signer.keys = [...signer.keys, { keyId, key, excludeFromOidcDiscovery: false }]
      current = { keyId, privateKey }
    },
    remove() {
      server.forceShutdown()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  signer.rotate('first')

  const answers = {
    Sign(request: Buffer) {
      const { claims } = root
        .lookupType('v1.SignJWTRequest')
        .toObject(root.lookupType('v1.SignJWTRequest').decode(request))
      const fields = { alg: 'ES256', kid: current.keyId, typ: 'JWT', ...signer.header }
      const header = Buffer.from(JSON.stringify(fields)).toString('base64url')
      const key = { key: current.privateKey, dsaEncoding: 'ieee-p1363' } as const
      return { header, signature: sign('sha256', Buffer.from(`${header}.${claims}`), key).toString('base64url') }
    },
    FetchKeys: () => ({
      keys: signer.keys,
      dataTimestamp: signer.dataTimestamp,
      refreshHintSeconds: signer.refreshHintSeconds,
    }),
    Metadata: () => ({ maxTokenExpirationSeconds: signer.expirationSeconds }),
  }
  const names = Object.keys(answers) as (keyof typeof answers)[]
  const replies = { Sign: 'SignJWTResponse', FetchKeys: 'FetchKeysResponse', Metadata: 'MetadataResponse' } as const
  const method =
    (name: keyof typeof answers): handleUnaryCall<Buffer, Buffer> =>
    (call, callback) => {
      signer.calls[name]++
      if (signer.failing === name) return callback({ code: status.UNAVAILABLE, details: 'the vault is sealed' })
      const type = root.lookupType(`v1.${replies[name]}`)
      callback(null, Buffer.from(type.encode(type.fromObject(answers[name](call.request))).finish()))
    }
  const pass = (bytes: Buffer): Buffer => bytes
  const form = {
    requestStream: false,
    responseStream: false,
    requestDeserialize: pass,
    requestSerialize: pass,
    responseSerialize: pass,
    responseDeserialize: pass,
  }
  const server = new Server()
  server.addService(
    Object.fromEntries(names.map((name) => [name, { ...form, path: `/v1.ExternalJWTSigner/${name}` }])),
    Object.fromEntries(names.map((name) => [name, method(name)])),
  )
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${signer.path}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    )
  })
  return signer
}
