function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes])
}

/** A ControllerRevision as a client's protobuf, its data a JSON text as given. */
export function revisionMessage(name: string, data: string): Buffer {
  const type = Buffer.concat([field(1, 'apps/v1'), field(2, 'ControllerRevision')])
  const metadata = Buffer.concat([field(1, name), field(3, 'default')])
  const message = Buffer.concat([field(1, metadata), field(2, field(1, data)), Buffer.from([24, 1])])
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, message)])
}

export function nested(depth: number): string {
  return '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
}
