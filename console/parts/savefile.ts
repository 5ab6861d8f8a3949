/** Lets the browser save the parts as a file of this name. */
export function saveFile(name: string, parts: readonly BlobPart[]): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([...parts], { type: 'application/octet-stream' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
