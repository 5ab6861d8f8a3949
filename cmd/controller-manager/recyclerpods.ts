import type { Pod } from '../../api/gen/core/v1.ts'
import { tables } from '../../api/index.ts'
import { splitDocuments } from '../../lib/codec/index.ts'
import type { RecyclerPods } from '../../lib/controller/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'
import { readOptional, withFlagName } from '../apiserver/flagfiles.ts'
import type { ManagerFlags } from './flags.ts'

/** Reads the templates of the pods that recycle volumes. Rejects with FlagError. */
export async function recyclerPodsOf(flags: ManagerFlags): Promise<RecyclerPods> {
  const read = async (flag: 'pv-recycler-pod-template-filepath-hostpath' | 'pv-recycler-pod-template-filepath-nfs') => {
    const path = flags[flag]
    const text = await readOptional(flag, path)
    return text === undefined ? undefined : withFlagName(flag, () => readPod(text, path))
  }
  return {
    hostPath: await read('pv-recycler-pod-template-filepath-hostpath'),
    nfs: await read('pv-recycler-pod-template-filepath-nfs'),
  }
}

/** Only the first document is used, as JSON or YAML. */
function readPod(text: string, path: string): Pod {
  const [document] = splitDocuments(Buffer.from(text))
  if (!document) throw new Error(`file was empty: ${path}`)
  if (document.content.is !== 'value')
    throw new Error(
      `failed decoding file: ${document.content.is === 'failure' ? document.content.message : 'protobuf'}`,
    )
  const expected = { group: '', version: 'v1', kind: 'Pod' }
  const { object } = createScheme({ tables }).objects.decodeObject(
    { tree: document.content.value },
    { mediaType: 'application/json', expected, fieldValidation: 'Ignore' },
  )
  // The scheme refuses every other kind.
  const pod = object as Pod
  if ((pod.spec.volumes ?? []).length === 0)
    throw new Error(`Pod specification (${path}): does not contain any volume(s)`)
  return pod
}
