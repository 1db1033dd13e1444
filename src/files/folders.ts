// Names the folders below the CMS's uploads folder that this API writes to.

/** Paths relative to the uploads folder. */
export const svcFolders = {
  assets: 'svc/uploads',
  fonts: 'svc/fonts',
  printFiles: 'svc/print_files',
} as const
