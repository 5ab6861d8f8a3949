export {
  blockBytes,
  extensionBytesMax,
  nameBytesMax,
  paddingOf,
  readHeader,
  readRecords,
  type TarHeader,
  textOf,
  writeHeader,
} from './header.ts'
