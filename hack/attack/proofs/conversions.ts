import { randomBytes } from 'node:crypto'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { definitionOf } from '../../../test/support/crdkit.ts'
import { type Proof, unless, unlessFree } from '../proof.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const group = 'proofs.example.com'
const stored = `/apis/${group}/v1/namespaces/team/converteds`
const other = `/apis/${group}/v2/namespaces/team/converteds`
/** Patches before each measurement of memory: caches have their full size by then. */
const patches = 100
const memoryMbMax = 100
const itemCount = 40_000
const objectCount = 8

interface Review {
  readonly request: {
    readonly uid: string
    readonly desiredAPIVersion: string
    readonly objects: readonly object[]
  }
}

interface Converter {
  readonly caBundle: string
  readonly url: string
  close(): void
}

async function startConverter(): Promise<Converter> {
  const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'converters' })
  const pair = authority.issue({ commonName: 'converter', usage: 'server', names: ['127.0.0.1'] })
  const server = https.createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { request: asked } = JSON.parse(body.toString()) as Review
      const convertedObjects = asked.objects.map((object) => ({ ...object, apiVersion: asked.desiredAPIVersion }))
      const answer = { uid: asked.uid, result: { status: 'Success' }, convertedObjects }
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: answer }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    url: `https://127.0.0.1:${port}/convert`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }

export const conversions: Proof = {
  title: 'converted objects take bounded memory and time',
  async run(around) {
    const admin = around.plane.as('admin')
    const converter = await startConverter()
    const left: string[] = []
    try {
      const definition = definitionOf({
        kind: 'Converted',
        group,
        versions: [
          { name: 'v1', served: true, storage: true, schema },
          { name: 'v2', served: true, storage: false, schema },
        ],
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1'],
              clientConfig: { url: converter.url, caBundle: converter.caBundle },
            },
          },
        },
      })
      left.push(...unless([201], 'the definition', await admin.ask('POST', definitions, definition)))
      const object = (name: string, spec: object): object => ({ apiVersion: `${group}/v1`, kind: 'Converted', metadata: { name }, spec }) // biome-ignore format: one line
      const big = randomBytes(900_000).toString('base64').slice(0, 1_200_000)
      for (let tries = 0; tries < 200; tries++) {
        const made = await admin.ask('POST', stored, object('big', { big }))
        if (made.status === 201) break
        await sleep(50)
      }
      let before = 0
      for (let step = 0; step < 2 * patches; step++) {
        if (step === patches) before = around.watchdog.memoryMb()
        const patch = { metadata: { annotations: { step: String(step) } } }
        const answer = await admin.ask('PATCH', `${other}/big`, patch, 'application/merge-patch+json')
        left.push(...unless([200], 'a patch', answer).slice(0, left.length === 0 ? 1 : 0))
      }
      const grown = around.watchdog.memoryMb() - before
      if (grown > memoryMbMax) left.push(`${patches} more patches in another version took ${grown} MB`)
      await admin.ask('DELETE', `${stored}/big`)
      const items = Array.from({ length: itemCount }, (_, index) => index)
      for (let index = 0; index < objectCount; index++)
        await admin.ask('POST', stored, object(`many-${index}`, { items }))
      await around.watchdog.loop()
      left.push(...unless([200], 'the list', await admin.ask('GET', other)))
      left.push(...(await unlessFree(around, 'a list in another version')))
    } finally {
      await admin.ask('DELETE', `${definitions}/converteds.${group}`)
      converter.close()
    }
    return left
  },
}
