import type { AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

/** Refuses every write. */
export function createAlwaysDeny(): AdmissionPlugin {
  return {
    name: 'AlwaysDeny',
    handles: () => true,
    mutate(attributes) {
      throw refusal(attributes, 'admission control is denying all modifications')
    },
  }
}
