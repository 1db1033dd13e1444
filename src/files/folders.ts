// Folders below the CMS's uploads folder that this API writes to.

export const svcFolders = {
  assets: 'svc/uploads',
  fonts: 'svc/fonts',
  printFiles: 'svc/print_files',
} as const
