/** A file, and where it was below what was chosen or dropped. */
export interface FoundFile {
  readonly file: File
  readonly relativePath: string
  /** By which it is found again after a reload, where the browser has that. */
  readonly handle?: FileSystemFileHandle | undefined
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

interface PickingWindow {
  readonly showOpenFilePicker?: (options: {
    readonly multiple: true
  }) => Promise<readonly FileSystemFileHandle[]>
}

/** Asks for files that can be found again; `undefined` where the browser has no such thing. */
export async function pickedFiles(): Promise<readonly FoundFile[] | undefined> {
  const { showOpenFilePicker } = globalThis as PickingWindow
  if (showOpenFilePicker === undefined) return undefined
  try {
    const handles = await showOpenFilePicker({ multiple: true })
    return await Promise.all(
      handles.map(async (handle) => {
        const file = await handle.getFile()
        return { file, relativePath: file.name, handle }
      }),
    )
  } catch (error) {
    // Nobody chose any.
    if (error instanceof DOMException && error.name === 'AbortError') return []
    return undefined
  }
}

interface FindableItem extends DataTransferItem {
  readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

const isFileHandle = (handle: FileSystemHandle | null): handle is FileSystemFileHandle =>
  handle?.kind === 'file'

/** Everything that was dropped, folders to their very bottom. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly FoundFile[]> {
  // Entries have to be taken before anything is waited for: afterwards the list is empty.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry())
  const asked = Array.from(transfer.items, async (item: FindableItem) => {
    const handle = (await item.getAsFileSystemHandle?.().catch(() => null)) ?? null
    return isFileHandle(handle) ? handle : undefined
  })
  if (entries.every((entry) => entry === null)) return chosenFiles(transfer.files)
  const found = await Promise.all(
    entries.map(async (entry, index) => {
      const handle = await asked[index]
      const files = entry ? await filesOf(entry, '') : []
      return entry && isFile(entry) ? files.map((file) => ({ ...file, handle })) : files
    }),
  )
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
