import type { AdmissionPlugin } from '../plugin.ts'

/** Does nothing. */
export function createAlwaysAdmit(): AdmissionPlugin {
  return { name: 'AlwaysAdmit', handles: () => false }
}
