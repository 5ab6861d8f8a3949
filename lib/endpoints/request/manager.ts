import { managerFromUserAgent } from '../../apply/index.ts'

/** The default manager of a request: its User-Agent up to the first slash. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  return fieldManager === '' ? managerFromUserAgent(userAgent) : fieldManager
}
