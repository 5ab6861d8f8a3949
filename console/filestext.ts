/** Sentences of the files of containers, which are loaded with them. */
export const filesTexts = {
  download: 'Download',
  upload: 'Upload',
  path: 'File or folder in the container',
  folder: 'Folder in the container',
  file: 'File to upload',
  hint: 'The container needs a tar program, as for kubectl cp. A folder is saved as a .tar, without its links and devices.',
  noPath: 'Name a file or a folder by its path, such as /etc/hosts.',
  noTar:
    'The container has no tar program, which kubectl cp would need, too. Add a debug container in the tab Terminal, whose image has one: it shows the files of the container below /proc/1/root where it shares its processes.',
  tooLarge: (megabytes: number) =>
    `It is larger than ${megabytes} MB, the most that this page holds in memory: use kubectl cp.`,
  failed: (reason: string) => `It was not copied: ${reason}`,
  cancelled: 'Cancelled.',
  uploadCancelled: 'Cancelled. A part of the file may be in the container.',
  reading: (bytes: string) => `${bytes} received`,
  writing: (bytes: string, of: string) => `${bytes} of ${of} sent`,
  saved: (name: string, bytes: string, leftOut: number) =>
    `${name} is saved, ${bytes}${leftOut === 0 ? '.' : `; links and devices that were left out: ${leftOut}.`}`,
  sent: (name: string, folder: string) => `${name} is in ${folder}.`,
} as const
