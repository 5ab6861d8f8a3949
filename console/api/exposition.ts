import { request } from './session.ts'

/** The text of these metrics of the server. Throws ApiError where the user may not read them. */
export async function readMetrics(names: Iterable<string>, signal?: AbortSignal): Promise<string> {
  const query = new URLSearchParams([...names].map((name) => ['name[]', name]))
  const answer = await request(`/metrics?${query}`, { accept: 'text/plain', ...(signal && { signal }) })
  return await answer.text()
}
