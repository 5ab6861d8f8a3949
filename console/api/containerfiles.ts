import { filesTexts } from '../filestext.ts'
import type { ContainerPath } from '../state/containerpath.ts'
import { BadArchive, TarReader, TooLargeArchive, tarEnd, tarHeader } from '../state/tar.ts'
import { explain } from '../text.ts'
import { type Channels, openChannels } from './channels.ts'
import { ApiError } from './session.ts'
import { OtherUser } from './streamuser.ts'

/** Megabytes of a file or an archive; the page holds a download in memory. */
const megabytesMax = 256
const transferBytesMax = megabytesMax * 1024 * 1024
const chunkBytes = 32 * 1024
/** Bytes that wait in the browser before the next chunk of a file is read. */
const waitingBytesMax = 1024 * 1024
const pollMs = 10
/** Characters of what `tar` complains about. */
const complaintCharactersMax = 2000

/** Why a file was not copied, in words for the user. */
export class TransferProblem extends Error {}

export interface Transfer {
  /** The exec subresource of the pod. */
  readonly execPath: string
  readonly container: string
  readonly signal: AbortSignal
  onProgress(bytes: number): void
}

export interface Downloaded {
  readonly name: string
  readonly parts: readonly Blob[]
  readonly bytes: number
  /** Links and devices of a folder, which are not in its archive. */
  readonly leftOut: number
}

/** Reads a file, or a folder as an archive, by `tar` in the container. Throws TransferProblem. */
export async function download(transfer: Transfer, { folder, name }: ContainerPath): Promise<Downloaded> {
  const reader = new TarReader(name, transferBytesMax)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  // A name that begins like an option must not be one.
  const command = ['tar', 'cf', '-', '-C', folder, name.startsWith('-') ? `./${name}` : name]
  const running = run(transfer, command, {
    hasInput: false,
    onOutput(chunk) {
      reader.add(chunk)
      chunks.push(chunk)
      bytes += chunk.length
      transfer.onProgress(bytes)
    },
  })
  await running.ended
  const { file, kept, leftOut } = refusing(() => reader.end())
  const archive = new Blob(chunks)
  if (file) return { name, parts: [archive.slice(file.start, file.end)], bytes: file.end - file.start, leftOut }
  const parts = [...kept.map(({ start, end }) => archive.slice(start, end)), new Blob([tarEnd(0)])]
  return { name: `${name}.tar`, parts, bytes: parts.reduce((sum, part) => sum + part.size, 0), leftOut }
}

/** Writes a file into a folder by `tar` in the container. Throws TransferProblem. */
export async function upload(transfer: Transfer, file: File, folder: string): Promise<void> {
  if (file.size > transferBytesMax) throw new TransferProblem(filesTexts.tooLarge(megabytesMax))
  const header = refusing(() => tarHeader(file.name, file.size, file.lastModified))
  const running = run(transfer, ['tar', 'xmf', '-', '-C', folder], { hasInput: true, onOutput() {} })
  const send = async (channels: Channels): Promise<void> => {
    channels.send(header)
    for (let at = 0; at < file.size && running.isOpen(); at += chunkBytes) {
      channels.send(new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer()))
      while (running.isOpen() && channels.waitingBytes > waitingBytesMax)
        await new Promise((resolve) => setTimeout(resolve, pollMs))
      transfer.onProgress(Math.min(file.size, at + chunkBytes))
    }
    channels.send(tarEnd(file.size))
    channels.endInput()
  }
  const sending = running.opened.then(send).catch((error: unknown) => running.stop(error))
  await Promise.all([running.ended, sending])
}

interface Running {
  readonly opened: Promise<Channels>
  /** Resolves once the command has ended well. */
  readonly ended: Promise<void>
  isOpen(): boolean
  stop(reason: unknown): void
}

interface Streams {
  readonly hasInput: boolean
  /** What it throws ends the command. */
  onOutput(chunk: Uint8Array<ArrayBuffer>): void
}

function run({ execPath, container, signal }: Transfer, command: readonly string[], streams: Streams): Running {
  const { promise: opened, resolve: open } = Promise.withResolvers<Channels>()
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const query = new URLSearchParams({ container, stdout: 'true', stderr: 'true' })
  if (streams.hasInput) query.set('stdin', 'true')
  for (const word of command) query.append('command', word)
  let isOpen = true
  let complaint = ''
  const stopping = new AbortController()
  const opening = openChannels(`${execPath}?${query}`, stopping.signal, {
    onOpen: () => open(opening),
    onOutput(chunk) {
      if (!isOpen) return
      try {
        streams.onOutput(chunk)
      } catch (error) {
        stop(error)
      }
    },
    onErrors(chunk) {
      complaint = (complaint + new TextDecoder().decode(chunk)).slice(0, complaintCharactersMax)
    },
    onEnd(message) {
      isOpen = false
      if (message === '') resolve()
      else if (lacksProgram(message)) reject(new TransferProblem(filesTexts.noTar))
      else reject(new TransferProblem(filesTexts.failed(complaint.trim() || message)))
    },
  })
  const stop = (reason: unknown): void => {
    isOpen = false
    reject(problemOf(reason))
    stopping.abort()
  }
  opening.catch(stop)
  signal.addEventListener('abort', () => stop(signal.reason), { once: true })
  return { opened, ended, isOpen: () => isOpen, stop }
}

/** Whether a runtime's message says that the container does not have the program. */
function lacksProgram(message: string): boolean {
  return /executable file not found|exec:? .*tar.*no such file|exit code 12[67]\b/i.test(message)
}

function refusing<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw problemOf(error)
  }
}

function problemOf(error: unknown): unknown {
  if (error instanceof TooLargeArchive) return new TransferProblem(filesTexts.tooLarge(megabytesMax))
  if (error instanceof OtherUser) return new TransferProblem(error.message)
  if (error instanceof ApiError) return new TransferProblem(explain(error.code, error.message))
  return error instanceof BadArchive ? new TransferProblem(filesTexts.failed(error.message)) : error
}
