import { refusal } from '../about.ts'
import type { AdmissionPlugin } from '../plugin.ts'

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
