/** A file, and where it was below what was chosen or dropped. */
export interface FoundFile {
  readonly file: File
  readonly relativePath: string
}

/** What systems leave in folders and nobody means to publish. */
const leftovers: ReadonlySet<string> = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

const isMeant = ({ relativePath }: FoundFile): boolean =>
  relativePath.split('/').every((name) => !leftovers.has(name) && name !== '.git')

export const chosenFiles = (list: FileList): readonly FoundFile[] =>
  Array.from(list, (file) => ({
    file,
    relativePath: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
  })).filter(isMeant)

/** Everything that was dropped, folders to their very bottom. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly FoundFile[]> {
  // Entries have to be taken before anything is waited for: afterwards the list is empty.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry())
  if (entries.every((entry) => entry === null)) return chosenFiles(transfer.files)
  const found = await Promise.all(entries.flatMap((entry) => (entry ? [filesOf(entry, '')] : [])))
  return found.flat().filter(isMeant)
}

async function filesOf(entry: FileSystemEntry, above: string): Promise<readonly FoundFile[]> {
  const relativePath = above + entry.name
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ file, relativePath }]
  }
  if (!isDirectory(entry)) return []
  const children = await childrenOf(entry)
  return (await Promise.all(children.map((child) => filesOf(child, `${relativePath}/`)))).flat()
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Browsers tell a hundred at a time, until they tell none. */
async function childrenOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return children
    children.push(...some)
  }
}
