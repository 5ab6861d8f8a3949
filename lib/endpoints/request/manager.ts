import { managerFromUserAgent } from '../../apply/index.ts'

/** The manager of a request that names none: its User-Agent up to the first slash. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  return fieldManager === '' ? managerFromUserAgent(userAgent) : fieldManager
}
