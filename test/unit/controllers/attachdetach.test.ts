import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { attachmentsByNode, attachmentsByVolume, wantedNodes } from '../../../lib/controllers/attachdetach/observe.ts'
import { attachmentFor, plan, uniqueName, volumesAttached } from '../../../lib/controllers/attachdetach/plan.ts'
import { createReports } from '../../../lib/controllers/attachdetach/reports.ts'
import { givenObject, runScripts } from '../../support/controllerscript.ts'

const { nodes, persistentvolumeclaims, persistentvolumes, pods } = resources.core.v1
const { csidrivers, volumeattachments } = resources.storage.v1

// The key is that of a volume, or of a node.
runScripts('attachdetach', ({ key, nowMs, input, lister }) => {
  const listers = {
    pods: lister(pods),
    nodes: lister(nodes),
    claims: lister(persistentvolumeclaims),
    volumes: lister(persistentvolumes),
    attachments: lister(volumeattachments),
    drivers: lister(csidrivers),
  }
  const node = listers.nodes.get(key)
  if (node) {
    const present = listers.attachments.by(attachmentsByNode, key).map(({ spec, status, metadata }) => {
      const volume = listers.volumes.get(spec.source.persistentVolumeName ?? '')
      assert.ok(volume)
      const attached = status.attached && metadata.deletionTimestamp === undefined
      return { name: uniqueName(volume), attached, wanted: wantedNodes(volume, listers).has(key) }
    })
    return volumesAttached(node, present)
  }
  const volume = listers.volumes.get(key)
  assert.ok(volume)
  const planned = plan(
    {
      volume,
      wanted: wantedNodes(volume, listers),
      attachments: listers.attachments.by(attachmentsByVolume, key),
      node: (name) => listers.nodes.get(name),
      unwantedSince: new Map(Object.entries((input['sinceMs'] ?? {}) as Record<string, number>)),
      forces: input['forces'] !== false,
    },
    nowMs - Date.parse('2026-01-01T00:00:00Z'),
  )
  return {
    attach: planned.attach,
    detach: planned.detach.map(({ attachment, forced }) => ({ name: attachment.metadata.name, forced })),
    refused: planned.refused.map(({ pod, message }) => `${pod.metadata.name}: ${message}`),
    againAfterMs: planned.againAfterMs,
  }
})

describe('an attachment', () => {
  it('is named by the hash of handle, driver and node', () => {
    const volume = givenObject({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v' },
      spec: { csi: { driver: 'd.example.com', volumeHandle: 'h' } },
    })
    // printf hd.example.comn1 | sha256sum
    assert.deepEqual(
      attachmentFor(volume as never, 'n1').metadata.name,
      'csi-bf00c1a8390d248b3d2cf999edcf90407ea15c756d80e7f004a227d25e1a3492',
    )
  })
  it('an attachment that fails is reported once, until it fails otherwise; the remembered failures are limited', () => {
    const told: string[] = []
    const reports = createReports({ event: (_about, _type, _reason, message) => void told.push(message) })
    const pod = (uid: string): never => ({ metadata: { uid } }) as never
    for (const why of ['a', 'a', 'b', 'b', 'a']) reports.failed(pod('p'), 'v', why)
    assert.deepEqual(told, ['a', 'b', 'a'])
    for (let at = 0; at < 5000; at++) reports.failed(pod(`${at}`), 'v', 'a')
    reports.failed(pod('p'), 'v', 'a')
    assert.equal(told.length, 3 + 5000 + 1)
  })
})
