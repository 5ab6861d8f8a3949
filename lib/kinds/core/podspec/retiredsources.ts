interface RetiredSource<Field extends string = string> {
  readonly field: Field
  /** The field's name in paths. */
  readonly shown: string
  readonly text: string
}

function retired<Field extends string>(field: Field, text: string, shown: string = field): RetiredSource<Field> {
  return { field, text, shown }
}

/** Volume sources whose drivers were removed or are about to be. */
export const retiredSources = [
  retired('photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'),
  retired('scaleIO', 'deprecated in v1.16, non-functional in v1.22+'),
  retired('flocker', 'deprecated in v1.22, non-functional in v1.25+'),
  retired('storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'),
  retired('quobyte', 'deprecated in v1.22, non-functional in v1.25+'),
  retired('glusterfs', 'deprecated in v1.25, non-functional in v1.26+'),
  retired('rbd', 'deprecated in v1.28, non-functional in v1.31+'),
  retired('cephfs', 'deprecated in v1.28, non-functional in v1.31+'),
] as const
