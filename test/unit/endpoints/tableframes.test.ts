import { equal, notEqual } from 'node:assert/strict'
import { systemClock } from '../../../lib/base/index.ts'
import { createTableForms } from '../../../lib/endpoints/answer/tableframes.ts'
import type { Endpoint } from '../../../lib/endpoints/endpoint.ts'
import type { Negotiated } from '../../../lib/request/index.ts'
import type { KindCodec } from '../../../lib/scheme/index.ts'

describe('frames of tables', () => {
  // What making a form needs of them.
  const kindCodec = { watchFramer: () => () => [] } as unknown as KindCodec
  const endpointOf = (): Endpoint => ({ frame: () => ({}) }) as unknown as Endpoint
  const json: Negotiated = { format: 'json', mediaType: 'application/json' } as Negotiated

  it('are the same for watches of one endpoint that ask for the same, and others for any other', () => {
    const forms = createTableForms({ kindCodec, clock: systemClock })
    const endpoint = endpointOf()
    const first = forms(endpoint, { version: 'v1', includeObject: 'Metadata' }, json)
    equal(forms(endpoint, { version: 'v1', includeObject: 'Metadata' }, json), first)
    notEqual(forms(endpoint, { version: 'v1beta1', includeObject: 'Metadata' }, json), first)
    notEqual(forms(endpoint, { version: 'v1', includeObject: 'None' }, json), first)
    notEqual(forms(endpointOf(), { version: 'v1', includeObject: 'Metadata' }, json), first)
  })
})
