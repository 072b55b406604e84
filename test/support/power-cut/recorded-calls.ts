import { RecordedFiles, forkCalls, type Start } from './recorded-files.ts'
import { bytesOf, type Call, descriptorOf } from './trace-lines.ts'

/** All that these calls did to what was there at the start. */
export function recordFiles(calls: readonly Call[], start: Start): RecordedFiles {
  const files = new RecordedFiles(calls, start)
  for (const call of calls.toSorted((a, b) => takenAt(a) - takenAt(b)))
    handlers[call.name]?.(files, call)
  return files
}

/** Another thread may be given the number of a closed file before the one that closes it hears of it. */
const takenAt = ({ name, begun, ended }: Call): number => (name === 'close' ? begun : ended)

type Handler = (files: RecordedFiles, call: Call) => void

function opened(files: RecordedFiles, call: Call, flags: string): void {
  const descriptor = descriptorOf(call.result)
  const path = descriptor && files.below(descriptor.path)
  if (!descriptor) return
  const { open } = files.processOf(call.thread)
  open.delete(descriptor.number)
  if (path === undefined || descriptor.path.endsWith(' (deleted)')) return
  if (!files.has(path)) files.rename(call, [[path, files.newNode()]])
  const node = files.nodeAt(path)
  if (flags.includes('O_TRUNC')) files.resize(call, node, 0)
  open.set(descriptor.number, { node, appends: flags.includes('O_APPEND'), position: 0 })
}

function removed(
  files: RecordedFiles,
  call: Call,
  [directory, path]: [string | undefined, string],
) {
  const below = files.below(files.absolute(call.thread, path, directory))
  if (below !== undefined) files.rename(call, [[below, undefined]])
}

function made(files: RecordedFiles, call: Call, [directory, path]: [string | undefined, string]) {
  const below = files.below(files.absolute(call.thread, path, directory))
  if (below === undefined || below === '') return
  const node = files.newNode()
  files.directories.add(node)
  files.rename(call, [[below, node]])
}

function renamed(files: RecordedFiles, call: Call, [from, to]: readonly [string, string]): void {
  const [before, after] = [files.below(from), files.below(to)]
  if (before === undefined || after === undefined) return
  const node = files.nodeAt(before)
  files.rename(call, [
    [before, undefined],
    [after, node],
  ])
  if (files.directories.has(node)) files.move(before, after)
}

function linked(files: RecordedFiles, call: Call, [from, to]: readonly [string, string]): void {
  const [before, after] = [files.below(from), files.below(to)]
  if (before !== undefined && after !== undefined)
    files.rename(call, [[after, files.nodeAt(before)]])
}

function duplicated(files: RecordedFiles, { thread, parameters, result }: Call): void {
  const { open } = files.processOf(thread)
  const from = open.get(Number.parseInt(parameters[0] ?? '', 10))
  const to = Number.parseInt(result, 10)
  if (from) open.set(to, from)
  else open.delete(to)
}

function wroteParts(files: RecordedFiles, call: Call, offset?: number): void {
  const file = files.openFileOf(call)
  if (!file) return
  const parts = call.parameters[1]?.match(/"(?:\\x[0-9a-f]{2})*"/gu) ?? []
  const bytes = Buffer.concat(parts.map(bytesOf)).subarray(0, Number(call.result))
  files.write(call, file, offset === undefined ? { bytes } : { bytes, offset })
}

const flushed: Handler = (files, call) => {
  const file = files.openFileOf(call)
  if (file) files.flushes.push({ begun: call.begun, ended: call.ended, node: file.node })
}

const unknown: Handler = (files, call) => {
  if (files.openFileOf(call)) throw new Error(`${call.name} cannot be taken from the record`)
}

const handlers: Readonly<Record<string, Handler>> = {
  open: (files, call) => opened(files, call, call.parameters[1] ?? ''),
  openat: (files, call) => opened(files, call, call.parameters[2] ?? ''),
  creat: (files, call) => opened(files, call, 'O_TRUNC'),
  close(files, { thread, parameters: [first = ''] }) {
    files.processOf(thread).open.delete(Number.parseInt(first, 10))
  },
  chdir(files, { thread, parameters: [path = ''] }) {
    files.processOf(thread).directory = files.absolute(thread, path)
  },
  dup: duplicated,
  dup2: duplicated,
  dup3: duplicated,
  fcntl(files, call) {
    if (call.parameters[1]?.startsWith('F_DUPFD') === true) duplicated(files, call)
  },
  lseek(files, call) {
    const file = files.openFileOf(call)
    if (file) file.position = Number(call.result)
  },
  write: (files, call) => wroteParts(files, call),
  writev: (files, call) => wroteParts(files, call),
  pwrite64: (files, call) => wroteParts(files, call, Number(call.parameters[3])),
  pwritev: (files, call) => wroteParts(files, call, Number(call.parameters[3])),
  ftruncate(files, call) {
    const file = files.openFileOf(call)
    if (file) files.resize(call, file.node, Number(call.parameters[1]))
  },
  truncate(files, call) {
    const path = files.below(files.absolute(call.thread, call.parameters[0] ?? ''))
    if (path !== undefined) files.resize(call, files.nodeAt(path), Number(call.parameters[1]))
  },
  fallocate(files, call) {
    const file = files.openFileOf(call)
    const [, mode = '', offset, length] = call.parameters
    if (!file || mode.includes('KEEP_SIZE')) return
    if (mode !== '0') throw new Error(`fallocate with ${mode} cannot be taken from the record`)
    files.enlarge(call, file.node, Number(offset) + Number(length))
  },
  copy_file_range: (files, call) =>
    unknown(files, { ...call, parameters: call.parameters.slice(2) }),
  sendfile: unknown,
  rename: (files, call) => {
    const [from = '', to = ''] = call.parameters.map((each) => files.absolute(call.thread, each))
    renamed(files, call, [from, to])
  },
  renameat: (files, call) => renamed(files, call, pathsOfTwo(files, call)),
  renameat2: (files, call) => renamed(files, call, pathsOfTwo(files, call)),
  link: (files, call) => {
    const [from = '', to = ''] = call.parameters.map((each) => files.absolute(call.thread, each))
    linked(files, call, [from, to])
  },
  linkat: (files, call) => linked(files, call, pathsOfTwo(files, call)),
  unlink: (files, call) => removed(files, call, [undefined, call.parameters[0] ?? '']),
  rmdir: (files, call) => removed(files, call, [undefined, call.parameters[0] ?? '']),
  unlinkat: (files, call) => removed(files, call, [call.parameters[0], call.parameters[1] ?? '']),
  mkdir: (files, call) => made(files, call, [undefined, call.parameters[0] ?? '']),
  mkdirat: (files, call) => made(files, call, [call.parameters[0], call.parameters[1] ?? '']),
  fsync: flushed,
  fdatasync: flushed,
}

function pathsOfTwo(files: RecordedFiles, call: Call): readonly [string, string] {
  const [fromAt = '', from = '', toAt = '', to = ''] = call.parameters
  return [files.absolute(call.thread, from, fromAt), files.absolute(call.thread, to, toAt)]
}

/** The calls that have to be recorded. */
export const recordedCalls: readonly string[] = Object.keys(handlers).concat(forkCalls)
