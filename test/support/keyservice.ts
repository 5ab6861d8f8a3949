import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type handleUnaryCall, Server, ServerCredentials, status } from '@grpc/grpc-js'
import protobuf, { type Type } from 'protobufjs'

const schema = `
syntax = "proto3";
package v2;
message StatusRequest {}
message StatusResponse { string version = 1; string healthz = 2; string keyId = 3; }
message DecryptRequest { bytes ciphertext = 1; string uid = 2; string keyId = 3; map<string, bytes> annotations = 4; }
message DecryptResponse { bytes plaintext = 1; }
message EncryptRequest { bytes plaintext = 1; string uid = 2; }
message EncryptResponse { bytes ciphertext = 1; string keyId = 2; map<string, bytes> annotations = 3; }
message EncryptedObject { bytes encryptedData = 1; string keyID = 2; bytes encryptedDEKSource = 3; map<string, bytes> annotations = 4; int32 encryptedDEKSourceType = 5; }
`
const root = protobuf.parse(schema).root

/** Encoders that know nothing of the code under test. */
export const kmsTypes = Object.fromEntries(
  ['StatusResponse', 'DecryptRequest', 'DecryptResponse', 'EncryptRequest', 'EncryptResponse', 'EncryptedObject'].map(
    (name) => [name, root.lookupType(`v2.${name}`)],
  ),
) as Record<string, Type>

function typeOf(name: string): Type {
  const type = kmsTypes[name]
  if (!type) throw new Error(`no type ${name}`)
  return type
}

/** A key service that keeps what it encrypts in memory, and can be made to misbehave. */
export interface TestKeyService {
  readonly path: string
  keyId: string
  healthz: string
  version: string
  /** The key that Encrypt names, where not `keyId`. */
  encryptKeyId: string | undefined
  annotations: Record<string, Uint8Array>
  /** Milliseconds before each answer. */
  delayMs: number
  /** Calls fail with this text. */
  failure: string | undefined
  /** Decrypt answers another key. */
  lies: boolean
  ciphertext: ((plaintext: Uint8Array) => Uint8Array) | undefined
  readonly calls: { status: number; encrypt: number; decrypt: number }
  /** Key by key id and ciphertext. */
  readonly secrets: Map<string, Uint8Array>
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

export async function startKeyService(): Promise<TestKeyService> {
  const folder = mkdtempSync(join(tmpdir(), 'pilothouse-kms-'))
  let server: Server | undefined

  const service: TestKeyService = {
    path: join(folder, 'kms.sock'),
    keyId: 'key-1',
    healthz: 'ok',
    version: 'v2',
    encryptKeyId: undefined,
    annotations: {},
    delayMs: 0,
    failure: undefined,
    lies: false,
    ciphertext: undefined,
    calls: { status: 0, encrypt: 0, decrypt: 0 },
    secrets: new Map(),
    async start() {
      const started = new Server()
      started.addService(definition, implementation)
      await new Promise<void>((resolve, reject) => {
        started.bindAsync(`unix:${service.path}`, ServerCredentials.createInsecure(), (error) =>
          error ? reject(error) : resolve(),
        )
      })
      server = started
    },
    async stop() {
      server?.forceShutdown()
      server = undefined
    },
    async remove() {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  const bytesPass = {
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes: Buffer) => bytes,
    requestSerialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes,
  }
  const definition = Object.fromEntries(
    ['Status', 'Encrypt', 'Decrypt'].map((name) => [name, { ...bytesPass, path: `/v2.KeyManagementService/${name}` }]),
  )

  function method(
    name: 'Status' | 'Encrypt' | 'Decrypt',
    answer: (request: Record<string, unknown>) => Record<string, unknown>,
  ): handleUnaryCall<Buffer, Buffer> {
    return (call, callback) => {
      service.calls[name.toLowerCase() as 'status' | 'encrypt' | 'decrypt']++
      void (async () => {
        if (service.delayMs > 0) await sleep(service.delayMs, undefined, { ref: false })
        if (service.failure !== undefined)
          return callback({ code: status.FAILED_PRECONDITION, details: service.failure })
        try {
          const type = name === 'Status' ? undefined : typeOf(`${name}Request`)
          const reply = answer(type?.toObject(type.decode(call.request)) ?? {})
          callback(null, Buffer.from(typeOf(`${name}Response`).encode(reply).finish()))
        } catch (error) {
          callback({ code: status.INTERNAL, details: String(error) })
        }
      })()
    }
  }

  const implementation = {
    Status: method('Status', () => ({ version: service.version, healthz: service.healthz, keyId: service.keyId })),
    Encrypt: method('Encrypt', ({ plaintext }) => {
      const key = plaintext as Uint8Array
      const ciphertext = service.ciphertext?.(key) ?? randomBytes(48)
      const keyId = service.encryptKeyId ?? service.keyId
      service.secrets.set(`${keyId} ${Buffer.from(ciphertext).toString('hex')}`, Buffer.from(key))
      return { ciphertext, keyId, annotations: service.annotations }
    }),
    Decrypt: method('Decrypt', ({ ciphertext, keyId }) => {
      const secret = service.secrets.get(`${String(keyId)} ${Buffer.from(ciphertext as Uint8Array).toString('hex')}`)
      if (!secret) throw new Error('unknown ciphertext')
      return { plaintext: service.lies ? randomBytes(32) : secret }
    }),
  }

  await service.start()
  return service
}
