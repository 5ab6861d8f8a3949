import type { EventRecorder } from '../../controller/index.ts'
import type { ApiObject, Frozen } from '../../object/index.ts'

/** Records events about the volumes of pods; a failure once, until it changes. */
export interface Reports {
  failed(pod: Frozen<ApiObject>, volume: string, message: string): void
  attached(pod: Frozen<ApiObject>, volume: string): void
}

const rememberedMax = 4096

export function createReports(events: EventRecorder): Reports {
  const last = new Map<string, string>()
  const keyOf = (pod: Frozen<ApiObject>, volume: string) => `${pod.metadata.uid} ${volume}`
  return {
    failed(pod, volume, message) {
      const key = keyOf(pod, volume)
      if (last.get(key) === message) return
      last.delete(key)
      last.set(key, message)
      const [oldest] = last.size > rememberedMax ? last.keys() : []
      if (oldest !== undefined) last.delete(oldest)
      events.event(pod, 'Warning', 'FailedAttachVolume', message)
    },
    attached(pod, volume) {
      last.delete(keyOf(pod, volume))
      events.event(pod, 'Normal', 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume "${volume}" `)
    },
  }
}
