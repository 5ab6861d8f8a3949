import { managerFromUserAgent } from '../apply/index.ts'

/** The manager of a request that names none: what stands before the first slash of its User-Agent. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  return fieldManager === '' ? managerFromUserAgent(userAgent) : fieldManager
}
