import { loadedView } from '../parts/loadedview.ts'

/** Files of a pod's containers, loaded when the tab is opened. */
export const FilesTab = loadedView(async () => (await import('./files.ts')).Files)
