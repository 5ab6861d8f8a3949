import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { type Plugin, scoreMax } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'

/** Bytes per container between which having the images counts. */
const bytesMin = 23 * 1024 * 1024
const bytesMax = 1000 * 1024 * 1024

/** Prefers nodes that have the pod's images; an image that is on few nodes counts less, so that these don't fill up. */
export const imageLocality: Plugin = {
  name: 'ImageLocality',
  points: ['score'],
  score: () => ({
    name: 'ImageLocality',
    scores({ pod }, nodes, snapshot) {
      const images = imagesOf(pod)
      const known = new Map<string, number>()
      for (const { node } of snapshot.nodes.values())
        for (const image of new Set(images)) if (sizeOn(node, image) > 0) known.set(image, (known.get(image) ?? 0) + 1)
      if (known.size === 0) return undefined
      const total = snapshot.nodes.size
      return nodes.map((node) => scoreOf(node, images, (image) => (known.get(image) ?? 0) / total))
    },
  }),
}

function scoreOf({ node }: NodeInfo, images: readonly string[], spread: (image: string) => number): number {
  const sum = images.reduce((bytes, image) => bytes + Math.floor(sizeOn(node, image) * spread(image)), 0)
  const most = bytesMax * images.length
  const within = Math.min(Math.max(sum, bytesMin), most)
  return Math.floor((scoreMax * (within - bytesMin)) / (most - bytesMin))
}

function sizeOn({ status }: Frozen<Node>, image: string): number {
  return Number(status.images?.find(({ names = [] }) => names.includes(image))?.sizeBytes ?? 0)
}

/** With the tag that a name without one means. */
function imagesOf({ spec }: Frozen<Pod>): string[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(({ image = '' }) =>
    image.slice(image.lastIndexOf('/') + 1).includes(':') || image.includes('@') ? image : `${image}:latest`,
  )
}
