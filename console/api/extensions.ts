import type { AdmissionObjects } from '../state/admissionorder.ts'
import { collectionPath, findKind, records } from './kinds.ts'
import type { ApiObject } from './liveobject.ts'
import { readJson } from './session.ts'

/** Objects of one kind that are read. */
const listedMax = 500

/** The objects of a kind; undefined where it is not served, or the user may not list it. */
export async function readAll(group: string, resource: string): Promise<readonly ApiObject[] | undefined> {
  const kind = findKind(group, resource)
  if (!kind) return undefined
  return await readJson(`${collectionPath(kind, '')}?limit=${listedMax}`).then(
    ({ items }) => records(items),
    () => undefined,
  )
}

const admissionGroup = 'admissionregistration.k8s.io'
const admissionResources = [
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
]

export async function readAdmission(): Promise<AdmissionObjects> {
  const lists = await Promise.all(
    admissionResources.map(async (name) => [name, (await readAll(admissionGroup, name)) ?? []] as const),
  )
  return Object.fromEntries(lists)
}
